// Reads that cost more than a moment: long pages, lists that walk over records, whole blocks. They are answered beside the thread that
// makes blocks, where there is one for them, by the same handlers.
import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { Handlers } from "../handler-types.ts";
import type { HeavyOperation } from "../heavy-operations.ts";
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
