// SQL of what contracts logged, and of the index of events. Derived from blocks.
import type { Statement } from "better-sqlite3";
import type { ContractLog, LogPage, LogQuery } from "#node/queries/contract-logs.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { type EventFilter, isEventOf } from "#shared/protocol/transactions/contract-events.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { SEQ_PER_BLOCK } from "../chain-schema.ts";
import { type LoggedTransaction, LoggedTransactions } from "../history/records/logged-transactions.ts";
import { RecordRepository } from "../history/records/record-repository.ts";
import { FIRST_HEIGHT } from "../history/sealing/drop-marks.ts";
import { readTogether, type SqliteDatabase } from "../sqlite-database.ts";
import { filterKeys } from "./event-keys.ts";
import { type Bounds, boundsOf, COUNTED_ENTRIES, LINES_AT_ONCE, MAX_READ_BYTES, MAX_READ_LINES, positionOf } from "./log-bounds.ts";

/** A line that a successful call logged. */
export interface IndexedLog {
  readonly contractId: ContractId;
  /** Position of the transaction in its block. */
  readonly position: number;
  /** Position among the lines of the transaction. */
  readonly line: number;
  readonly message: string;
  /** What it is found by, nothing for a line that is no event; undefined when it is not indexed and may be one. */
  readonly keys: readonly number[] | undefined;
}

interface Row {
  readonly seq: number;
  readonly line: number;
}

interface BlockReference {
  readonly blockHash: HashHex;
  readonly blockTimeMs: number;
}

/** Reads and writes lines. */
export class ContractLogRepository {
  readonly #insert;
  readonly #insertAgain;
  readonly #insertEvent;
  readonly #remove;
  readonly #number;
  readonly #lines;
  readonly #events;
  readonly #count;
  readonly #block;
  readonly #firstHeight;
  readonly #together;
  readonly #records: RecordRepository;

