// Feeds of accounts that reach below the blocks of this node: what others prove of them, and what is here. Pages are full while there are more
// entries, since clients count on that.
import type { ArchiveReads, EntriesBelow } from "#node/queries/archive-reads.ts";
import { historyPruned } from "#node/queries/history-pruned.ts";
import type { HistoryRange } from "#node/queries/read-queries.ts";
import type { Input, Output } from "#shared/api/api.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Handlers, RequestContext } from "../handler-types.ts";
import type { JsonText } from "../json/json-text.ts";
import { accountOfPath } from "../routes/account-param.ts";
import { LIST_COST, MOST_FETCHED, mayLook, objectOf, readOf, unlessRefused } from "./archive-read.ts";

type Feed = Output<"getAccountFeed">;
type Transactions = Feed["transactions"];

/** Requests to find where a bound of a feed lies, about. */
const BOUND_COST = 12;

/** A page that was asked for. */
interface FeedRequest {
  readonly handlers: Pick<Handlers, "getAccountFeed">;
  readonly archive: ArchiveReads;
  readonly input: Input<"getAccountFeed">;
  readonly context: RequestContext;
  readonly account: PublicKeyHex;
  readonly limit: number;
  readonly order: "asc" | "desc";
  readonly below: EntriesBelow;
  /** Bounds that lie below what is here of the account; a page within them is refused where it is not whole. */
  readonly bounds: Pick<HistoryRange, "afterBlock" | "beforeBlock">;
}

/** A page of a feed. @throws CodedError HISTORY_PRUNED where a bound lies below and nothing proves the page; as the handler */
export async function accountFeed(
  handlers: Pick<Handlers, "getAccountFeed">,
  archive: ArchiveReads,
  input: Input<"getAccountFeed">,
  context: RequestContext,
): Promise<Feed | JsonText> {
  const { limit = MOST_FETCHED, order = "desc", after_block: after, before_block: before } = input;
  const account = accountOfPath(input.account_id);
  const below = archive.entriesBelow(account);
  const { firstHeight, count } = below;
  if (count === 0 || (after ?? -1) + 1 >= firstHeight) return await handlers.getAccountFeed(input, context);
  const bounds = {
    ...(after === undefined ? {} : { afterBlock: after }),
    ...(before === undefined || before > firstHeight ? {} : { beforeBlock: before }),
  };
  const request: FeedRequest = { handlers, archive, input, context, account, limit, order, below, bounds };
  return await (order === "asc" || bounds.beforeBlock !== undefined ? oldestFirst(request) : newestFirst(request));
}

/** The own entries stand first. */
async function newestFirst(request: FeedRequest): Promise<Feed> {
  const { limit } = request;
  const own = await ownPart(request, limit);
  if (own.count === limit) return own;
  const older = await olderPart(request, limit - own.count);
  return older === undefined ? inPart(request, own) : pageOf(request, [...own.transactions, ...older]);
}

/** The older entries stand first, or are all of the page. */
async function oldestFirst(request: FeedRequest): Promise<Feed> {
  const { limit, bounds } = request;
  const older = await olderPart(request, limit);
  if (older === undefined) return inPart(request, bounds.beforeBlock === undefined ? await ownPart(request, limit) : undefined);
  if (bounds.beforeBlock !== undefined || older.length === limit) return pageOf(request, older);
  const { transactions } = await ownPart(request, limit - older.length);
  return pageOf(request, [...older, ...transactions]);
}

async function ownPart({ handlers, input, below, context }: FeedRequest, limit: number): Promise<Feed> {
  return objectOf(await handlers.getAccountFeed({ ...input, limit, after_block: below.firstHeight - 1 }, context));
}

async function olderPart(
  { archive, account, order, below, bounds, context }: FeedRequest,
  limit: number,
): Promise<Transactions | undefined> {
  const { count } = below;
  if (Math.min(limit, count) > MOST_FETCHED || !mayLook(archive, context)) return undefined;
  const range = { limit, order, ...bounds };
  const cost = Math.min(limit, count) + LIST_COST + BOUND_COST * Object.keys(bounds).length;
  const found = archive.read(readOf("getAccountFeed", { account, count, ...range }, context, cost), () =>
    archive.entriesOf(account, range, count),
  );
  const older = await (isBound(bounds) ? found : found.catch(unlessRefused));
  return older === undefined ? undefined : [...older];
}

/** What is here, with a word that it is not all. @throws CodedError where bounds say that older entries are wanted */
function inPart({ below, bounds }: FeedRequest, own: Feed | undefined): Feed {
  const { firstHeight } = below;
  const { afterBlock, beforeBlock = firstHeight } = bounds;
  if (own === undefined || isBound(bounds)) throw historyPruned(afterBlock === undefined ? beforeBlock - 1 : afterBlock + 1, firstHeight);
  return { ...own, missing_below: firstHeight };
}

function isBound(bounds: FeedRequest["bounds"]): boolean {
  return Object.keys(bounds).length > 0;
}

function pageOf({ account, order, limit }: FeedRequest, transactions: Transactions): Feed {
  const names = { account_id: account, account_addr: formatAddress(account) };
  return { ...names, count: transactions.length, order, limit_applied: limit, transactions };
}
