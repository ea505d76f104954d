// One function an operation of the endpoint table. Files under routes/ implement them by resource.
import type { Handlers } from "./handler-types.ts";
import { withHeavyReads } from "./heavy-reads.ts";
import type { ResolvedApiOptions } from "./options.ts";
import { createAccountHandlers } from "./routes/accounts.ts";
import { createBlockHandlers } from "./routes/blocks.ts";
import { createChainV2Handlers } from "./routes/chain-v2.ts";
import { createChannelHandlers } from "./routes/channels.ts";
import { createContactHandlers } from "./routes/contacts.ts";
import { createContractCallHandlers } from "./routes/contract-calls.ts";
import { createContractHandlers, createTokenHandlers } from "./routes/contracts.ts";
import { createDiscoveryHandlers } from "./routes/discovery.ts";
import { createFaucetHandlers } from "./routes/faucet.ts";
import { createFeedHandlers } from "./routes/feed.ts";
import { createIdentityHandlers } from "./routes/identities.ts";
import { createInboxHandlers } from "./routes/inbox.ts";
import { createNodeHandlers } from "./routes/nodes.ts";
import { createProofHandlers } from "./routes/proofs.ts";
import { createSearchHandlers } from "./routes/search.ts";
import { createTransactionHandlers } from "./routes/transactions.ts";
import type { ApiServices } from "./services.ts";

/** All handlers over the node's services. */
export function createHandlers(services: ApiServices, options: ResolvedApiOptions): Handlers {
  const handlers: Handlers = {
    ...createBlockHandlers(services),
    ...createTransactionHandlers(services),
    ...createAccountHandlers(services),
    ...createChainV2Handlers(services),
    ...createFeedHandlers(services),
    ...createIdentityHandlers(services),
    ...createInboxHandlers(services, options),
    ...createContactHandlers(services),
    ...createContractHandlers(services),
    ...createContractCallHandlers(services),
    ...createTokenHandlers(services),
    ...createChannelHandlers(services),
    ...createNodeHandlers(services),
    ...createProofHandlers(services),
    ...createSearchHandlers(services),
    ...createDiscoveryHandlers(services, options),
    ...createFaucetHandlers(services, options),
  };
  return withHeavyReads(handlers, services.heavyReads);
}
