// Reads of what lies beside blocks in the explorer: records of the state, the list of contracts, lines of calls. Each is one statement.
import type { ContractLog, LogPage, LogQuery } from "#node/queries/contract-logs.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/primitives/limits.ts";
import { type EventFilter, isEventOf } from "#shared/protocol/transactions/contract-events.ts";
import { type ContractId, isContractId } from "#shared/protocol/transactions/contracts.ts";
import { fromUtf8, utf8 } from "#shared/util/bytes.ts";
import { SEQ_PER_BLOCK } from "../../../../chain-schema.ts";
import type { ContractSummary } from "../../../../explorer/contract-index-repository.ts";
import { filterKeys } from "../../../../explorer/event-keys.ts";
import { boundsOf, COUNTED_ENTRIES, LINES_AT_ONCE, MAX_READ_LINES, positionOf } from "../../../../explorer/log-bounds.ts";
import { recordId } from "../../../../history/records/record-groups.ts";
import type { PostgresDatabase } from "../postgres-database.ts";
import { type Statement, statement } from "../statement-batch.ts";
import { beside, type Found, readBeside } from "./beside.ts";

/** Bytes of keys and values of one range, and of the values that come along: longer ones are read by their keys. */
export const RANGE_BYTES = 1_048_576;
export const SHORT_VALUE_BYTES = 256;
/** Bytes of a record in which the longest id ends, behind the heads of the record and of the id. */
const ID_BYTES = MAX_TX_ID_CHARS + 16;
/** Of no contract. */
const NO_ID = "00";

/** A record that was asked for. */
export interface RecordKey {
  readonly namespace: string;
  readonly key: Uint8Array;
}

/** Records of a namespace from one key on, those whose keys begin with a prefix. */
export interface RecordRange {
  readonly namespace: string;
  readonly from: Uint8Array;
  /** The first key beyond; undefined for the end of the namespace. */
  readonly to: Uint8Array | undefined;
  readonly limit: number;
}

