// One function an operation of the endpoint table. Files under routes/ implement them by resource.
import type { Handlers } from "./handler-types.ts";
import { withHeavyReads } from "./heavy-operations.ts";
import type { ResolvedApiOptions } from "./options.ts";
import { withArchiveReads } from "./reads/archive-reads.ts";
import { createAccountHandlers } from "./routes/chain/accounts.ts";
import { createBlockHandlers } from "./routes/chain/blocks.ts";
import { createChainV2Handlers } from "./routes/chain/chain-v2.ts";
import { createFeedHandlers } from "./routes/chain/feed.ts";
import { createProofHandlers } from "./routes/chain/proofs.ts";
import { createSearchHandlers } from "./routes/chain/search.ts";
import { createTransactionHandlers } from "./routes/chain/transactions.ts";
import { createChannelHandlers } from "./routes/contracts/channels.ts";
import { createContractCallHandlers, SIMULATION_GAS } from "./routes/contracts/contract-calls.ts";
import { createContractHandlers, createTokenHandlers } from "./routes/contracts/contracts.ts";
import { createDiscoveryHandlers } from "./routes/node/discovery.ts";
import { createFaucetHandlers } from "./routes/node/faucet.ts";
import { createNodeHandlers } from "./routes/node/nodes.ts";
import { createBoxHandlers } from "./routes/people/boxes.ts";
import { createCardHandlers } from "./routes/people/cards.ts";
import { createContactHandlers } from "./routes/people/contacts.ts";
import { createHeldMailHandlers } from "./routes/people/held-mail.ts";
import { createIdentityHandlers } from "./routes/people/identities.ts";
import { createInboxHandlers } from "./routes/people/inbox.ts";
import { MailboxAccess } from "./security/mailbox-access.ts";
import { type TrialBudget, withTrialBudget } from "./security/trial-budget.ts";
import type { ApiServices } from "./services.ts";

/** All handlers over the node's services. */
export function createHandlers(services: ApiServices, options: ResolvedApiOptions, budget: TrialBudget): Handlers {
  const mailboxes = new MailboxAccess(services.relay, services.clock, options);
  const handlers: Handlers = {
    ...createBlockHandlers(services),
    ...createTransactionHandlers(services, budget),
    ...createAccountHandlers(services),
    ...createChainV2Handlers(services, budget),
    ...createFeedHandlers(services),
    ...createIdentityHandlers(services),
    ...createInboxHandlers(services, mailboxes),
    ...createBoxHandlers(services, mailboxes, options.limits),
    ...createHeldMailHandlers(services),
    ...createCardHandlers(services),
    ...createContactHandlers(services),
    ...createContractHandlers(services),
    ...createContractCallHandlers(services),
    ...createTokenHandlers(services),
    ...createChannelHandlers(services),
    ...createNodeHandlers(services),
    ...createProofHandlers(services),
    ...createSearchHandlers(services),
    ...createDiscoveryHandlers(services, mailboxes),
    ...createFaucetHandlers(services, options),
  };
  return withArchiveReads(withTrialBudget(withHeavyReads(handlers, services.heavyReads), budget, SIMULATION_GAS), services, budget);
}
