// Envelopes in open boxes of mailbox.db, which have room of their own: nothing that other mailboxes get displaces them, or counts against them.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";
import { MailSources } from "./mail-sources.ts";
import type { Usage } from "./mailbox-usage.ts";
import type { WaitingPlace } from "./waiting-envelopes.ts";

/** An envelope in an open box. */
export interface OpenEnvelope {
  readonly seq: number;
  /** Number of who brought it, of {@link OpenMail.sources}. */
  readonly source: number;
  readonly bytes: number;
}

const NUMBER = "(SELECT number FROM mailboxes WHERE recipient_pub = ?)";

/** Mail of open boxes. Whatever changes it runs in a transaction that ends with {@link OpenMail.write}. */
export class OpenMail {
  /** Who brought it, apart from those of other mail. */
  readonly sources: MailSources;
  readonly #insert;
  readonly #find;
  readonly #remove;
  readonly #has;
  readonly #usage;
  readonly #oldest;
  readonly #expired;
  readonly #admit;
  readonly #setAdmit;

  constructor(database: SqliteDatabase) {
    this.sources = new MailSources(database, "open_sources");
    this.#insert = database.prepare<[number, number, number, number]>(
      "INSERT INTO open_envelopes (seq, mailbox, source, bytes) VALUES (?, ?, ?, ?)",
    );
    this.#find = database.prepare<[number], OpenEnvelope>("SELECT seq, source, bytes FROM open_envelopes WHERE seq = ?");
    this.#remove = database.prepare<[number]>("DELETE FROM open_envelopes WHERE seq = ?");
    this.#has = database
      .prepare<[string, string], number>(
        `SELECT 1 FROM envelopes JOIN open_envelopes USING (seq) WHERE envelopes.mailbox = ${NUMBER} AND id = ?`,
      )
      .pluck();
    this.#usage = database.prepare<[string], Usage>(
      `SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM open_envelopes WHERE mailbox = ${NUMBER}`,
    );
    this.#oldest = database.prepare<[number], WaitingPlace>(
      `SELECT recipient_pub AS recipientPub, id FROM open_envelopes JOIN envelopes USING (seq) JOIN mailboxes ON number = envelopes.mailbox
        WHERE source = ? ORDER BY open_envelopes.seq LIMIT 1`,
    );
    this.#expired = database.prepare<[number], { readonly source: number; readonly bytes: number }>(
      `SELECT source, sum(open_envelopes.bytes) AS bytes FROM envelopes CROSS JOIN open_envelopes USING (seq)
        WHERE received_at < ? GROUP BY source`,
    );
    this.#admit = database.prepare<[number], string>("SELECT admit FROM admits WHERE seq = ?").pluck();
    this.#setAdmit = database.prepare<[number, string]>("INSERT OR REPLACE INTO admits (seq, admit) VALUES (?, ?)");
  }

  /** Bytes of all of it. */
  get bytes(): number {
    return this.sources.bytes;
  }

  /** An envelope came into an open box. */
  add(mailbox: number, { seq, source, bytes }: OpenEnvelope): void {
    this.#insert.run(seq, mailbox, source, bytes);
    this.sources.add(source, bytes);
  }

  has(recipientPub: X25519KeyHex, id: string): boolean {
    return this.#has.get(recipientPub, id) === 1;
  }

  /** An envelope is about to go; false when it has no room of this kind. */
  remove(seq: number): boolean {
    const envelope = this.#find.get(seq);
    if (envelope === undefined) return false;
    this.#remove.run(seq);
    this.sources.add(envelope.source, -envelope.bytes);
    return true;
  }

  /** What arrived before a time, unix seconds, is about to go. */
  expire(beforeSec: number): void {
    for (const { source, bytes } of this.#expired.all(beforeSec)) this.sources.add(source, -bytes);
  }

  /** What a mailbox holds in this room. */
  usageOf(recipientPub: X25519KeyHex): Usage {
    return this.#usage.get(recipientPub) ?? { count: 0, bytes: 0 };
  }

  /** What a party sent first, of its client of which most waits. */
  oldestOf(party: string): WaitingPlace | undefined {
    const source = this.sources.largestSourceOf(party);
    return source === undefined ? undefined : this.#oldest.get(source);
  }

  /** The signature by which an envelope was admitted, base64; also of one that took the room of all mailboxes. */
  admitOf(seq: number): string | undefined {
    return this.#admit.get(seq);
  }

  setAdmit(seq: number, admit: string): void {
    this.#setAdmit.run(seq, admit);
  }

  /** Writes what has changed: the last step of a transaction. */
  write(): void {
    this.sources.write();
  }

  /** The file says something else: a transaction failed. */
  forget(): void {
    this.sources.forget();
  }
}
