// Reads that cost more than a moment: long pages, lists that walk over records, whole blocks. They are answered beside the thread that
// makes blocks, where there is one for them, by the same handlers.
import type { ReadQueries } from "#node/queries/read-queries.ts";
import { writeExactJson } from "../exact-json.ts";
import type { Handlers, RequestContext } from "../handler-types.ts";
import { HEAVY_READS, type HeavyOperation, type HeavyReads } from "../heavy-operations.ts";
import { createAccountHandlers } from "../routes/chain/accounts.ts";
import { createBlockHandlers } from "../routes/chain/blocks.ts";
import { createFeedHandlers } from "../routes/chain/feed.ts";
import { createProofHandlers } from "../routes/chain/proofs.ts";
import { createSearchHandlers } from "../routes/chain/search.ts";
import { createChannelHandlers } from "../routes/contracts/channels.ts";
import { createContractCallHandlers } from "../routes/contracts/contract-calls.ts";
import { createContractHandlers, createTokenHandlers } from "../routes/contracts/contracts.ts";
import { createNodeHandlers } from "../routes/node/nodes.ts";
import { createContactHandlers } from "../routes/people/contacts.ts";
import { createIdentityHandlers } from "../routes/people/identities.ts";

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
