// Reads of the explorer from the database. What it cannot answer as the node would now is said to be elsewhere: blocks that are missing, the
// newest ones while it is behind, whatever lies in the state of the chain alone.
import { Explorer, STATS_WINDOW_BLOCKS } from "#node/explorer/explorer.ts";
import { createExplorerQueries } from "#node/explorer/queries/explorer-queries.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import type { ExplorerQueries, HistoryRange } from "#node/queries/read-queries.ts";
import { SEQ_PER_BLOCK } from "#node/storage/chain-schema.ts";
import type { ExplorerState, Found } from "#node/storage/mailbox/sharing/postgres/explorer/beside.ts";
import type { ExplorerReads, WholeBlockRow } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-reads.ts";
import type { Output } from "#shared/api/api.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { rewardHeight } from "#shared/protocol/transactions/transaction-id.ts";
import { EXPLORER_LAG_MS, EXPLORER_OFFSET } from "../gateway-limits.ts";
import { ElsewhereError } from "./elsewhere-error.ts";
import type { GuardedReads, Held } from "./guarded-reads.ts";
import { detailOf, LoadedChain, type LoadedRows } from "./loaded-chain.ts";

export interface DatabaseExplorerDependencies {
  readonly reads: ExplorerReads;
  /** How the blocks stand wherever reads may go, at the primary first. */
  readonly states: () => Promise<readonly (ExplorerState | undefined)[]>;
  readonly guard: GuardedReads;
}

/** Queries that the database answers. */
export type DatabaseQueries = Pick<
  ExplorerQueries,
  | "netStats"
  | "chart"
  | "listBlocks"
  | "getBlock"
  | "getBlockByHash"
  | "recentTransactions"
  | "getTransaction"
  | "chainTransaction"
  | "accountHistory"
  | "accountFeed"
>;

const CHART_HOURS = { hour: 1, day: 24 } as const;
const LAST_PLACE = Number.MAX_SAFE_INTEGER;

/** Answers each query with what the node would say, or throws {@link ElsewhereError}. */
export class DatabaseExplorer implements DatabaseQueries {
  readonly #dependencies: DatabaseExplorerDependencies;
  readonly #chain = new LoadedChain();
  readonly #queries = createExplorerQueries(new Explorer(this.#chain));
  readonly #guard: GuardedReads;

  constructor(dependencies: DatabaseExplorerDependencies) {
    this.#dependencies = dependencies;
    this.#guard = dependencies.guard;
  }

  /** The newest block as a read saw it last. */
  get height(): Height {
    return this.#guard.height;
  }

  /** Clients know of this block: what is older is no answer to them. */
  noteShown(height: Height): void {
    this.#guard.noteShown(height);
  }

