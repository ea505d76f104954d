// Reads of the explorer: from the database where that can say it, else from a node.
import type { Handlers } from "#node/api/handler-types.ts";
import { createAccountHandlers } from "#node/api/routes/chain/accounts.ts";
import { createBlockHandlers } from "#node/api/routes/chain/blocks.ts";
import { createFeedHandlers } from "#node/api/routes/chain/feed.ts";
import { createSearchHandlers } from "#node/api/routes/chain/search.ts";
import { createTransactionReads } from "#node/api/routes/chain/transactions.ts";
import { createContractHandlers, createTokenHandlers } from "#node/api/routes/contracts/contracts.ts";
import type { ExplorerQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import type { DatabaseQueries } from "./database-explorer.ts";
import { ElsewhereError } from "./elsewhere-error.ts";
import type { StateQueries } from "./state-explorer.ts";

/** How many reads were answered from where. */
export interface ExplorerCounts {
  database: number;
  node: number;
}

/** Queries that the database may answer. */
export interface ExplorerAnswers {
  readonly blocks: DatabaseQueries;
  readonly state: StateQueries;
}

/** Operations that the database may answer. */
export const DATABASE_OPERATIONS = [
  "getNetstats",
  "getChart",
  "listBlocks",
  "getBlock",
  "getBlockByHash",
  "listRecentTransactions",
  "getTransaction",
  "getChainTransaction",
  "getAddress",
  "getAccountFeed",
  "search",
  "listContracts",
  "getContract",
  "getContractState",
  "listContractLogs",
  "listWellKnownContracts",
  "listTokens",
  "getToken",
  "getTokenBalance",
  "listTokensOfOwner",
  "listNfts",
  "getNft",
  "listNftsOfOwner",
] as const satisfies readonly (keyof Handlers)[];

type DatabaseOperation = (typeof DATABASE_OPERATIONS)[number];
type AnyHandler = (input: unknown, context: unknown) => unknown;

/** These operations, each over the database first. */
export function createExplorerHandlers(
  { blocks: database, state }: ExplorerAnswers,
  proxied: Pick<Handlers, DatabaseOperation>,
  counts: ExplorerCounts,
): Pick<Handlers, DatabaseOperation> {
  const explorer = queriesOf(database);
  const own: Pick<Handlers, DatabaseOperation> = {
    ...createBlockHandlers({ explorer }),
    ...createAccountHandlers({ explorer }),
    ...createFeedHandlers({ explorer }),
    ...createTransactionReads(explorer),
    ...createContractHandlers(state),
    ...createTokenHandlers(state),
    ...createSearchHandlers(state),
    listWellKnownContracts: async (): Promise<Output<"listWellKnownContracts">> => {
      const contracts = await state.contracts.wellKnown();
      return { count: Object.keys(contracts).length, contracts: { ...contracts } };
    },
    getChainTransaction: ({ tx_id }) => database.chainTransaction(tx_id) as ReturnType<Handlers["getChainTransaction"]>,
  };
  const handlers = DATABASE_OPERATIONS.map((operation) => {
    const [fromDatabase, fromNode] = [own[operation], proxied[operation]] as unknown as readonly [AnyHandler, AnyHandler];
    const handler: AnyHandler = async (input, context) => {
      try {
        const answer = await fromDatabase(input, context);
        counts.database += 1;
        return answer;
      } catch (error) {
        if (!(error instanceof ElsewhereError)) throw error;
      }
      counts.node += 1;
      return await fromNode(input, context);
    };
    return [operation, handler] as const;
  });
  return Object.fromEntries(handlers) as unknown as Pick<Handlers, DatabaseOperation>;
}

/** What the database has no part of is never asked here. */
function queriesOf(database: DatabaseQueries): ExplorerQueries {
  const elsewhere = (): never => {
    throw new ElsewhereError();
  };
  return {
    netStats: () => database.netStats(),
    chart: (series) => database.chart(series),
    listBlocks: (page) => database.listBlocks(page),
    getBlock: (height) => database.getBlock(height),
    getBlockByHash: (hash) => database.getBlockByHash(hash),
    recentTransactions: (limit) => database.recentTransactions(limit),
    getTransaction: (id) => database.getTransaction(id),
    chainTransaction: (id) => database.chainTransaction(id),
    accountHistory: (account, page) => database.accountHistory(account, page),
    accountFeed: (account, range) => database.accountFeed(account, range),
    identity: elsewhere,
    deviceList: elsewhere,
    contactsOf: elsewhere,
    contactsRequestedBy: elsewhere,
    validators: elsewhere,
    setAside: elsewhere,
    validatorProposals: elsewhere,
    parameters: elsewhere,
  };
}
