// Operations whose reads cost more than a moment: long pages, lists that walk over records, whole blocks.
import type { Input, Operation } from "#shared/api/api.ts";
import type { RequestContext } from "./handler-types.ts";
import type { JsonText } from "./json-text.ts";

/** Entries of a page that the main thread answers itself. */
const SMALL_PAGE = 100;

/** Entries before a page that the main thread answers itself: the newest ones are in memory, older ones may have to come from the disk. */
const NEAR_OFFSET = 1_000;

/** Blocks of a window that the main thread looks at itself. */
const SMALL_WINDOW = 1_000;

const always = (): boolean => true;

/** Operations with heavy inputs, and which those are. */
export const HEAVY_READS = {
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
