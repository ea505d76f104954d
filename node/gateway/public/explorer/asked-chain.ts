// A chain in the form that every query of a node reads, of which is known what was read for one request. A query runs at once, with nothing in
// the place of what is not known; that is noted, and read before the query runs again.
import type { BlockReads, ChainReads, IndexReads, StateReads } from "#node/explorer/chain-reads.ts";
import type { StateEntry } from "#node/ledger/state-view.ts";
import type { LogPage } from "#node/queries/contract-logs.ts";
import type { BlockSummary } from "#node/storage/explorer/block-summary.ts";
import type { ContractSummary } from "#node/storage/explorer/contract-index-repository.ts";
import type { TransactionDetail } from "#node/storage/explorer/indexed-record.ts";
import type { ExplorerState } from "#node/storage/mailbox/sharing/postgres/explorer/beside.ts";
import type { ExplorerReads } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-reads.ts";
import type { RecordKey, RecordRange, StateReads as StoredState } from "#node/storage/mailbox/sharing/postgres/explorer/state-reads.ts";
import type { BlockHeader } from "#shared/protocol/chain/header.ts";
import { rewardHeight } from "#shared/protocol/transactions/transaction-id.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { FIRST_RANGE, LARGEST_RANGE, STATE_KEYS } from "../gateway-limits.ts";
import { ElsewhereError } from "./elsewhere-error.ts";
import type { Stated } from "./guarded-reads.ts";
import { KnownRecords } from "./known-records.ts";
import { detailOf } from "./loaded-chain.ts";

/** Where to read. */
export interface ExplorerSources {
  readonly reads: ExplorerReads;
  readonly state: StoredState;
}

/** A query cannot continue before something is read. */
export class MissingError extends Error {}

type Fetched<T> = Stated & { readonly value: T };

const NO_LINES: LogPage = { logs: [], next: undefined };
const GROWTH = 4;
/** A byte above all of a text. */
const LAST = "\u{10ffff}";

/** What is known for one request, of one moment. */
export class AskedRows {
  readonly records = new KnownRecords();
  /** Undefined until something was read. */
  state: ExplorerState | undefined;
  readonly #sources: ExplorerSources;
  readonly #others = new Map<string, unknown>();
  #keys: RecordKey[] = [];
  #missing = new Map<string, () => Promise<Stated>>();
  #rangeLimit = FIRST_RANGE;

  constructor(sources: ExplorerSources) {
    this.#sources = sources;
  }

  /** True when a query has got everything that it asked for. */
  get isComplete(): boolean {
    return this.#keys.length === 0 && this.#missing.size === 0;
  }

  /** @throws MissingError before anything was read */
  get moment(): ExplorerState {
    if (this.state !== undefined) return this.state;
    this.#missing.set("state", async () => ({ state: await this.#sources.reads.state() }));
    throw new MissingError();
  }

  /** Something of the database, or what stands for it until it was read. */
  other<T>(name: string, otherwise: T, fetch: (sources: ExplorerSources) => Promise<Fetched<T>>): T {
    if (this.#others.has(name)) return this.#others.get(name) as T;
    this.#missing.set(name, async () => {
      const { state, value } = await fetch(this.#sources);
      this.#others.set(name, value);
      return { state };
    });
    return otherwise;
  }

  value(namespace: string, key: Uint8Array): Uint8Array | undefined {
    // A copy of the state has no modules: nothing may stand for one.
    if (namespace === "contract_code") throw new ElsewhereError();
    const known = this.records.look(namespace, key);
    if (known === undefined && this.#keys.length < STATE_KEYS) this.#keys.push({ namespace, key: key.slice() });
    return known?.value;
  }

  /** @throws MissingError where it is not known: nothing can stand for the end of a list */
  next(namespace: string, prefix: Uint8Array, after: Uint8Array | undefined): StateEntry | undefined {
    const found = this.records.next(namespace, prefix, { after, longValue: (key) => this.value(namespace, key) });
    if ("entry" in found) return found.entry;
    const range: RecordRange = { namespace, ...found, limit: this.#rangeLimit };
    this.#missing.set("range", async () => {
      const { state, rows } = await this.#sources.state.range(range);
      this.records.noteRange(range, rows);
      return { state };
    });
    this.#rangeLimit = Math.min(LARGEST_RANGE, this.#rangeLimit * GROWTH);
    throw new MissingError();
  }

