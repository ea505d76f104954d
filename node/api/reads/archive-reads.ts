// Reads of blocks that this node does not hold: where its own response is that it lacks them, other nodes are asked, whose responses are
// proven. What another node asks is never asked on: two nodes would ask each other.
import type { ArchiveReads } from "#node/queries/archive-reads.ts";
import type { Operation, Output } from "#shared/api/api.ts";
import { type CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { rewardHeight } from "#shared/protocol/transactions/transaction-id.ts";
import type { Handlers, RequestContext } from "../handler-types.ts";
import { JsonText } from "../json/json-text.ts";
import { accountOfPath } from "../routes/account-param.ts";
import { createBlockHandlers } from "../routes/chain/blocks.ts";
import { createChainV2Handlers } from "../routes/chain/chain-v2.ts";
import { createProofHandlers } from "../routes/chain/proofs.ts";
import { createTransactionHandlers } from "../routes/chain/transactions.ts";
import type { TrialBudget } from "../security/trial-budget.ts";
import type { ApiServices } from "../services.ts";
import { archiveLists, prunedWithNodes, withNodeCount } from "./archive-lists.ts";
import { MISSING, MOST_FETCHED, mayLook, objectOf, readOf, unlessRefused } from "./archive-read.ts";

type Fields = Readonly<Record<string, unknown>>;
type AnyHandler = (input: Fields, context: RequestContext) => unknown;
type AccountPage = Output<"getAddress">;

/** What the operations are, each with the requests that it takes of peers, about. */
const FOUND_ELSEWHERE = {
  getBlock: () => 4,
  getBlockByHash: () => 6,
  getTransaction: ({ txid }: Fields) => transactionCost(txid),
  getChainTransaction: ({ tx_id }: Fields) => transactionCost(tx_id),
  proveTransaction: ({ txid }: Fields) => transactionCost(txid),
  proveBlock: () => 4,
} as const satisfies Partial<Record<Operation, (input: Fields) => number>>;

/** Requests beside those for the entries of a page. */
const PAGE_COST = 4;

/** Handlers that look elsewhere for what is too old for this node. */
export function withArchiveReads(handlers: Handlers, services: ApiServices, budget: TrialBudget): Handlers {
  const { archive } = services;
  if (archive === undefined) return handlers;
  const elsewhere = archiveHandlers(services, archive, budget);
  const operations = Object.keys(FOUND_ELSEWHERE) as (keyof typeof FOUND_ELSEWHERE)[];
  const wrapped = operations.map((operation) => {
    const [own, other] = [handlers[operation], elsewhere[operation]] as [AnyHandler, AnyHandler];
    const handler: AnyHandler = async (input, context) => {
      try {
        return await own(input, context);
      } catch (error) {
        if (!isMissing(error) || !mayLook(archive, context)) throw error;
        const read = readOf(operation, input, context, FOUND_ELSEWHERE[operation](input));
        const found = await archive.read(read, async () => other(input, context)).catch(refusedFor(error));
        if (found === undefined) throw error;
        return found;
      }
    };
    return [operation, handler] as const;
  });
  const getAddress: Handlers["getAddress"] = async (input, context) => {
    const response = await handlers.getAddress(input, context);
    const page = shortPage(response);
    return page === undefined || !mayLook(archive, context) ? response : await wholePage(archive, page, context);
  };
  const fetched: Handlers = {
    ...handlers,
    ...(Object.fromEntries(wrapped) as Partial<Handlers>),
    ...archiveLists(handlers, archive),
    getAddress,
  };
  return { ...fetched, ...withNodeCounts(fetched, archive) };
}

/** Lists that may lack something, and reads that may fail for what is not here: they say how many connected nodes have more. */
const SAYS_WHERE = [
  "getAddress",
  "listContractLogs",
  "listChannels",
  "getAccountFeed",
  "listBlocks",
] as const satisfies readonly Operation[];

function withNodeCounts(handlers: Handlers, archive: ArchiveReads): Partial<Handlers> {
  const operations = [...SAYS_WHERE, ...(Object.keys(FOUND_ELSEWHERE) as (keyof typeof FOUND_ELSEWHERE)[])];
  const wrapped = operations.map((operation) => {
    const own = handlers[operation] as AnyHandler;
    const handler: AnyHandler = async (input, context) => {
      try {
        return withNodeCount((await own(input, context)) as object, archive, context);
      } catch (error) {
        throw prunedWithNodes(error, archive, context);
      }
    };
    return [operation, handler] as const;
  });
  return Object.fromEntries(wrapped) as Partial<Handlers>;
}

function archiveHandlers(
  services: ApiServices,
  { queries }: ArchiveReads,
  budget: TrialBudget,
): Pick<Handlers, keyof typeof FOUND_ELSEWHERE> {
  const over = { ...services, ...queries };
  const { getBlock, getBlockByHash } = createBlockHandlers(over);
  const { getTransaction } = createTransactionHandlers(over, budget);
  const { getChainTransaction } = createChainV2Handlers(over, budget);
  const { proveTransaction, proveBlock } = createProofHandlers(over);
  return { getBlock, getBlockByHash, getTransaction, getChainTransaction, proveTransaction, proveBlock };
}

/** What knew the id of an old transaction may be gone as well: then it is not found. */
function isMissing(error: unknown): error is CodedError {
  return isCodedError(error, "HISTORY_PRUNED") || isCodedError(error, "NOT_FOUND");
}

/** Refuses what exists; an id that is not known here is rather not found than refused. */
function refusedFor(own: CodedError): (error: unknown) => undefined {
  return (error) => {
    if (!isCodedError(error) || own.code === "HISTORY_PRUNED") throw error;
  };
}

/** The reward of a block is found by the history of who got it. */
function transactionCost(id: unknown): number {
  return typeof id === "string" && rewardHeight(id) !== undefined ? 24 : 4;
}

function shortPage(response: AccountPage | JsonText): AccountPage | undefined {
  if (response instanceof JsonText && !response.text.includes(MISSING)) return undefined;
  const page = objectOf(response);
  return page.missing_below === undefined ? undefined : page;
}

/** The page with the entries that this node does not hold; as it was where they are not to be had. */
async function wholePage(archive: ArchiveReads, page: AccountPage, context: RequestContext): Promise<AccountPage> {
  const { missing_below: _missing, ...own } = page;
  const limit = Math.min(page.limit - page.transactions.length, page.tx_count - page.next_offset);
  // A shorter page would not do: clients count on full ones while there are more.
  if (limit <= 0 || limit > MOST_FETCHED) return page;
  const { pub_key: account, next_offset: offset } = page;
  const read = readOf("getAddress", { account, offset, limit, tx_count: page.tx_count }, context, PAGE_COST + limit);
  const older = await archive
    .read(read, async () => {
      const history = archive.queries.explorer;
      const first = await history.accountHistory(accountOfPath(account), { limit, offset });
      const grown = first.txCount - page.tx_count;
      return grown === 0 ? first : await history.accountHistory(accountOfPath(account), { limit, offset: Math.max(0, offset + grown) });
    })
    .catch(unlessRefused);
  if (older === undefined || older.transactions.length !== limit) return page;
  const transactions = [...page.transactions, ...older.transactions];
  const next = page.offset + transactions.length;
  return { ...own, transactions, next_offset: next, has_more: next < page.tx_count };
}
