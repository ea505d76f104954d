// Writing the explorer's index, and taking blocks out of it again.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { BLOCK_REWARD, type ListedType } from "#shared/protocol/transactions/transaction.ts";
import { SEQ_PER_BLOCK } from "../chain-schema.ts";
import { IdRepository } from "../history/records/id-repository.ts";
import { recordKind } from "../history/records/record-groups.ts";
import { RecordRepository } from "../history/records/record-repository.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";
import { AccountHistoryRepository } from "./account-history-repository.ts";
import { type ChannelChanges, ChannelIndexRepository, type OpenedChannel } from "./channel-index-repository.ts";
import { type BlockTotals, type ChartBucket, ChartRepository } from "./chart-repository.ts";
import { ContractIndexRepository, type ContractSummary, type IndexedContract } from "./contract-index-repository.ts";
import { ContractLogRepository, type IndexedLog } from "./contract-log-repository.ts";
import type { IndexedReward } from "./indexed-transaction.ts";

/** In whose history a transaction, or the reward of a block, is listed. */
export interface IndexedEntry {
  /** Position in the block; the reward is last. */
  readonly position: number;
  /** Keys of accounts. */
  readonly accounts: readonly string[];
}

/** What a block adds to the index. */
export interface BlockIndex {
  readonly height: Height;
  /** Ids of its transactions, in their order. */
  readonly ids: readonly string[];
  readonly entries: readonly IndexedEntry[];
  /** What it holds of each type, the reward included. */
  readonly types: readonly (readonly [type: ListedType, count: number])[];
  readonly reward: IndexedReward | undefined;
  /** Contact records that the block created or changed. */
  readonly contacts: readonly { readonly requesterPub: string; readonly recipientPub: string }[];
  /** What it adds to the series of charts. */
  readonly totals: BlockTotals;
  /** Who proposed it; undefined for genesis. */
  readonly proposer: string | undefined;
  /** Contracts that it brought, in the order of their deployment. */
  readonly contracts: readonly IndexedContract[];
  readonly logs: readonly IndexedLog[];
  readonly channels: ChannelChanges;
}

/** What blocks hold together that are below all others, as far as tables have it. */
export interface IndexBelow {
  readonly types: ReadonlyMap<ListedType, number>;
  /** Blocks by who proposed them. */
  readonly proposers: ReadonlyMap<string, number>;
  readonly hours: Iterable<ChartBucket>;
  /** In ascending order. */
  readonly blocks: readonly BlockBelow[];
}

/** One of them. */
export interface BlockBelow extends Pick<BlockIndex, "height" | "reward" | "channels"> {
  /** Contracts in the order of their deployment. */
  readonly deployed: readonly ContractId[];
}

/** What a chain begins with when it continues another one, as far as lists name it. */
export interface CarriedLists extends Pick<BlockIndex, "contacts"> {
  /** With the heights of their deployment on the chain that was carried. */
  readonly contracts: readonly ContractSummary[];
  /** Open ones. */
  readonly channels: readonly Omit<OpenedChannel, "position">[];
}

/** Position of the block reward: after every transaction. */
export const REWARD_POSITION = SEQ_PER_BLOCK - 1;

/** Prepared writing statements of the index. */
export class ExplorerWriter {
  readonly history: AccountHistoryRepository;
  readonly contracts: ContractIndexRepository;
  readonly contractLogs: ContractLogRepository;
  readonly channels: ChannelIndexRepository;
  readonly charts: ChartRepository;
  protected readonly ids: IdRepository;
  protected readonly records: RecordRepository;
  readonly #insertContact;
  readonly #insertReward;
  readonly #countType;
  readonly #countProposer;
  readonly #tipHeight;
  readonly #remove;

