// Envelopes that their recipients deleted, in mailbox.db: other nodes still hold them, and must not bring them back.
import type { Statement } from "better-sqlite3";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { utf8 } from "#shared/util/bytes.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";
import { HiddenEnvelopeRepository } from "./hidden-envelope-repository.ts";
import { fairShare } from "./largest-first.ts";
import { MAX_SIGNED_DELETION_BYTES, SignedDeletionRepository } from "./signed-deletion-repository.ts";

/** Most deletions that are remembered by a node without `--mail-disk`: an eighth of 4 GiB by the bytes that one takes. */
export const MAX_DELETED_ENVELOPES = 11_184_810;

/** What is remembered at most. */
export interface DeletionRoom {
  /** Marks. Beyond that those who had brought most of what was deleted lose their oldest. */
  readonly marks: number;
  /** Bytes of what mailbox keys have signed. */
  readonly signedBytes: number;
}

/** Part of the disk for mail that marks may take beside it, and signed deletions; bytes of a mark in the file. */
const MARKS_PART = 8;
const SIGNED_PART = 16;
const BYTES_A_MARK = 48;

/** Room by the disk that a node gives its mail, bytes. */
export function deletionRoom(mailDiskBytes: number): DeletionRoom {
  return {
    marks: Math.floor(mailDiskBytes / MARKS_PART / BYTES_A_MARK),
    signedBytes: Math.max(MAX_SIGNED_DELETION_BYTES, Math.floor(mailDiskBytes / SIGNED_PART)),
  };
}

/** Marks of deleted envelopes. Synchronous; durable on return unless called inside a transaction of the mailbox. */
export class DeletedEnvelopeRepository {
  /** What callers deleted who did not prove the key. */
  readonly hidden: HiddenEnvelopeRepository;
  /** What mailbox keys have signed. */
  readonly signed: SignedDeletionRepository;
  readonly #marks: DeletionMarks;

  constructor(database: SqliteDatabase, { marks, signedBytes }: Partial<DeletionRoom> = {}) {
    this.hidden = new HiddenEnvelopeRepository(database);
    this.#marks = new DeletionMarks(database, marks ?? MAX_DELETED_ENVELOPES);
    this.signed = new SignedDeletionRepository(database, this.#marks, signedBytes);
  }

  /** `party`: who had brought the envelope; empty where that is not known, as of one that is not here. */
  add(recipientPub: X25519KeyHex, id: string, atSec: number, party = ""): void {
    this.#marks.add(recipientPub, id, atSec, party);
  }

  has(recipientPub: X25519KeyHex, id: string): boolean {
    return this.#marks.has(recipientPub, id);
  }

  /** The envelope was sent again. */
  remove(recipientPub: X25519KeyHex, id: string): void {
    this.#marks.remove(recipientPub, id);
  }

  /** Forgets what was deleted on days before a time, unix seconds. */
  prune(beforeSec: number): void {
    this.#marks.prune(beforeSec);
    this.signed.prune(beforeSec);
  }
}

/** A day of marks, s. */
export const MARK_DAY_S = 86_400;
/** As large a part of the most may come until the next look at all. */
const UNLOOKED_SHARE = 100;
const MARK_BYTES = 16;
/** Marks of a day that are looked at together. */
const LOOKED_AT = 4_096;

interface Place {
  readonly day: number;
  readonly source: number;
}

interface Row {
  readonly mark: Uint8Array;
  readonly source: number;
}

/** Bytes by which an envelope is known to be deleted. */
export function deletionMark(box: X25519KeyHex, id: string): Uint8Array {
  return nativeSha256(utf8(`${box}${id}`)).subarray(0, MARK_BYTES);
}

/** Marks. Synchronous; durable on return unless called inside a transaction of the mailbox. */
export class DeletionMarks {
  readonly #database: SqliteDatabase;
  readonly #most: number;
  readonly #unlooked: number;
  /** Marks until the next look: nothing is known of what is there. */
  #left = 0;
  /** Days of which there are marks, whatever the clock has said since; perhaps more than there are, as transactions fail. */
  readonly #days: Set<number>;
  #find: Statement<[Uint8Array], Place>;
  readonly #insert;
  readonly #remove;
  readonly #count;
  readonly #source;
  readonly #addSource;
  readonly #partyOf;
  readonly #counts;
  readonly #marksOf;
  readonly #pruneMarks;
  readonly #pruneDays;
  readonly #pruneSources;

