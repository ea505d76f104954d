// Rows of the database in the form that every query of a node reads: so a gateway answers in the node's own words. A query runs at once over
// what was loaded for it.
import type { BlockReads, ChainReads, IndexReads, StateReads } from "#node/explorer/chain-reads.ts";
import type { BlockRecord } from "#node/storage/chain/block-repository.ts";
import { SEQ_PER_BLOCK } from "#node/storage/chain-schema.ts";
import type { BlockSummary } from "#node/storage/explorer/block-summary.ts";
import {
  type BlockReference,
  readDetail,
  readEntry,
  type TransactionDetail,
  type TransactionEntry,
} from "#node/storage/explorer/indexed-record.ts";
import { indexReward } from "#node/storage/explorer/indexed-transaction.ts";
import { readRecord } from "#node/storage/history/records/record-groups.ts";
import type { ExplorerState, RecordRow } from "#node/storage/mailbox/sharing/postgres/explorer/beside.ts";
import type { BlockRow, EntryRow, HoursRow, TotalsRow } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-reads.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { toHex } from "#shared/util/bytes.ts";

/** What was loaded for one query; what it does not ask for is left out. */
export interface LoadedRows {
  readonly state: ExplorerState;
  readonly blocks?: readonly BlockRow[];
  /** Transactions and rewards in the order of the answer. */
  readonly entries?: readonly EntryRow[];
  /** The one that was asked for. */
  readonly detail?: TransactionDetail;
  /** Transactions of the block that is asked for, as far as failures of calls in it are shown. */
  readonly encoded?: readonly Uint8Array[];
  readonly records?: readonly RecordRow[];
  readonly totals?: TotalsRow;
  readonly hours?: readonly HoursRow[];
}

/** The chain that queries are made over. */
export class LoadedChain implements ChainReads {
  readonly blocks: BlockReads = {
    tipHeight: () => this.#loaded.state.height,
    firstHeight: () => this.#loaded.state.first,
    summary: (height) => this.#blocks.find((block) => block.height === height),
    summaries: () => this.#blocks,
    heightOfHash: () => this.#blocks[0]?.height,
    // Queries read nothing of it but what its calls said.
    get: () => ({ receipts: (this.#loaded.encoded ?? []).map((record) => readRecord(record).receipt) }) as unknown as BlockRecord,
    header: notLoaded,
    commit: notLoaded,
  };
  readonly state: StateReads = { get: (namespace, key) => this.#record(namespace, key), next: notLoaded, each: notLoaded };
  readonly explorer: IndexReads = {
    recentTransactions: () => this.#entries,
    transaction: () => this.#loaded.detail,
    transactionsOf: (height) => this.#transactionsOf(height),
    historyPage: () => this.#entries,
    historyRange: () => this.#entries,
    // Ranges that may lack entries are not asked for here.
    historyFrom: () => 0,
    // Sums of a node that lacks blocks are read elsewhere.
    countedFrom: () => 1,
    typeTotals: () => new Map(Object.entries(this.#totals.types)),
    window: () => this.#totals,
    charts: { range: () => this.#loaded.hours?.[0], buckets: () => this.#loaded.hours ?? [] },
    recipientsOf: notLoaded,
    blocksProposedBy: notLoaded,
    proposerWindow: notLoaded,
    contracts: {
      list: notLoaded,
      count: notLoaded,
      earliestOfNames: notLoaded,
      named: notLoaded,
      earliestNamed: notLoaded,
      get: notLoaded,
    },
    contractLogs: { page: notLoaded },
    channels: { list: notLoaded, get: notLoaded },
  };
  readonly validatorSets: ChainReads["validatorSets"] = { at: notLoaded };
  #rows: LoadedRows | undefined;

  /** Runs a query over rows; it must not wait for anything. */
  with<T>(rows: LoadedRows, query: () => T): T {
    this.#rows = rows;
    try {
      return query();
    } finally {
      this.#rows = undefined;
    }
  }

  get #loaded(): LoadedRows {
    assertInvariant(this.#rows !== undefined, "A query runs at once over what was loaded for it");
    return this.#rows;
  }

  get #blocks(): readonly BlockSummary[] {
    return this.#loaded.blocks ?? [];
  }

  get #entries(): readonly TransactionEntry[] {
    return (this.#loaded.entries ?? []).map(entryOf);
  }

  get #totals(): TotalsRow {
    const { totals } = this.#loaded;
    assertInvariant(totals !== undefined, "Totals were loaded");
    return totals;
  }

  #transactionsOf(height: Height): readonly TransactionEntry[] {
    const block = this.#blocks.find((each) => each.height === height);
    if (block === undefined) return [];
    const reference = { blockHeight: height, blockHash: block.hash, blockTimeMs: block.timeMs };
    return (this.#loaded.encoded ?? []).map((record) => readEntry(record, reference));
  }

  #record(namespace: string, key: Uint8Array): Uint8Array | undefined {
    const name = toHex(key);
    const [, , value] = this.#loaded.records?.find(([space, each]) => space === namespace && each === name) ?? [];
    return value === undefined ? undefined : Buffer.from(value, "hex");
  }
}

/** A transaction with all that is known of it, or the reward of its block. */
export function detailOf(row: EntryRow): TransactionDetail {
  const reference = referenceOf(row);
  return row.record === null ? rewardOf(row, reference) : readDetail(row.record, reference);
}

function entryOf(row: EntryRow): TransactionEntry {
  const reference = referenceOf(row);
  if (row.record !== null) return readEntry(row.record, reference);
  const { payload: _payload, signature: _signature, ...entry } = rewardOf(row, reference);
  return entry;
}

function rewardOf({ rewardTo, rewardUt }: EntryRow, reference: BlockReference): TransactionDetail {
  assertInvariant(rewardTo !== null && rewardUt !== null, `Block ${reference.blockHeight} had a reward`);
  const { blockHeight: height, blockTimeMs: timeMs } = reference;
  return { ...indexReward({ height, timeMs }, { to: rewardTo, amountUt: rewardUt }), ...reference };
}

function referenceOf({ seq, hash, timeMs }: EntryRow): BlockReference {
  return { blockHeight: Math.floor(seq / SEQ_PER_BLOCK), blockHash: hash, blockTimeMs: timeMs };
}

function notLoaded(): never {
  assertInvariant(false, "This is read at a node");
}
