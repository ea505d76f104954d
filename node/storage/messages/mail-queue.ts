// mail-queue.db of a data folder: envelopes of this node's clients on their way to their keepers. What is in it was promised to be delivered.
import { join } from "node:path";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { MailSource } from "../mailbox/mail-sources.ts";
import {
  closeSqliteDatabase,
  type DatabaseKind,
  inImmediateTransaction,
  openSqliteDatabase,
  type SqliteDatabase,
} from "../sqlite-database.ts";
import { DOUBT_SCHEMA, DoubtStore } from "./doubt-store.ts";
import { type QueuePlace, QueueRoom, queueRoomSchema } from "./queue-room.ts";

/** An envelope; what its bytes are its sender knows. */
interface MailContent {
  readonly box: X25519KeyHex;
  readonly id: string;
  readonly content: Uint8Array;
}

/** A count of bytes that begins again each day. */
export interface QueueLedger {
  readonly party: string;
  /** Bytes of a day. */
  readonly most: number;
}

/** An envelope that comes into the queue. */
export interface NewMail extends MailContent {
  readonly source: MailSource;
  /** True for mail that its open box admits. */
  readonly isOpen: boolean;
  /** What it counts as in its ledgers, bytes. */
  readonly bytes: number;
  readonly ledgers: readonly QueueLedger[];
}

/** An envelope in the queue. */
export interface QueuedMail extends MailContent {
  /** Order of arrival, never used twice. */
  readonly seq: number;
  readonly queuedAtMs: number;
}

/** What came of an envelope. */
export type QueueOutcome =
  /** `evicted` went for it, as it did in vain for one that found too little room all the same. */
  | { readonly is: "added"; readonly seq: number; readonly evicted: readonly number[] }
  /** It is in the queue already, and nothing was added. */
  | { readonly is: "known" }
  /** Its source has handed in what it may on this day; `ledger` is the place of the ledger that says so. */
  | { readonly is: "limited"; readonly ledger: number }
  | { readonly is: "full"; readonly evicted: readonly number[] };

/** The latest time in which keepers had the mail alone: block times of its directories, unix seconds. */
export interface KeepersAlone {
  /** The first one of them that this node has followed. */
  readonly sinceS: number;
  /** The newest one. */
  readonly seenS: number;
  /** The newest one of which this node was a keeper; null for none. */
  readonly keptS: number | null;
}

/** File of the queue in a data folder. */
export const MAIL_QUEUE_FILE = "mail-queue.db";
/** Bytes of all that may wait. */
export const MAX_QUEUED_BYTES = 1_073_741_824;
/** What a row takes beside its content, bytes. */
const ROW_BYTES = 256;
const SECRET_BYTES = 32;
const DAY_MS = 86_400_000;

const SCHEMA = `
CREATE TABLE queued (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  box TEXT NOT NULL,
  id TEXT NOT NULL,
  queued_at INTEGER NOT NULL,
  content BLOB NOT NULL,
  UNIQUE (box, id)
) STRICT;
CREATE TABLE way (at_keepers INTEGER NOT NULL) STRICT;
`;

const ALONE_SCHEMA = "CREATE TABLE alone (since_s INTEGER NOT NULL, seen_s INTEGER NOT NULL, kept_s INTEGER) STRICT;";

const CARRIERS_SCHEMA = "CREATE TABLE carriers (secret BLOB NOT NULL) STRICT;";

/**
 * The queue: "PRLQ". Version 1: since when keepers have the mail alone. Version 2: the secret by which carriers are chosen.
 * Version 3: who handed in what waits, and how much on a day. Version 4: what is held against keepers.
 */
export const MAIL_QUEUE_DATABASE: DatabaseKind = {
  applicationId: 0x50_52_4c_51,
  initialSchema: SCHEMA,
  migrations: [
    { version: 1, up: (database): void => void database.exec(ALONE_SCHEMA) },
    { version: 2, up: (database): void => void database.exec(CARRIERS_SCHEMA) },
    { version: 3, up: (database): void => void database.exec(queueRoomSchema(ROW_BYTES)) },
    { version: 4, up: (database): void => void database.exec(DOUBT_SCHEMA) },
  ],
};
const CACHE_KIB = 4_096;