  /** @param historyEndBytes what {@link AccountHistoryRepository} may take of memory */
  constructor(database: SqliteDatabase, historyEndBytes?: number) {
    this.history = new AccountHistoryRepository(database, historyEndBytes);
    this.contracts = new ContractIndexRepository(database);
    this.contractLogs = new ContractLogRepository(database);
    this.channels = new ChannelIndexRepository(database);
    this.charts = new ChartRepository(database);
    this.ids = new IdRepository(database);
    this.records = new RecordRepository(database);
    this.#insertContact = database.prepare<[string, string]>(
      "INSERT INTO contact_pairs (requester, recipient) VALUES (unhex(?), unhex(?)) ON CONFLICT DO NOTHING",
    );
    this.#insertReward = database.prepare<[number, string, number]>(
      "INSERT INTO rewards (height, account_id, amount_ut) VALUES (?, (SELECT account_id FROM accounts WHERE pub = unhex(?)), ?)",
    );
    this.#countType = database.prepare<[string, number]>(
      "INSERT INTO type_totals (type, total) VALUES (?, ?) ON CONFLICT DO UPDATE SET total = total + excluded.total",
    );
    this.#countProposer = database.prepare<[string, number]>(
      "INSERT INTO proposer_totals (proposer, total) VALUES (unhex(?), ?) ON CONFLICT DO UPDATE SET total = total + excluded.total",
    );
    this.#tipHeight = database.prepare<[], number | null>("SELECT MAX(height) FROM blocks").pluck();
    this.#remove = [
      `UPDATE proposer_totals SET total = total - (SELECT COUNT(*) FROM blocks WHERE height > @height AND proposer = proposer_totals.proposer)`,
      `UPDATE type_totals SET total = total - (SELECT COUNT(*) FROM rewards WHERE height > @height) WHERE type = '${BLOCK_REWARD}'`,
      "DELETE FROM rewards WHERE height > @height",
    ].map((sql) => database.prepare<{ readonly height: number }>(sql));
  }

  /** Adds a block, whose row is stored, to the index. */
  insert(index: BlockIndex): void {
    const { height, ids, entries, types, reward, contacts, totals, proposer, contracts, logs, channels } = index;
    const base = height * SEQ_PER_BLOCK;
    this.ids.insert(height, ids);
    this.history.insert(entries.map(({ position, accounts }) => ({ seq: base + position, accounts })));
    if (reward !== undefined) this.#insertReward.run(height, reward.to, reward.amountUt);
    for (const [type, count] of types) this.#countType.run(type, count);
    for (const { requesterPub, recipientPub } of contacts) this.#insertContact.run(requesterPub, recipientPub);
    if (proposer !== undefined) this.#countProposer.run(proposer, 1);
    this.contracts.insert(height, contracts);
    this.contractLogs.insert(height, logs);
    this.channels.insert(height, channels);
    this.charts.insert(height, totals);
  }

  /** Adds what blocks below all others hold, but for ids and histories, which files have. */
  insertBelow({ types, proposers, hours, blocks }: IndexBelow): void {
    for (const [type, count] of types) this.#countType.run(type, count);
    for (const [proposer, count] of proposers) this.#countProposer.run(proposer, count);
    for (const hour of hours) this.charts.add(hour);
    for (const { height, reward, channels, deployed } of blocks) {
      if (reward !== undefined) {
        this.history.addAccount(reward.to);
        this.#insertReward.run(height, reward.to, reward.amountUt);
      }
      this.channels.insertBelow(height, channels);
      this.contracts.order(deployed);
    }
  }

  /** Keeps the ids of a block, whose row is stored and whose transactions are not. */
  insertIds(height: Height, ids: readonly string[]): void {
    this.ids.insert(height, ids);
  }

  /**
   * Adds what a chain begins with: it continues another one (then contracts were there at height 0), or its first blocks are not here.
   * Contracts in the order of their deployment.
   */
  insertCarried({ contacts = [], contracts = [], channels = [] }: Partial<CarriedLists>, isOtherChain = true): void {
    for (const { requesterPub, recipientPub } of contacts) this.#insertContact.run(requesterPub, recipientPub);
    for (const contract of contracts) this.contracts.insert(isOtherChain ? 0 : contract.deployedAt, [contract]);
    this.channels.insertCarried(channels);
  }

  /** Forgets what memory holds of the tables: to be called when blocks were taken back. */
  forget(): void {
    this.history.forget();
  }

  /**
   * Takes the blocks above a height out of the index, before they are taken out of the list of blocks. Contact pairs stay: the state says
   * which of them exist.
   */
  removeAbove(height: Height): void {
    this.forget();
    for (let removed = this.#tipHeight.get() ?? 0; removed > height; removed -= 1) this.#subtract(removed);
    this.contractLogs.removeAbove(height);
    this.contracts.removeAbove(height);
    this.charts.removeEmpty();
    this.history.removeFrom((height + 1) * SEQ_PER_BLOCK);
    this.channels.removeFrom((height + 1) * SEQ_PER_BLOCK);
    this.ids.removeAbove(height);
    for (const statement of this.#remove) statement.run({ height });
  }

  /** Takes the transactions of a block out of the totals. */
  #subtract(height: Height): void {
    const kinds = this.records.ofBlock(height).map(recordKind);
    for (const [type, of] of Map.groupBy(kinds, (kind) => kind.type)) this.#countType.run(type, -of.length);
    this.charts.remove(height, kinds.filter(({ isOk }) => !isOk).length);
  }
}