  constructor(database: SqliteDatabase, most: number) {
    this.#most = most;
    this.#unlooked = Math.floor(most / UNLOOKED_SHARE);
    this.#database = database;
    this.#days = new Set(database.prepare<[], number>("SELECT DISTINCT day FROM deletion_days").pluck().all());
    this.#find = this.#findInDays();
    this.#insert = database.prepare<[number, Uint8Array, number]>(
      "INSERT OR IGNORE INTO deletion_marks (day, mark, source) VALUES (?, ?, ?)",
    );
    this.#remove = database.prepare<[number, Uint8Array]>("DELETE FROM deletion_marks WHERE day = ? AND mark = ?");
    this.#count = database.prepare<[number, number, number]>(
      "INSERT INTO deletion_days (day, source, count) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count",
    );
    this.#source = database.prepare<[string], number>("SELECT number FROM deletion_sources WHERE party = ?").pluck();
    this.#addSource = database.prepare<[string]>("INSERT INTO deletion_sources (party) VALUES (?)");
    this.#partyOf = database.prepare<[number], string>("SELECT party FROM deletion_sources WHERE number = ?").pluck();
    this.#counts = database.prepare<[], { readonly source: number; readonly count: number }>(
      "SELECT source, sum(count) AS count FROM deletion_days GROUP BY source",
    );
    this.#marksOf = database.prepare<[number, Uint8Array], Row>(
      `SELECT mark, source FROM deletion_marks WHERE day = ? AND mark > ? ORDER BY mark LIMIT ${LOOKED_AT}`,
    );
    this.#pruneMarks = database.prepare<[number]>("DELETE FROM deletion_marks WHERE day < ?");
    this.#pruneDays = database.prepare<[number]>("DELETE FROM deletion_days WHERE day < ?");
    this.#pruneSources = database.prepare("DELETE FROM deletion_sources WHERE number NOT IN (SELECT source FROM deletion_days)");
  }

  has(box: X25519KeyHex, id: string): boolean {
    return this.#placeOf(deletionMark(box, id)) !== undefined;
  }

  /** Who had brought an envelope that was deleted; undefined for one that was not. */
  partyOf(box: X25519KeyHex, id: string): string | undefined {
    const place = this.#placeOf(deletionMark(box, id));
    return place && (this.#partyOf.get(place.source) ?? "");
  }

  /** Remembers a deletion, unless it is remembered already. */
  add(box: X25519KeyHex, id: string, atSec: number, party: string): void {
    const day = Math.floor(atSec / MARK_DAY_S);
    const mark = deletionMark(box, id);
    if (this.#placeOf(mark) !== undefined) return;
    if (!this.#days.has(day)) {
      this.#days.add(day);
      this.#find = this.#findInDays();
    }
    const source = this.#source.get(party) ?? Number(this.#addSource.run(party).lastInsertRowid);
    if (this.#insert.run(day, mark, source).changes === 0) return;
    this.#count.run(day, source, 1);
    this.#left -= 1;
    if (this.#left < 0) this.#trim();
  }

  /** The envelope was sent again. */
  remove(box: X25519KeyHex, id: string): void {
    const mark = deletionMark(box, id);
    const place = this.#placeOf(mark);
    if (place === undefined) return;
    this.#remove.run(place.day, mark);
    this.#count.run(place.day, place.source, -1);
  }

  /** Forgets days that were over before a time, unix seconds. */
  prune(beforeSec: number): void {
    const day = Math.floor(beforeSec / MARK_DAY_S);
    this.#pruneMarks.run(day);
    if (this.#pruneDays.run(day).changes > 0) this.#pruneSources.run();
    for (const each of [...this.#days]) if (each < day) this.#days.delete(each);
    this.#find = this.#findInDays();
  }

  #placeOf(mark: Uint8Array): Place | undefined {
    return this.#find.get(mark);
  }

  /** One look into the tree for each day. */
  #findInDays(): Statement<[Uint8Array], Place> {
    return this.#database.prepare(
      `SELECT day, source FROM deletion_marks WHERE day IN (${[...this.#days].join(", ")}) AND mark = ? LIMIT 1`,
    );
  }

  /** Where there are too many, each who had brought much of it loses what was deleted on its first days. */
  #trim(): void {
    this.#left = this.#unlooked;
    const sources = this.#counts.all();
    const share = fairShare(
      sources.map(({ count }) => count),
      this.#most,
    );
    const tooMuch = new Map(sources.flatMap(({ source, count }) => (count > share ? [[source, count - share]] : [])));
    for (const day of [...this.#days].sort((a, b) => a - b)) if (tooMuch.size > 0) this.#trimDay(day, tooMuch);
  }

  /** A day is gone through once for all sources, of which there may be thousands: it has hundreds of thousands of marks. */
  #trimDay(day: number, tooMuch: Map<number, number>): void {
    const gone = new Map<number, number>();
    let after: Uint8Array = new Uint8Array();
    while (tooMuch.size > 0) {
      const rows = this.#marksOf.all(day, after);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.mark;
      for (const { mark, source } of rows) {
        const left = tooMuch.get(source);
        if (left === undefined) continue;
        this.#remove.run(day, mark);
        gone.set(source, (gone.get(source) ?? 0) + 1);
        if (left > 1) tooMuch.set(source, left - 1);
        else tooMuch.delete(source);
      }
    }
    for (const [source, count] of gone) this.#count.run(day, source, -count);
  }
}