  /** Reads what was missing; gives how the blocks stood at each of these reads. */
  async fetch(): Promise<readonly Stated[]> {
    const keys = this.#keys;
    const fetches = [...this.#missing.values()];
    [this.#keys, this.#missing] = [[], new Map()];
    if (keys.length > 0)
      fetches.push(async () => {
        const { state, rows } = await this.#sources.state.records(keys);
        this.records.note(keys, rows);
        return { state };
      });
    return await Promise.all(fetches.map((fetch) => fetch()));
  }
}

/** The chain that queries are made over. */
export class AskedChain implements ChainReads {
  readonly blocks: BlockReads = {
    tipHeight: () => this.#asked.moment.height,
    firstHeight: () => this.#asked.moment.first,
    summary: (height) => this.#summary(height),
    heightOfHash: (hash) => this.#summaryOfHash(hash)?.height,
    // Queries read nothing of it but the version.
    header: () => ({ version: this.#asked.moment.rulesVersion }) as unknown as BlockHeader,
    summaries: elsewhere,
    get: elsewhere,
    commit: elsewhere,
  };
  readonly state: StateReads = {
    get: (namespace, key) => this.#asked.value(namespace, key),
    next: (namespace, prefix, after) => this.#asked.next(namespace, prefix, after),
    each: elsewhere,
  };
  readonly explorer: IndexReads = {
    transaction: (id) => this.#transaction(id),
    contracts: {
      list: (limit, after = "", order = "asc") =>
        this.#contracts(`contracts ${limit} ${after} ${order}`, ({ state }) => state.contracts(limit, after, order)),
      count: () => this.#asked.other("count", 0, ({ state }) => state.contractsCount()),
      earliestOfNames: (limit) => this.#contracts(`earliest ${limit}`, ({ state }) => state.earliestOfNames(limit)),
      named: (beginning, limit) =>
        this.#contracts(`named ${limit} ${beginning}`, ({ state }) => state.named(beginning, `${beginning}${LAST}`, limit)),
      earliestNamed: (name) => this.#contracts(`earliest of ${name}`, ({ state }) => state.named(name, name, 1))[0],
      get: (id) => this.#contracts(`contract ${id}`, ({ state }) => state.contract(id))[0],
    },
    contractLogs: {
      page: (id, query) => {
        const { logsFirst, first } = this.#asked.moment;
        if (logsFirst > first) throw new ElsewhereError();
        return this.#asked.other(`logs ${id} ${JSON.stringify(query)}`, NO_LINES, ({ state }) => state.logs(id, query));
      },
    },
    recentTransactions: elsewhere,
    transactionsOf: elsewhere,
    historyPage: elsewhere,
    historyRange: elsewhere,
    historyFrom: elsewhere,
    countedFrom: elsewhere,
    typeTotals: elsewhere,
    window: elsewhere,
    charts: { range: elsewhere, buckets: elsewhere },
    recipientsOf: elsewhere,
    blocksProposedBy: elsewhere,
    proposerWindow: elsewhere,
    channels: { list: elsewhere, get: elsewhere },
  };
  readonly validatorSets: ChainReads["validatorSets"] = { at: elsewhere };
  #rows: AskedRows | undefined;

  /** Runs a query over what is known; it must not wait for anything. */
  with<T>(rows: AskedRows, query: () => T): T {
    this.#rows = rows;
    try {
      return query();
    } finally {
      this.#rows = undefined;
    }
  }

  get #asked(): AskedRows {
    assertInvariant(this.#rows !== undefined, "A query runs at once over what is known");
    return this.#rows;
  }

  #summary(height: number): BlockSummary | undefined {
    const { first, height: newest } = this.#asked.moment;
    if (height < first) throw new ElsewhereError();
    if (height > newest) return undefined;
    return this.#asked.other<BlockSummary | undefined>(`block ${height}`, undefined, async ({ reads }) => {
      const { state, rows } = await reads.blocks(height + 1, 1);
      return { state, value: rows[0] };
    });
  }

  #summaryOfHash(hash: string): BlockSummary | undefined {
    const { first } = this.#asked.moment;
    return this.#asked.other<BlockSummary | undefined>(`hash ${hash}`, undefined, async ({ reads }) => {
      const { state, rows } = await reads.blockOfHash(hash);
      return { state, value: foundOr(rows[0], first) };
    });
  }

  #transaction(id: string): TransactionDetail | undefined {
    const { first } = this.#asked.moment;
    const height = rewardHeight(id);
    return this.#asked.other<TransactionDetail | undefined>(`transaction ${id}`, undefined, async ({ reads }) => {
      const { state, rows } = await (height === undefined ? reads.ofId(id) : reads.reward(height));
      const details = rows.map(detailOf);
      return {
        state,
        value: foundOr(
          details.find((detail) => detail.id === id),
          first,
        ),
      };
    });
  }

  #contracts(name: string, fetch: (sources: ExplorerSources) => Promise<Fetched<readonly ContractSummary[]>>): readonly ContractSummary[] {
    return this.#asked.other<readonly ContractSummary[]>(name, [], fetch);
  }
}

/** Where the first blocks are missing, what is not found may lie there. */
function foundOr<T>(found: T | undefined, first: number): T | undefined {
  if (found === undefined && first > 0) throw new ElsewhereError();
  return found;
}

function elsewhere(): never {
  throw new ElsewhereError();
}