  /** The newest block that all reads find, where the newest one is, or was a moment ago, that of the node; undefined otherwise. */
  async currentHeight(): Promise<Height | undefined> {
    if (this.#guard.isPaused) return undefined;
    try {
      const states = await this.#dependencies.states();
      const [state] = states;
      if (state === undefined || state.hasConflict || state.ageMs > EXPLORER_LAG_MS) return undefined;
      return Math.min(...states.map((each) => this.#guard.held({ state: each }).state.height));
    } catch (error) {
      this.#guard.pause(error);
      return undefined;
    }
  }

  async netStats(): Promise<Output<"getNetstats">> {
    const { state, rows, records } = await this.#read((reads) => reads.totals(STATS_WINDOW_BLOCKS));
    const [totals] = rows;
    if (totals === undefined || state.first > 0) throw new ElsewhereError();
    this.#assertState(state);
    return this.#answer({ state, totals, records, blocks: [totals] }, (queries) => queries.netStats());
  }

  async chart(series: Parameters<ExplorerQueries["chart"]>[0]): Promise<Output<"getChart">> {
    const { state, rows } = await this.#read((reads) => reads.hours(CHART_HOURS[series.resolution], series.limit));
    if (state.first > 0) throw new ElsewhereError();
    this.#guard.assertCurrent(state);
    return this.#answer({ state, hours: rows }, (queries) => queries.chart(series));
  }

  async listBlocks(page: Parameters<ExplorerQueries["listBlocks"]>[0]): Promise<Output<"listBlocks">> {
    const { before = LAST_PLACE, limit } = page;
    const { state, rows } = await this.#read((reads) => reads.blocks(before, limit));
    this.#assertHas(state, before);
    assertFull(state, rows, limit);
    return this.#answer({ state, blocks: rows }, (queries) => queries.listBlocks(page)) as Output<"listBlocks">;
  }

  async getBlock(height: Height): Promise<Output<"getBlock">> {
    return this.#blockAnswer(await this.#read((reads) => reads.block(height)));
  }

  async getBlockByHash(hash: string): Promise<Output<"getBlock">> {
    return this.#blockAnswer(await this.#read((reads) => reads.blockOfHash(hash)));
  }

  async recentTransactions(limit: number): Promise<Output<"listRecentTransactions">> {
    const { state, rows } = await this.#read((reads) => reads.newest(limit));
    this.#guard.assertCurrent(state);
    assertFull(state, rows, limit);
    return this.#answer({ state, entries: rows }, (queries) => queries.recentTransactions(limit)) as Output<"listRecentTransactions">;
  }

  async getTransaction(id: string): Promise<NonNullable<Awaited<ReturnType<ExplorerQueries["getTransaction"]>>>> {
    const rows = await this.#transaction(id);
    return present(this.#answer(rows, (queries) => queries.getTransaction(id)));
  }

  async chainTransaction(id: string): Promise<NonNullable<Awaited<ReturnType<ExplorerQueries["chainTransaction"]>>>> {
    const rows = await this.#transaction(id);
    return present(this.#answer(rows, (queries) => queries.chainTransaction(id)));
  }

  async accountHistory(
    account: PublicKeyHex,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<Awaited<ReturnType<ExplorerQueries["accountHistory"]>>> {
    const { limit, offset } = page;
    // Entries that are skipped are read: the node numbers them, and does not.
    if (offset > EXPLORER_OFFSET) throw new ElsewhereError();
    const { state, rows, records } = await this.#read((reads) =>
      reads.entries({ account, fromSeq: 0, belowSeq: LAST_PLACE, order: "desc", limit, offset }),
    );
    this.#assertState(state);
    // An account that no block has named has its balance from genesis, or none.
    if (records.length === 0) throw new ElsewhereError();
    const loaded = { state, entries: rows, records };
    const total = this.#chain.with(loaded, () => readAccount(this.#chain.state, account).historyCount);
    if (rows.length < Math.min(limit, total - offset)) throw new ElsewhereError();
    return this.#answer(loaded, (queries) => queries.accountHistory(account, page)) as Awaited<
      ReturnType<ExplorerQueries["accountHistory"]>
    >;
  }

  async accountFeed(account: PublicKeyHex, range: HistoryRange): Promise<Awaited<ReturnType<ExplorerQueries["accountFeed"]>>> {
    const { limit, order, afterBlock = -1, beforeBlock = LAST_PLACE } = range;
    const [fromSeq, belowSeq] = [placeOf(afterBlock + 1), placeOf(beforeBlock)];
    const { state, rows } = await this.#read((reads) => reads.entries({ account, fromSeq, belowSeq, order, limit, offset: 0 }));
    this.#assertHas(state, beforeBlock);
    const isAbove = afterBlock + 1 >= state.first && beforeBlock > state.first;
    if (state.first > 0 && !isAbove && !(order === "desc" && rows.length === limit)) throw new ElsewhereError();
    return this.#answer({ state, entries: rows }, (queries) => queries.accountFeed(account, range)) as Awaited<
      ReturnType<ExplorerQueries["accountFeed"]>
    >;
  }

  #blockAnswer({ state, rows }: Held<Found<WholeBlockRow>>): Output<"getBlock"> {
    const [block] = rows;
    if (block === undefined) throw new ElsewhereError();
    const loaded = { state, blocks: [block], encoded: block.records };
    return present(this.#answer(loaded, (queries) => queries.getBlock(block.height))) as Output<"getBlock">;
  }

  async #transaction(id: string): Promise<LoadedRows> {
    const height = rewardHeight(id);
    const { state, rows } = await this.#read((reads) => (height === undefined ? reads.ofId(id) : reads.reward(height)));
    for (const row of rows) {
      const detail = detailOf(row);
      if (detail.id === id) return { state, detail, encoded: row.record === null ? [] : [row.record] };
    }
    throw new ElsewhereError();
  }

  /** Queries over loaded rows give their answer at once. */
  #answer<T>(rows: LoadedRows, query: (queries: ExplorerQueries) => T | Promise<T>): T {
    return this.#chain.with(rows, () => query(this.#queries)) as T;
  }

  /** Blocks below a height are final once they are here; what may be newer has to be the node's newest. */
  #assertHas(state: ExplorerState, belowHeight: Height): void {
    if (belowHeight > state.height + 1) this.#guard.assertCurrent(state);
  }

  /** Records of the state may be ahead of the blocks while these are filled in. */
  #assertState(state: ExplorerState): void {
    this.#guard.assertCurrent(state);
    if (state.recordsHeight !== state.height) throw new ElsewhereError();
  }

  #read<Row>(read: (reads: ExplorerReads) => Promise<Found<Row>>): Promise<Held<Found<Row>>> {
    return this.#guard.run(async () => this.#guard.held(await read(this.#dependencies.reads)));
  }
}

/** Where the first blocks are missing, only a page that is full lacks nothing. */
function assertFull({ first }: ExplorerState, rows: readonly unknown[], limit: number): void {
  if (first > 0 && rows.length < limit) throw new ElsewhereError();
}

function present<T>(found: T | undefined): T {
  if (found === undefined) throw new ElsewhereError();
  return found;
}

/** First place of a block, within what can be compared exactly. */
function placeOf(height: Height): number {
  return Math.min(height * SEQ_PER_BLOCK, LAST_PLACE);
}
