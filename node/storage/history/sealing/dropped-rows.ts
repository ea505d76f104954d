// What the tables forget and keep of blocks that are dropped. Totals, charts and each account's newest entry stay: what follows counts on.
import type { Height } from "#shared/protocol/chain/header.ts";
import { SEQ_PER_BLOCK } from "../../chain-schema.ts";
import { inImmediateTransaction, type SqliteDatabase } from "../../sqlite-database.ts";
import type { NamedSegment } from "../segments/segment-file.ts";
import { DROPPED_TO, FIRST_HEADER, FIRST_HEADER_HEIGHT } from "./drop-marks.ts";
import type { DroppedFiles, DropTables, KeptHeader } from "./drop-segments.ts";
import type { KeptRows } from "./kept-rows.ts";
import { KEPT_HEADERS } from "./retention-border.ts";
import type { SealedHistory } from "./sealed-history.ts";
import type { RunKindName, StoredRun } from "./sealed-runs.ts";

/** Heights whose rows one transaction removes at most: others write blocks meanwhile. */
export const ROWS_AT_ONCE = 1_000;

/** Entry of the table `meta`: so far are headers removed. */
const THINNED_TO = "thinned_to";

/** What is read of blocks before they go, and where entries of own accounts stay. */
export interface DropReads extends Pick<DropTables, "header"> {
  readonly kept: Pick<KeptRows, "keep" | "hasKept">;
}

/** Writes through a connection of its own. */
export class DroppedRows implements DropTables {
  readonly #database: SqliteDatabase;
  readonly #history: SealedHistory;
  readonly #reads: DropReads;
  readonly #lowest;
  readonly #insertHeader;
  readonly #forget;
  readonly #forgetRun;
  readonly #note;
  readonly #firstHeader;
  readonly #thinnedTo;
  readonly #thin;

  constructor(database: SqliteDatabase, history: SealedHistory, reads: DropReads) {
    this.#database = database;
    this.#history = history;
    this.#reads = reads;
    this.#lowest = ["SELECT MIN(height) FROM block_bodies", `SELECT MIN(seq) / ${SEQ_PER_BLOCK} FROM block_records`].map((sql) =>
      database.prepare<[], number | null>(sql).pluck(),
    );
    this.#insertHeader = database.prepare<[number, Uint8Array, Uint8Array | null]>(
      "INSERT INTO headers (height, header, commit_record) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    );
    this.#forget = [
      "DELETE FROM segments WHERE last <= @last",
      "DELETE FROM rewards WHERE height <= @last",
      `DELETE FROM channels WHERE close_seq < (@last + 1) * ${SEQ_PER_BLOCK}`,
    ].map((sql) => database.prepare<{ readonly last: number }>(sql));
    this.#forgetRun = database.prepare<[string, number, number]>("DELETE FROM runs WHERE kind = ? AND first = ? AND last = ?");
    this.#note = database.prepare<[string, string]>(
      "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    );
    this.#firstHeader = database.prepare<[], number | null>(FIRST_HEADER_HEIGHT).pluck();
    this.#thinnedTo = database
      .prepare<[], number | null>(
        `SELECT COALESCE((SELECT CAST(value AS INTEGER) FROM meta WHERE name = '${THINNED_TO}'), (SELECT MIN(height) FROM blocks))`,
      )
      .pluck();
    this.#thin = ["blocks", "headers"].map((table) =>
      database.prepare<[number, number]>(`DELETE FROM ${table} WHERE height >= ? AND height < ? AND height % ${KEPT_HEADERS} <> 0`),
    );
  }

  all(): readonly NamedSegment[] {
    return this.#history.all();
  }

  runs(kind: RunKindName): readonly StoredRun[] {
    return this.#history.runs.runs(kind);
  }

  droppableTo(): Height {
    const lowest = this.#lowest.map((statement) => statement.get() ?? Number.MAX_SAFE_INTEGER);
    return Math.min(this.#history.runs.coveredTo(), ...lowest.map((height) => height - 1));
  }

  header(height: Height): KeptHeader {
    return this.#reads.header(height);
  }

  keep(segment: NamedSegment): void {
    this.#reads.kept.keep(segment);
  }

  drop({ segment, runs, headers, headersFrom }: DroppedFiles): boolean {
    const { last } = segment;
    return inImmediateTransaction(this.#database, () => {
      if (!this.#reads.kept.hasKept(segment)) return false;
      for (const { height, header, commitRecord } of headers) this.#insertHeader.run(height, header, commitRecord);
      for (const statement of this.#forget) statement.run({ last });
      for (const run of runs) this.#forgetRun.run(run.kind, run.first, run.last);
      this.#note.run(DROPPED_TO, String(last));
      this.#promiseHeaders(Math.min(headersFrom, last + 1));
      return true;
    });
  }

  /** Removes headers below a height, but for some, of blocks whose transactions are gone. Each transaction is whole by itself. */
  thin(headersFrom: Height, isStopped: () => boolean): void {
    const to = Math.min(headersFrom, (this.#history.droppedTo() ?? -1) + 1);
    for (let from = this.#thinnedTo.get() ?? 0; from < to && !isStopped(); ) {
      const end = Math.min(to, from + ROWS_AT_ONCE);
      inImmediateTransaction(this.#database, () => {
        this.#promiseHeaders(end);
        for (const statement of this.#thin) statement.run(from, end);
        this.#note.run(THINNED_TO, String(end));
      });
      from = end;
    }
  }

  /** The lowest height from which on each block has its header only rises. */
  #promiseHeaders(from: Height): void {
    if (from > (this.#firstHeader.get() ?? 0)) this.#note.run(FIRST_HEADER, String(from));
  }
}