/** A record that was found. */
export interface RecordValue extends RecordKey {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** A record of a range; without a value that is long. */
export interface RangeRecord {
  readonly key: Buffer;
  readonly value: Buffer | null;
}

interface ContractRow {
  readonly id: string;
  readonly name: Buffer;
  readonly version: Buffer;
  readonly height: number;
}

interface LogRow {
  readonly seq: number;
  readonly line: number;
  readonly message: Buffer;
  /** The beginning of the record of its transaction, which holds its id. */
  readonly record: Buffer;
  readonly hash: string;
  readonly timeMs: number;
}

const RECORDS = beside(
  "state_records",
  `SELECT s.namespace, s.key, s.value FROM unnest($1::text[], $2::bytea[]) k(namespace, key)
    JOIN explorer_records s ON s.namespace = k.namespace AND s.key = k.key`,
  { order: "1" },
);
const RANGE = beside(
  "state_range",
  `SELECT key, value FROM (
      SELECT key, value, sum(length(key) + coalesce(length(value), 0)) OVER (ORDER BY key ROWS UNBOUNDED PRECEDING) AS bytes FROM (
        SELECT key, CASE WHEN length(value) <= ${SHORT_VALUE_BYTES} THEN value END AS value FROM explorer_records
        WHERE namespace = $1 AND key >= $2 AND ($3::bytea IS NULL OR key < $3) ORDER BY key LIMIT $4
      ) first
    ) counted WHERE bytes - length(key) - coalesce(length(value), 0) < ${RANGE_BYTES}`,
  { order: "r.key" },
);
const CONTRACT = "encode(c.id, 'hex') AS id, c.name, c.version, c.height, c.num";
const NUMBER_OF = "(SELECT num FROM explorer_contracts WHERE id = decode($1, 'hex'))";
const LIST = {
  asc: beside(
    "contracts_asc",
    `SELECT ${CONTRACT} FROM explorer_contracts c WHERE c.num > CASE $1 WHEN '' THEN 0 ELSE ${NUMBER_OF} END ORDER BY c.num LIMIT $2`,
    { order: "r.num" },
  ),
  desc: beside(
    "contracts_desc",
    `SELECT ${CONTRACT} FROM explorer_contracts c WHERE $1 = '' OR c.num < ${NUMBER_OF} ORDER BY c.num DESC LIMIT $2`,
    { order: "r.num DESC" },
  ),
};
const EARLIEST = beside(
  "contracts_earliest",
  `SELECT ${CONTRACT} FROM explorer_contracts c WHERE c.num IN (SELECT min(num) FROM explorer_contracts GROUP BY name) ORDER BY c.num LIMIT $1`,
  { order: "r.num" },
);
const NAMED = beside(
  "contracts_named",
  `SELECT ${CONTRACT} FROM explorer_contracts c WHERE c.name >= $1 AND c.name <= $2 ORDER BY c.name, c.num LIMIT $3`,
  { order: "r.name, r.num" },
);
const BY_ID = beside("contract_of_id", `SELECT ${CONTRACT} FROM explorer_contracts c WHERE c.id = decode($1, 'hex')`, { order: "1" });
const COUNT = beside("contracts_count", "SELECT count(*) AS total FROM explorer_contracts", { order: "1" });

const within = (table: string): string => `${table}.contract = decode($1, 'hex') AND (${table}.seq, ${table}.line) > ($2, $3)
  AND (${table}.seq, ${table}.line) < ($4, $5)`;
/** Of lines `p` of a contract, with their transactions and blocks: of a long record nothing but its id, which comes with each line. */
const lines = (
  order: string,
): string => `SELECT p.seq, p.line, p.message, substr(t.record, 1, ${ID_BYTES}) AS record, encode(b.hash, 'hex') AS hash, b.time_ms AS "timeMs"
  FROM p JOIN explorer_transactions t ON t.seq = p.seq JOIN explorer_blocks b ON b.height = p.seq / ${SEQ_PER_BLOCK}
  ORDER BY p.seq ${order}, p.line ${order}`;
const linesIn = (order: "ASC" | "DESC"): Statement =>
  beside(
    `contract_lines_${order.toLowerCase()}`,
    `WITH p AS (SELECT l.seq, l.line, l.message FROM explorer_logs l WHERE ${within("l")} ORDER BY l.seq ${order}, l.line ${order} LIMIT $6)
      ${lines(order)}`,
    { order: `r.seq ${order}, r.line ${order}` },
  );
const eventsIn = (order: "ASC" | "DESC"): Statement =>
  beside(
    `contract_events_${order.toLowerCase()}`,
    `WITH found AS (
        (SELECT e.seq, e.line FROM explorer_events e WHERE ${within("e")} AND e.key = $7 ORDER BY e.seq ${order}, e.line ${order} LIMIT $6)
        UNION ALL
        (SELECT u.seq, u.line FROM explorer_logs u WHERE ${within("u")} AND NOT u.is_indexed ORDER BY u.seq ${order}, u.line ${order} LIMIT $6)
        ORDER BY 1 ${order}, 2 ${order} LIMIT $6
      ), p AS (
        SELECT l.seq, l.line, l.message FROM found JOIN explorer_logs l ON l.contract = decode($1, 'hex') AND l.seq = found.seq AND l.line = found.line
      ) ${lines(order)}`,
    { order: `r.seq ${order}, r.line ${order}` },
  );
const LINES = { asc: linesIn("ASC"), desc: linesIn("DESC") };
const EVENTS = { asc: eventsIn("ASC"), desc: eventsIn("DESC") };
const RAREST = statement(
  "contract_events_rarest",
  `SELECT k.key FROM unnest($2::bigint[]) WITH ORDINALITY k(key, n), LATERAL (
      SELECT count(*) AS found FROM (SELECT 1 FROM explorer_events e WHERE e.contract = decode($1, 'hex') AND e.key = k.key LIMIT ${COUNTED_ENTRIES}) counted
    ) c ORDER BY c.found, k.n LIMIT 1`,
);

/** What a read of one value found. */
export interface FoundValue<T> extends Pick<Found<never>, "state"> {
  readonly value: T;
}

/** The rest of the explorer of a database. */
export class StateReads {
  readonly #database: Pick<PostgresDatabase, "run">;

  constructor(database: Pick<PostgresDatabase, "run">) {
    this.#database = database;
  }