  constructor(database: SqliteDatabase) {
    this.#firstHeight = database.prepare<[], number | null>(FIRST_HEIGHT).pluck();
    this.#together = readTogether(database);
    const insert = "INSERT INTO contract_logs (contract_num, seq, line, is_indexed) VALUES (?, ?, ?, ?)";
    this.#insert = database.prepare<[number, number, number, number]>(insert);
    this.#insertAgain = database.prepare<[number, number, number, number]>(`${insert} ON CONFLICT DO NOTHING`);
    this.#insertEvent = database.prepare<[number, number, number, number]>(
      "INSERT INTO contract_events (contract_num, key, seq, line) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    );
    this.#remove = [
      "DELETE FROM contract_logs WHERE contract_num IN (SELECT contract_num FROM contracts) AND seq >= ?",
      "DELETE FROM contract_events WHERE seq >= ?",
    ].map((sql) => database.prepare<[number]>(sql));
    this.#number = database.prepare<[string], number>("SELECT contract_num FROM contracts WHERE contract_id = unhex(?)").pluck();
    this.#lines = inBothOrders<Row>(
      database,
      (order) => `SELECT l.seq, l.line FROM contract_logs l WHERE ${within("l")} ORDER BY l.seq ${order}, l.line ${order} LIMIT @limit`,
    );
    // An entry of a line that is not marked as indexed was left behind when a program that does not know the index took blocks back. A line
    // that is indexed, and not by all keys of the filter, is none of it: its transaction, which may be in a file, is not read for that.
    this.#events = inBothOrders<Row & { readonly isThere: number }>(
      database,
      (order) => `SELECT p.seq, p.line, l.seq IS NOT NULL AND (p.is_indexed = 0 OR NOT EXISTS (
          SELECT 1 FROM json_each(@others) k WHERE NOT EXISTS (
            SELECT 1 FROM contract_events o WHERE o.contract_num = @contract AND o.key = k.value AND o.seq = p.seq AND o.line = p.line)
        )) AS isThere FROM (
        SELECT e.seq, e.line, 1 AS is_indexed FROM contract_events e WHERE ${within("e")} AND e.key = @key
        UNION ALL
        SELECT u.seq, u.line, 0 FROM contract_logs u INDEXED BY contract_logs_unindexed WHERE ${within("u")} AND u.is_indexed = 0
        ORDER BY 1 ${order}, 2 ${order} LIMIT @limit
      ) p LEFT JOIN contract_logs l ON l.contract_num = @contract AND l.seq = p.seq AND l.line = p.line AND l.is_indexed = p.is_indexed
      ORDER BY p.seq ${order}, p.line ${order}`,
    );
    this.#count = database
      .prepare<[number, number, number], number>(
        "SELECT COUNT(*) FROM (SELECT 1 FROM contract_events WHERE contract_num = ? AND key = ? LIMIT ?)",
      )
      .pluck();
    this.#block = database.prepare<[number], BlockReference>(
      "SELECT lower(hex(hash)) AS blockHash, time_ms AS blockTimeMs FROM blocks WHERE height = ?",
    );
    this.#records = new RecordRepository(database);
  }

  insert(height: Height, logs: readonly IndexedLog[]): void {
    this.#write(height, logs, this.#insert);
  }

  /** The same for a block that is not here yet, and may have been written before: no page shows a line before its block is here. */
  insertAhead(height: Height, logs: readonly IndexedLog[]): void {
    this.#write(height, logs, this.#insertAgain);
  }

  #write(height: Height, logs: readonly IndexedLog[], statement: LineInsertion): void {
    const numbers = new Map<ContractId, number>();
    for (const { contractId, position, line, keys } of logs) {
      const contract = numbers.get(contractId) ?? this.#numberOf(contractId);
      numbers.set(contractId, contract);
      const seq = height * SEQ_PER_BLOCK + position;
      statement.run(contract, seq, line, keys === undefined ? 0 : 1);
      for (const key of keys ?? []) this.#insertEvent.run(contract, key, seq, line);
    }
  }

  removeAbove(height: Height): void {
    for (const statement of this.#remove) statement.run((height + 1) * SEQ_PER_BLOCK);
  }

  /** A page of lines of blocks that are here; of a contract that is not there, nothing. */
  page(contractId: ContractId, query: LogQuery): LogPage {
    return this.#together(() => {
      const contract = this.#number.get(contractId);
      if (contract === undefined) return { logs: [], next: undefined };
      // Lines of dropped blocks go bit by bit.
      const held = { ...query, since: Math.max(query.since ?? 0, this.#firstHeight.get() ?? 0) };
      return held.filter === undefined ? this.#allLines(contract, held) : this.#eventsOf(contract, held, held.filter);
    });
  }

  #allLines(contract: number, query: LogQuery): LogPage {
    const rows = this.#lines[query.order].all({ ...boundsOf(query), contract, limit: query.limit });
    const transactions = new LoggedTransactions(this.#records);
    transactions.expect(rows);
    const logs: ContractLog[] = [];
    for (const row of rows) {
      logs.push(this.#logOf(row, transactions.at(row.seq)));
      if (transactions.bytes > MAX_READ_BYTES) return { logs, next: positionOf(row) };
    }
    return { logs, next: rows.length === query.limit ? positionOf(rows.at(-1)) : undefined };
  }

  #eventsOf(contract: number, query: LogQuery, filter: EventFilter): LogPage {
    const keys = filterKeys(filter);
    const key = this.#rarestOf(contract, keys);
    const others = JSON.stringify(keys.filter((other) => other !== key));
    const transactions = new LoggedTransactions(this.#records);
    const logs: ContractLog[] = [];
    let next = query.after;
    for (let read = 0; read < MAX_READ_LINES; read += LINES_AT_ONCE) {
      const bounds = boundsOf(next === undefined ? query : { ...query, after: next });
      const candidates = this.#events[query.order].all({ ...bounds, contract, key, others, limit: LINES_AT_ONCE });
      const lines = candidates.filter(({ isThere }) => isThere === 1);
      transactions.expect(lines);
      for (const row of lines) {
        const transaction = transactions.at(row.seq);
        const isFull = isEventOf(messageOf(transaction, row), filter) && logs.push(this.#logOf(row, transaction)) === query.limit;
        if (isFull || transactions.bytes > MAX_READ_BYTES) return { logs, next: positionOf(row) };
      }
      if (candidates.length < LINES_AT_ONCE) return { logs, next: undefined };
      next = positionOf(candidates.at(-1));
    }
    return { logs, next };
  }

  #rarestOf(contract: number, [first = 0, ...others]: readonly number[]): number {
    if (others.length === 0) return first;
    const counted = [first, ...others].map((key) => ({ key, count: this.#count.get(contract, key, COUNTED_ENTRIES) ?? 0 }));
    return counted.reduce((rarest, next) => (next.count < rarest.count ? next : rarest)).key;
  }

  #logOf(row: Row, transaction: LoggedTransaction): ContractLog {
    const at = positionOf(row);
    const block = this.#block.get(at.height);
    assertInvariant(block !== undefined, `The log names block ${at.height}, which is missing`);
    return { ...at, txId: transaction.txId, ...block, message: messageOf(transaction, row) };
  }

  #numberOf(contractId: ContractId): number {
    const number = this.#number.get(contractId);
    assertInvariant(number !== undefined, `The contract ${contractId} logged before it was deployed`);
    return number;
  }
}

function messageOf({ logs }: LoggedTransaction, { seq, line }: Row): string {
  const log = logs[line];
  assertInvariant(log !== undefined, `The log names line ${line} of the transaction ${seq}, which is missing`);
  return log.message;
}

type LineInsertion = Statement<[number, number, number, number]>;
type LineStatement<R> = Statement<[Bounds & { readonly key?: number; readonly others?: string }], R>;

function inBothOrders<R extends Row>(
  database: SqliteDatabase,
  sql: (order: string) => string,
): Readonly<Record<LogQuery["order"], LineStatement<R>>> {
  return { asc: database.prepare(sql("ASC")), desc: database.prepare(sql("DESC")) };
}

/** The simple comparisons lead SQLite to the range, the others end it exactly. */
function within(table: string): string {
  return `${table}.contract_num = @contract AND ${table}.seq >= @fromSeq AND ${table}.seq <= @toSeq
    AND (${table}.seq, ${table}.line) > (@fromSeq, @fromLine) AND (${table}.seq, ${table}.line) < (@toSeq, @toLine)`;
}
