// Reads that cost more than a moment: long pages, lists that walk over records, whole blocks. They are answered beside the thread that
// makes blocks, where there is one for them, by the same handlers.
import type { Input, Operation } from "#shared/api/api.ts";
import { writeExactJson } from "./exact-json.ts";
import type { Handlers, RequestContext } from "./handlers.ts";
import type { JsonText } from "./json-text.ts";
import { createAccountHandlers } from "./routes/accounts.ts";
import { createBlockHandlers } from "./routes/blocks.ts";
import { createChannelHandlers } from "./routes/channels.ts";
import { createContactHandlers } from "./routes/contacts.ts";
import { createContractCallHandlers } from "./routes/contract-calls.ts";
import { createContractHandlers, createTokenHandlers } from "./routes/contracts.ts";
import { createFeedHandlers } from "./routes/feed.ts";
import { createIdentityHandlers } from "./routes/identities.ts";
import { createNodeHandlers } from "./routes/nodes.ts";
import { createProofHandlers } from "./routes/proofs.ts";
import { createSearchHandlers } from "./routes/search.ts";
import type { ReadQueries } from "./services.ts";

/** Entries of a page that the main thread answers itself. */
const SMALL_PAGE = 100;
/** Entries before a page that the main thread answers itself: the newest ones are in memory, older ones may have to come from the disk. */
const NEAR_OFFSET = 1_000;
/** Blocks of a window that the main thread looks at itself. */
const SMALL_WINDOW = 1_000;

const always = (): boolean => true;

/** Operations with heavy inputs, and which those are. */
const HEAVY_READS = {
  getAddress: ({ limit = 50, offset = 0 }: Input<"getAddress">) => limit > SMALL_PAGE || offset > NEAR_OFFSET,
  getAccountFeed: ({ limit = 100 }: Input<"getAccountFeed">) => limit > SMALL_PAGE,
  getNodeStats: ({ window = 200 }: Input<"getNodeStats">) => window > SMALL_WINDOW,
  getBlock: always,
  getBlockByHash: always,
  getChart: always,
  listValidatorProposals: always,
  listChannels: always,
  listContacts: always,
  listSentContacts: always,
  listContracts: always,
  listIdentities: ({ body }: Input<"listIdentities">) => body.accounts.length > SMALL_PAGE,
  callView: always,
  estimateCall: always,
  listTokens: always,
  listNfts: always,
  listNftsOfOwner: always,
  listRelays: always,
  proveTransaction: always,
  search: always,
} as const satisfies { readonly [K in Operation]?: (input: Input<K>) => boolean };

/** An operation that may be heavy. */
export type HeavyOperation = keyof typeof HEAVY_READS;

/** Answers heavy reads beside the calling thread. */
export interface HeavyReads {
  /**
   * The answer as JSON text. A read whose caller hangs up before its turn is not done.
   * @throws CodedError of the handler, or BUSY when too many wait or it took too long.
   */
  answer(operation: HeavyOperation, input: unknown, caller?: Pick<RequestContext, "onHangUp">): Promise<JsonText>;
}

/** Handlers of heavy reads over a connection. */
export function createReadHandlers(queries: ReadQueries): Pick<Handlers, HeavyOperation> {
  return {
    ...createAccountHandlers(queries),
    ...createFeedHandlers(queries),
    ...createBlockHandlers(queries),
    ...createNodeHandlers(queries),
    ...createChannelHandlers(queries),
    ...createIdentityHandlers(queries),
    ...createContactHandlers(queries),
    ...createContractHandlers(queries),
    ...createContractCallHandlers(queries),
    ...createTokenHandlers(queries),
    ...createProofHandlers(queries),
    ...createSearchHandlers(queries),
  };
}

/** JSON text of an answer of a heavy read. */
export function writeAnswer(operation: HeavyOperation, answer: unknown): string {
  return operation === "listTokens" ? writeExactJson(answer) : JSON.stringify(answer);
}

/** The handlers with heavy reads handed over. */
export function withHeavyReads(handlers: Handlers, heavyReads: HeavyReads | undefined): Handlers {
  if (heavyReads === undefined) return handlers;
  const routed = (Object.keys(HEAVY_READS) as HeavyOperation[]).map((operation) => {
    const isHeavy = HEAVY_READS[operation] as (input: unknown) => boolean;
    const handler = handlers[operation] as (input: unknown, context: RequestContext) => unknown;
    return [
      operation,
      (input: unknown, context: RequestContext): unknown =>
        isHeavy(input) ? heavyReads.answer(operation, input, context) : handler(input, context),
    ] as const;
  });
  return { ...handlers, ...(Object.fromEntries(routed) as unknown as Pick<Handlers, HeavyOperation>) };
}