/** Envelopes that wait. Synchronous; each call is durable on return. */
export class MailQueue {
  /** What is held against keepers. */
  readonly doubts: DoubtStore;
  readonly #database: SqliteDatabase;
  readonly #room: QueueRoom;
  #count: number;
  #day = 0;
  readonly #insert;
  readonly #has;
  readonly #list;
  readonly #seqs;
  readonly #get;
  readonly #place;
  readonly #remove;
  readonly #usedOn;
  readonly #noteDay;
  readonly #forgetDays;
  readonly #forgetWay;
  readonly #noteWay;
  readonly #forgetAlone;
  readonly #noteAlone;
  #atKeepersMs: number | undefined;
  #alone: KeepersAlone | undefined;
  #carrierSecret: Uint8Array | undefined;

  constructor(database: SqliteDatabase, maxBytes = MAX_QUEUED_BYTES) {
    this.#database = database;
    this.doubts = new DoubtStore(database);
    this.#room = new QueueRoom(database, maxBytes, ROW_BYTES);
    this.#count = database.prepare<[], number>("SELECT count(*) FROM queued").pluck().get() ?? 0;
    this.#insert = database.prepare<[string, string, number, Uint8Array, number, number]>(
      "INSERT INTO queued (box, id, queued_at, content, room, source) VALUES (?, ?, ?, ?, ?, ?)",
    );
    this.#has = database.prepare<[string, string], number>("SELECT 1 FROM queued WHERE box = ? AND id = ?").pluck();
    this.#list = database.prepare<[number, number], QueuedMail>(
      "SELECT seq, box, id, queued_at AS queuedAtMs, content FROM queued WHERE seq > ? ORDER BY seq LIMIT ?",
    );
    this.#seqs = database
      .prepare<[number, number, number], number>("SELECT seq FROM queued WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?")
      .pluck();
    this.#get = database.prepare<[number], QueuedMail>("SELECT seq, box, id, queued_at AS queuedAtMs, content FROM queued WHERE seq = ?");
    this.#place = database.prepare<[number], QueuePlace & { readonly bytes: number }>(
      `SELECT room, source, length(content) + ${ROW_BYTES} AS bytes FROM queued WHERE seq = ?`,
    );
    this.#remove = database.prepare<[number]>("DELETE FROM queued WHERE seq = ?");
    this.#usedOn = database.prepare<[string, number], number>("SELECT bytes FROM mail_days WHERE party = ? AND day = ?").pluck();
    this.#noteDay = database.prepare<[string, number, number]>(
      "INSERT INTO mail_days (party, day, bytes) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET day = excluded.day, bytes = excluded.bytes",
    );
    this.#forgetDays = database.prepare<[number]>("DELETE FROM mail_days WHERE day < ?");
    this.#forgetWay = database.prepare<[]>("DELETE FROM way");
    this.#noteWay = database.prepare<[number]>("INSERT INTO way (at_keepers) VALUES (?)");
    this.#forgetAlone = database.prepare<[]>("DELETE FROM alone");
    this.#noteAlone = database.prepare<[number, number, number | null]>("INSERT INTO alone (since_s, seen_s, kept_s) VALUES (?, ?, ?)");
    this.#alone = database.prepare<[], KeepersAlone>("SELECT since_s AS sinceS, seen_s AS seenS, kept_s AS keptS FROM alone").get();
    this.#atKeepersMs = database.prepare<[], number>("SELECT at_keepers FROM way").pluck().get();
  }

  /** Bytes of all that waits, and how many envelopes. */
  get usage(): { readonly bytes: number; readonly count: number } {
    return { bytes: this.#room.bytes, count: this.#count };
  }

  /** When keepers had the mail alone, ms since 1970; undefined when never. */
  get atKeepersMs(): number | undefined {
    return this.#atKeepersMs;
  }

  set atKeepersMs(timeMs: number | undefined) {
    inImmediateTransaction(this.#database, () => {
      this.#forgetWay.run();
      if (timeMs !== undefined) this.#noteWay.run(timeMs);
    });
    this.#atKeepersMs = timeMs;
  }

  /** When keepers had the mail alone, as far as this node has followed; undefined for never. */
  get alone(): KeepersAlone | undefined {
    return this.#alone;
  }

  set alone(times: KeepersAlone | undefined) {
    inImmediateTransaction(this.#database, () => {
      this.#forgetAlone.run();
      if (times !== undefined) this.#noteAlone.run(times.sinceS, times.seenS, times.keptS);
    });
    this.#alone = times;
  }

  /** The secret by which this node chooses its carriers, 32 bytes; made when it is needed first. */
  carrierSecret(random: RandomBytes): Uint8Array {
    this.#carrierSecret ??= this.#database.prepare<[], Uint8Array>("SELECT secret FROM carriers").pluck().get();
    if (this.#carrierSecret === undefined) {
      const made = random(SECRET_BYTES);
      this.#database.prepare<[Uint8Array]>("INSERT INTO carriers (secret) VALUES (?)").run(made);
      this.#carrierSecret = made;
    }
    return this.#carrierSecret;
  }

  /** One outcome an envelope, in order, in one commit. */
  add(some: readonly NewMail[], nowMs: number): readonly QueueOutcome[] {
    return this.#change(() => {
      this.#beginDay(Math.floor(nowMs / DAY_MS));
      return some.map((mail) => this.#addOne(mail, nowMs));
    });
  }

  /** What came after a position, in order: at least one envelope, and no more than these bytes of content. */
  list(afterSeq: number, limit: number, maxBytes: number): readonly QueuedMail[] {
    const found: QueuedMail[] = [];
    let bytes = 0;
    for (const mail of this.#list.iterate(afterSeq, limit)) {
      bytes += mail.content.length;
      if (found.length > 0 && bytes > maxBytes) break;
      found.push(mail);
    }
    return found;
  }

  /** Position of what came last, 0 for none. */
  get lastSeq(): number {
    return this.#database.prepare<[], number>("SELECT coalesce(max(seq), 0) FROM queued").pluck().get() ?? 0;
  }

  /** Positions after one, up to another, in order, without what is there. */
  seqs(afterSeq: number, upToSeq: number, limit: number): readonly number[] {
    return this.#seqs.all(afterSeq, upToSeq, limit);
  }

  get(seq: number): QueuedMail | undefined {
    return this.#get.get(seq);
  }

  /** Forgets what was delivered. */
  remove(seqs: readonly number[]): void {
    this.#change(() => {
      for (const seq of seqs) this.#removeOne(seq);
    });
  }

  close(): void {
    closeSqliteDatabase(this.#database);
  }

  #change<T>(work: () => T): T {
    const count = this.#count;
    try {
      return inImmediateTransaction(this.#database, () => {
        const result = work();
        this.#room.write();
        return result;
      });
    } catch (error) {
      this.#count = count;
      this.#room.forget();
      throw error;
    }
  }

  #addOne(mail: NewMail, nowMs: number): QueueOutcome {
    const { box, id, content, source, isOpen } = mail;
    if (this.#has.get(box, id) === 1) return { is: "known" };
    const ledger = mail.ledgers.findIndex(({ party, most }) => this.#usedToday(party) + mail.bytes > most);
    if (ledger >= 0) return { is: "limited", ledger };
    const bytes = content.length + ROW_BYTES;
    const evicted: number[] = [];
    const place = this.#room.find({ source, isOpen, bytes }, (seq) => {
      this.#removeOne(seq);
      evicted.push(seq);
    });
    if (place === undefined) return { is: "full", evicted };
    for (const { party } of mail.ledgers) this.#noteDay.run(party, this.#day, this.#usedToday(party) + mail.bytes);
    const { lastInsertRowid } = this.#insert.run(box, id, nowMs, content, place.room, place.source);
    this.#room.add(place, bytes);
    this.#count += 1;
    return { is: "added", seq: Number(lastInsertRowid), evicted };
  }

  #removeOne(seq: number): void {
    const place = this.#place.get(seq);
    if (place === undefined) return;
    this.#remove.run(seq);
    this.#room.add(place, -place.bytes);
    this.#count -= 1;
  }

  #usedToday(party: string): number {
    return this.#usedOn.get(party, this.#day) ?? 0;
  }

  #beginDay(day: number): void {
    if (day === this.#day) return;
    this.#day = day;
    this.#forgetDays.run(day);
  }
}

/** Opens the queue of a data folder, creating it when there is none. @throws CodedError as every database of the folder. */
export function openMailQueue(directory: string, maxBytes = MAX_QUEUED_BYTES): MailQueue {
  return new MailQueue(openSqliteDatabase(join(directory, MAIL_QUEUE_FILE), MAIL_QUEUE_DATABASE, CACHE_KIB), maxBytes);
}
