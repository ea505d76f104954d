// held-mail.db of a data folder: sealed envelopes that programs of the node's owner have it send at a time, by the name that each message has.
// Of those that left the names stay for a while: who would take them back learns that they have left.
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  closeSqliteDatabase,
  type DatabaseKind,
  inImmediateTransaction,
  openSqliteDatabase,
  type SqliteDatabase,
} from "../sqlite-database.ts";

/** Envelopes under a name, as JSON of an array. */
export interface HeldRow {
  readonly name: string;
  /** Unix seconds. */
  readonly notBefore: number;
  /** Who handed them in, as mailboxes name parties and their clients. */
  readonly party: string;
  readonly tag: string;
  readonly content: string;
}

/** One that counts as left. */
export interface LeavingRow extends HeldRow {
  /** When it left first, unix seconds. */
  readonly leftAt: number;
}

/** What became of a change. */
export type HeldOutcome = "held" | "left" | "full";

/** Most names with envelopes that wait, and bytes of all of these. */
export interface HeldBounds {
  readonly messages: number;
  readonly bytes: number;
  /** Names of those that left; the earliest are forgotten first. */
  readonly left: number;
}

/** File in a data folder. */
export const HELD_MAIL_FILE = "held-mail.db";

/** `left_at` is null until the time of the envelopes came; their content stays until each was handed on. */
const SCHEMA = `
CREATE TABLE held (
  name TEXT PRIMARY KEY,
  not_before INTEGER NOT NULL,
  party TEXT NOT NULL,
  tag TEXT NOT NULL,
  left_at INTEGER,
  content TEXT
) STRICT;
CREATE INDEX held_by_time ON held (not_before) WHERE content IS NOT NULL;
CREATE INDEX held_by_leaving ON held (left_at);
`;

/** The file: "PRLH". */
export const HELD_MAIL_DATABASE: DatabaseKind = { applicationId: 0x50_52_4c_48, initialSchema: SCHEMA, migrations: [] };
const CACHE_KIB = 1_024;

/** Envelopes that wait. Synchronous; each call is durable on return. */
export class HeldMailStore {
  readonly #database: SqliteDatabase;
  readonly #bounds: HeldBounds;
  readonly #find;
  readonly #usage;
  readonly #put;
  readonly #remove;
  readonly #due;
  readonly #leave;
  readonly #postpone;
  readonly #clear;
  readonly #trim;
  readonly #next;

  constructor(database: SqliteDatabase, bounds: HeldBounds) {
    this.#database = database;
    this.#bounds = bounds;
    this.#find = database.prepare<[string], { readonly leftAt: number | null }>("SELECT left_at AS leftAt FROM held WHERE name = ?");
    this.#usage = database.prepare<[string], { readonly count: number; readonly bytes: number }>(
      "SELECT count(*) AS count, coalesce(sum(length(content)), 0) AS bytes FROM held WHERE content IS NOT NULL AND name <> ?",
    );
    this.#put = database.prepare<[HeldRow]>(
      `INSERT OR REPLACE INTO held (name, not_before, party, tag, left_at, content)
        VALUES (@name, @notBefore, @party, @tag, NULL, @content)`,
    );
    this.#remove = database.prepare<[string]>("DELETE FROM held WHERE name = ? AND left_at IS NULL");
    this.#due = database.prepare<[number], HeldRow & { readonly leftAt: number | null }>(
      `SELECT name, not_before AS notBefore, party, tag, left_at AS leftAt, content FROM held
        WHERE content IS NOT NULL AND not_before <= ? ORDER BY not_before LIMIT 1`,
    );
    this.#leave = database.prepare<[number, string]>("UPDATE held SET left_at = ? WHERE name = ? AND left_at IS NULL");
    this.#postpone = database.prepare<[number, string]>("UPDATE held SET not_before = ? WHERE name = ? AND left_at IS NOT NULL");
    this.#clear = database.prepare<[string]>("UPDATE held SET content = NULL WHERE name = ?");
    this.#trim = database.prepare<[number]>(
      `DELETE FROM held WHERE name IN (SELECT name FROM held WHERE left_at IS NOT NULL AND content IS NULL
        ORDER BY left_at DESC, name LIMIT -1 OFFSET ?)`,
    );
    this.#next = database.prepare<[], number | null>("SELECT min(not_before) FROM held WHERE content IS NOT NULL").pluck();
  }

  /** Envelopes take the place of those of their name, unless these have left. */
  put(row: HeldRow): HeldOutcome {
    return inImmediateTransaction(this.#database, () => {
      const known = this.#find.get(row.name);
      if (known !== undefined && known.leftAt !== null) return "left";
      const { count, bytes } = this.#usage.get(row.name) ?? { count: 0, bytes: 0 };
      if (count >= this.#bounds.messages || bytes + row.content.length > this.#bounds.bytes) return "full";
      this.#put.run(row);
      return "held";
    });
  }

  /** They leave no more, unless they have left. */
  withdraw(name: string): "withdrawn" | "left" | "unknown" {
    return inImmediateTransaction(this.#database, () => {
      const known = this.#find.get(name);
      if (known === undefined) return "unknown";
      return this.#remove.run(name).changes > 0 ? "withdrawn" : "left";
    });
  }

  /** The earliest envelopes whose time has come, which count as left from here on: also those that left when this program was killed. */
  leaveNext(nowS: number): LeavingRow | undefined {
    return inImmediateTransaction(this.#database, () => {
      const row = this.#due.get(nowS);
      if (row === undefined) return undefined;
      this.#leave.run(nowS, row.name);
      return { ...row, leftAt: row.leftAt ?? nowS };
    });
  }

  /** What left could not be handed on now: it is due again then, and others meanwhile. */
  postpone(name: string, untilS: number): void {
    inImmediateTransaction(this.#database, () => this.#postpone.run(untilS, name));
  }

  /** All of them were handed on. */
  clear(name: string): void {
    inImmediateTransaction(this.#database, () => {
      this.#clear.run(name);
      this.#trim.run(this.#bounds.left);
    });
  }

  /** When the next ones are due, unix seconds. */
  get nextS(): number | undefined {
    return this.#next.get() ?? undefined;
  }

  close(): void {
    closeSqliteDatabase(this.#database);
  }
}

/** True where a data folder has such envelopes, or had. */
export function hasHeldMail(directory: string): boolean {
  return existsSync(join(directory, HELD_MAIL_FILE));
}

/** Opens the file of a data folder, creating it when there is none. @throws CodedError as every database of the folder. */
export function openHeldMailStore(directory: string, bounds: HeldBounds): HeldMailStore {
  return new HeldMailStore(openSqliteDatabase(join(directory, HELD_MAIL_FILE), HELD_MAIL_DATABASE, CACHE_KIB), bounds);
}