  /** Those that there are, in any order. */
  records(keys: readonly RecordKey[]): Promise<Found<RecordValue>> {
    const values = [keys.map(({ namespace }) => namespace), keys.map(({ key }) => Buffer.from(key))];
    return readBeside(this.#database, RECORDS, { values, always: "key" });
  }

  /** In the order of their keys: fewer than the limit where they end, or would be large. */
  range({ namespace, from, to, limit }: RecordRange): Promise<Found<RangeRecord>> {
    const values = [namespace, Buffer.from(from), to === undefined ? null : Buffer.from(to), limit];
    return readBeside(this.#database, RANGE, { values, always: "key" });
  }

  /** Behind any text that is no contract's there is none. */
  contracts(limit: number, after: string, order: "asc" | "desc"): Promise<FoundValue<readonly ContractSummary[]>> {
    return this.#contracts(LIST[order], [after === "" || isContractId(after) ? after : NO_ID, limit]);
  }

  earliestOfNames(limit: number): Promise<FoundValue<readonly ContractSummary[]>> {
    return this.#contracts(EARLIEST, [limit]);
  }

  /** Those whose names lie between two texts, which count. */
  named(from: string, to: string, limit: number): Promise<FoundValue<readonly ContractSummary[]>> {
    return this.#contracts(NAMED, [Buffer.from(utf8(from)), Buffer.from(utf8(to)), limit]);
  }

  contract(id: ContractId): Promise<FoundValue<readonly ContractSummary[]>> {
    return this.#contracts(BY_ID, [id]);
  }

  async contractsCount(): Promise<FoundValue<number>> {
    const found = await readBeside<{ readonly total: number }>(this.#database, COUNT, { values: [], always: "total" });
    return { state: found.state, value: found.rows[0]?.total ?? 0 };
  }

  /** Lines of a contract as a node pages through them. */
  async logs(contractId: ContractId, query: LogQuery): Promise<FoundValue<LogPage>> {
    const { filter } = query;
    if (filter !== undefined) return await this.#eventsOf(contractId, query, filter);
    const { state, rows } = await this.#lines(LINES[query.order], [contractId, ...boundaryOf(query), query.limit]);
    return { state, value: { logs: rows.map(logOf), next: rows.length === query.limit ? positionOf(rows.at(-1)) : undefined } };
  }

  async #eventsOf(contractId: ContractId, query: LogQuery, filter: EventFilter): Promise<FoundValue<LogPage>> {
    const [rarest] = await this.#database.run<{ readonly key: number }>(RAREST, [contractId, filterKeys(filter)]);
    const logs: ContractLog[] = [];
    let next = query.after;
    let state: FoundValue<LogPage>["state"];
    for (let read = 0; read < MAX_READ_LINES; read += LINES_AT_ONCE) {
      const bounds = boundaryOf(next === undefined ? query : { ...query, after: next });
      const found = await this.#lines(EVENTS[query.order], [contractId, ...bounds, LINES_AT_ONCE, rarest?.key ?? 0]);
      // What a replica that is behind does not find may be at another one: the page ends where all is of one moment.
      if (state !== undefined && found.state?.height !== state.height) return { state, value: { logs, next } };
      state = found.state;
      for (const row of found.rows)
        if (isEventOf(fromUtf8(row.message), filter) && logs.push(logOf(row)) === query.limit)
          return { state, value: { logs, next: positionOf(row) } };
      if (found.rows.length < LINES_AT_ONCE) return { state, value: { logs, next: undefined } };
      next = positionOf(found.rows.at(-1));
    }
    return { state, value: { logs, next } };
  }

  #lines(query: Statement, values: readonly unknown[]): Promise<Found<LogRow>> {
    return readBeside<LogRow>(this.#database, query, { values, always: "seq" });
  }

  async #contracts(query: Statement, values: readonly unknown[]): Promise<FoundValue<readonly ContractSummary[]>> {
    const { state, rows } = await readBeside<ContractRow>(this.#database, query, { values, always: "id" });
    return {
      state,
      value: rows.map(({ id, name, version, height }) => ({ id, name: fromUtf8(name), version: fromUtf8(version), deployedAt: height })),
    };
  }
}

function boundaryOf(query: LogQuery): readonly number[] {
  const { fromSeq, fromLine, toSeq, toLine } = boundsOf(query);
  return [fromSeq, fromLine, toSeq, toLine];
}

function logOf(row: LogRow): ContractLog {
  const { record, hash, timeMs, message } = row;
  return { ...positionOf(row), txId: recordId(record), blockHash: hash, blockTimeMs: timeMs, message: fromUtf8(message) };
}
