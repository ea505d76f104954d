// What waits in mailbox.db: envelopes that no one has read yet, by mailbox, source and the room that they take. What was read counts nowhere.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";
import { MailSources } from "./mail-sources.ts";
import type { Usage } from "./mailbox-usage.ts";

/** Rooms of a mailbox, each with a limit of its own; what is in the room `open` is no envelope of {@link WaitingEnvelopes}. */
export const ROOMS = { free: 0, postage: 1, open: 2 } as const;
export type Room = (typeof ROOMS)[keyof typeof ROOMS];

/** An envelope that waits. */
export interface WaitingEnvelope {
  readonly seq: number;
  readonly source: number;
  readonly room: Room;
  readonly bytes: number;
  readonly feeUt: number;
}

/** Where a waiting envelope is. */
export interface WaitingPlace {
  readonly recipientPub: string;
  readonly id: string;
}

/** Mailboxes whose waiting envelopes are at hand: full ones, which are looked through with each envelope for them. */
const MAX_KNOWN = 64;

const COLUMNS = "seq, source, room, waiting_envelopes.bytes AS bytes, waiting_envelopes.fee_ut AS feeUt";

/** Envelopes that wait. Whatever changes them runs in a transaction that ends with {@link WaitingEnvelopes.write}. */
export class WaitingEnvelopes {
  readonly sources: MailSources;
  readonly #boxes = new Map<number, Map<number, WaitingEnvelope>>();
  readonly #insert;
  readonly #find;
  readonly #box;
  readonly #remove;
  readonly #oldest;
  readonly #place;
  readonly #expired;
  readonly #senderOf;
  readonly #day;
  readonly #setDay;
  readonly #forgetDays;

  constructor(database: SqliteDatabase) {
    this.sources = new MailSources(database);
    this.#insert = database.prepare<[number, number, number, number, number]>(
      "INSERT INTO waiting_envelopes (seq, source, room, bytes, fee_ut) VALUES (?, ?, ?, ?, ?)",
    );
    this.#find = database.prepare<[number], WaitingEnvelope>(`SELECT ${COLUMNS} FROM waiting_envelopes WHERE seq = ?`);
    // CROSS JOIN: the mailbox leads to the rows, in its order.
    this.#box = database.prepare<[number], WaitingEnvelope>(
      `SELECT ${COLUMNS} FROM envelopes CROSS JOIN waiting_envelopes USING (seq) WHERE mailbox = ? ORDER BY seq`,
    );
    this.#remove = database.prepare<[number]>("DELETE FROM waiting_envelopes WHERE seq = ?");
    this.#oldest = database.prepare<[number], number>("SELECT seq FROM waiting_envelopes WHERE source = ? ORDER BY seq LIMIT 1").pluck();
    this.#place = database.prepare<[number], WaitingPlace>(
      "SELECT recipient_pub AS recipientPub, id FROM envelopes JOIN mailboxes ON number = mailbox WHERE seq = ?",
    );
    this.#expired = database.prepare<[number], { readonly source: number; readonly bytes: number }>(
      `SELECT source, sum(waiting_envelopes.bytes) AS bytes FROM envelopes CROSS JOIN waiting_envelopes USING (seq)
        WHERE received_at < ? GROUP BY source`,
    );
    this.#senderOf = database.prepare<[number], string>("SELECT sender_ed25519_pub FROM envelopes WHERE seq = ?").pluck();
    this.#day = database.prepare<[string, number], number>("SELECT bytes FROM mail_days WHERE party = ? AND day = ?").pluck();
    this.#setDay = database.prepare<[string, number, number]>(
      `INSERT INTO mail_days (party, day, bytes) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET day = excluded.day, bytes = excluded.bytes`,
    );
    this.#forgetDays = database.prepare<[number]>("DELETE FROM mail_days WHERE day < ?");
  }

  /** An envelope came, and waits. */
  add(mailbox: number, envelope: WaitingEnvelope): void {
    const { seq, source, room, bytes, feeUt } = envelope;
    this.#insert.run(seq, source, room, bytes, feeUt);
    this.sources.add(source, bytes);
    this.#boxes.get(mailbox)?.set(seq, envelope);
  }

  /** An envelope was read or is about to go; false when it did not wait. */
  remove(mailbox: number, seq: number): boolean {
    const envelope = this.#find.get(seq);
    if (envelope === undefined) return false;
    this.#remove.run(seq);
    this.sources.add(envelope.source, -envelope.bytes);
    this.#boxes.get(mailbox)?.delete(seq);
    return true;
  }

  /** What arrived before a time, unix seconds, is about to go. */
  expire(beforeSec: number): void {
    for (const { source, bytes } of this.#expired.all(beforeSec)) this.sources.add(source, -bytes);
    this.#boxes.clear();
  }

  /** What waits in a mailbox, in order of arrival. */
  of(mailbox: number): ReadonlyMap<number, WaitingEnvelope> {
    const known = this.#boxes.get(mailbox);
    if (known !== undefined) return known;
    const [first] = this.#boxes.keys();
    if (first !== undefined && this.#boxes.size >= MAX_KNOWN) this.#boxes.delete(first);
    const box = new Map(this.#box.all(mailbox).map((envelope) => [envelope.seq, envelope]));
    this.#boxes.set(mailbox, box);
    return box;
  }

  /** What a sender has promised for envelopes with postage in a mailbox, µT. */
  postageOf(mailbox: number, sender: PublicKeyHex): number {
    let promisedUt = 0;
    for (const { seq, room, feeUt } of this.of(mailbox).values())
      if (room === ROOMS.postage && this.#senderOf.get(seq) === sender) promisedUt += feeUt;
    return promisedUt;
  }

  placeOf(seq: number): WaitingPlace | undefined {
    return this.#place.get(seq);
  }

  /** What a party sent first of what waits, of its client of which most waits. */
  oldestOf(party: string): WaitingPlace | undefined {
    const source = this.sources.largestSourceOf(party);
    const seq = source === undefined ? undefined : this.#oldest.get(source);
    return seq === undefined ? undefined : this.placeOf(seq);
  }

  /** Counts what a party hands in on a day, unless that is more than it may; true when it was counted. */
  takeDay(party: string, { day, bytes, most }: { readonly day: number; readonly bytes: number; readonly most: number }): boolean {
    const used = (this.#day.get(party, day) ?? 0) + bytes;
    if (used > most) return false;
    this.#setDay.run(party, day, used);
    return true;
  }

  forgetDaysBefore(day: number): void {
    this.#forgetDays.run(day);
  }

  /** Writes what has changed: the last step of a transaction. */
  write(): void {
    this.sources.write();
  }

  /** The file says something else: a transaction failed. */
  forget(): void {
    this.sources.forget();
    this.#boxes.clear();
  }
}

/** What some envelopes use together. */
export function usageOf(envelopes: Iterable<Pick<WaitingEnvelope, "bytes">>): Usage {
  let [count, bytes] = [0, 0];
  for (const envelope of envelopes) {
    count += 1;
    bytes += envelope.bytes;
  }
  return { count, bytes };
}
