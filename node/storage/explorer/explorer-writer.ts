// Writing the explorer's index, and taking blocks out of it again.
import type { Height } from "#shared/protocol/chain/header.ts";
import { gasPriceUt } from "#shared/protocol/transactions/contracts.ts";
import type { ListedType } from "#shared/protocol/transactions/transaction.ts";
import { SEQ_PER_BLOCK } from "../chain-schema.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";
import { AccountHistoryRepository } from "./account-history-repository.ts";
import { type ChannelChanges, ChannelIndexRepository, type OpenedChannel } from "./channel-index-repository.ts";
import { type BlockTotals, ChartRepository } from "./chart-repository.ts";
import { ContractIndexRepository, type IndexedContract } from "./contract-index-repository.ts";
import { ContractLogRepository, type IndexedLog } from "./contract-log-repository.ts";
import { transactionKey } from "./transaction-key.ts";

/** A transaction, or the reward of a block, as the index stores it. */
export interface IndexedTransaction {
  /** Position in the block; the reward is last. */
  readonly position: number;
  readonly id: string;
  readonly type: ListedType;
  /** "" for a block reward. */
  readonly from: string;
  /** "" when the type has no recipient. */
  readonly to: string;
  readonly amountUt: number;
  /** What it paid to the proposer: its fee and the price of its gas. */
  readonly feeUt: number;
  /** The sender's time, `YYYY-MM-DDThh:mm:ssZ`; the block's for a reward. */
  readonly timestamp: string;
  /** Signed memo of a transfer, or "". */
  readonly memo: string;
  /** False when a rule forbade it: it changed nothing and paid its fee. */
  readonly isOk: boolean;
  /** Stable failure code, "" on success. */
  readonly code: string;
  readonly gasUsed: number;
  /** Base64 of the JSON payload, "" when there is none. */
  readonly payload: string;
  /** Base64 of 64 bytes, "" for a block reward. */
  readonly signature: string;
  /** Keys in whose history it is listed. */
  readonly accounts: readonly string[];
}

/** What a block adds to the index. */
export interface BlockIndex {
  readonly height: Height;
  readonly transactions: readonly IndexedTransaction[];
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

/** What a chain begins with when it continues another one, as far as lists name it. */
export interface CarriedLists extends Pick<BlockIndex, "contacts" | "contracts"> {
  /** Open ones. */
  readonly channels: readonly Omit<OpenedChannel, "position">[];
}

/** Position of the block reward: after every transaction. */
export const REWARD_POSITION = SEQ_PER_BLOCK - 1;

type TransactionParameters = [
  number,
  number,
  string,
  string,
  string,
  string,
  number,
  number,
  string,
  string,
  number,
  string,
  number,
  string,
  string,
];

/** Prepared writing statements of the index. */
export class ExplorerWriter {
  readonly history: AccountHistoryRepository;
  readonly contracts: ContractIndexRepository;
  readonly contractLogs: ContractLogRepository;
  readonly channels: ChannelIndexRepository;
  readonly charts: ChartRepository;
  readonly #insertTransaction;
  readonly #insertContact;
  readonly #countType;
  readonly #countProposer;
  readonly #remove;

  constructor(database: SqliteDatabase) {
    this.history = new AccountHistoryRepository(database);
    this.contracts = new ContractIndexRepository(database);
    this.contractLogs = new ContractLogRepository(database);
    this.channels = new ChannelIndexRepository(database);
    this.charts = new ChartRepository(database);
    this.#insertTransaction = database.prepare<TransactionParameters>(
      `INSERT INTO transactions
        (seq, id_key, id, type, from_pub, to_pub, amount_ut, fee_ut, timestamp, memo, is_ok, code, gas_used, payload, signature)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertContact = database.prepare<[string, string]>(
      "INSERT INTO contact_pairs (requester_pub, recipient_pub) VALUES (?, ?) ON CONFLICT DO NOTHING",
    );
    this.#countType = database.prepare<[string, number]>(
      "INSERT INTO type_totals (type, total) VALUES (?, ?) ON CONFLICT DO UPDATE SET total = total + excluded.total",
    );
    this.#countProposer = database.prepare<[string]>(
      "INSERT INTO proposer_totals (proposer, total) VALUES (?, 1) ON CONFLICT DO UPDATE SET total = total + 1",
    );
    this.#remove = [
      `UPDATE proposer_totals SET total = total - (SELECT COUNT(*) FROM blocks WHERE height >= @seq / ${SEQ_PER_BLOCK} AND proposer = proposer_totals.proposer)`,
      `UPDATE type_totals SET total = total - (SELECT COUNT(*) FROM transactions WHERE seq >= @seq AND type = type_totals.type)`,
      "DELETE FROM transactions WHERE seq >= @seq",
    ].map((sql) => database.prepare<{ readonly seq: number }>(sql));
  }

  /** Adds a block to the index. */
  insert({ height, transactions, contacts, totals, proposer, contracts, logs, channels }: BlockIndex): void {
    const base = height * SEQ_PER_BLOCK;
    for (const tx of transactions) {
      this.#insertTransaction.run(
        base + tx.position,
        transactionKey(tx.id),
        tx.id,
        tx.type,
        tx.from,
        tx.to,
        tx.amountUt,
        // Without the gas, which has a column of its own.
        tx.feeUt - gasPriceUt(tx.gasUsed),
        tx.timestamp,
        tx.memo,
        tx.isOk ? 1 : 0,
        tx.code,
        tx.gasUsed,
        tx.payload,
        tx.signature,
      );
    }
    this.history.insert(transactions.map(({ position, accounts }) => ({ seq: base + position, accounts })));
    for (const [type, count] of countBy(transactions.map((tx) => tx.type))) this.#countType.run(type, count);
    for (const { requesterPub, recipientPub } of contacts) this.#insertContact.run(requesterPub, recipientPub);
    if (proposer !== undefined) this.#countProposer.run(proposer);
    this.contracts.insert(height, contracts);
    this.contractLogs.insert(height, logs);
    this.channels.insert(height, channels);
    this.charts.insert(height, totals);
  }

  /** Adds what a chain begins with when it continues another one; contracts in the order of their deployment. */
  insertCarried({ contacts = [], contracts = [], channels = [] }: Partial<CarriedLists>): void {
    for (const { requesterPub, recipientPub } of contacts) this.#insertContact.run(requesterPub, recipientPub);
    this.contracts.insert(0, contracts);
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
    this.contractLogs.removeAbove(height);
    this.contracts.removeAbove(height);
    this.charts.removeAbove(height);
    this.history.removeFrom((height + 1) * SEQ_PER_BLOCK);
    this.channels.removeFrom((height + 1) * SEQ_PER_BLOCK);
    for (const statement of this.#remove) statement.run({ seq: (height + 1) * SEQ_PER_BLOCK });
  }
}

function countBy(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
