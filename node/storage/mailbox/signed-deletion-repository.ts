// Deletions that mailbox keys signed, in mailbox.db: other nodes believe them too.
import type { BoxDeletion } from "#shared/protocol/mail/box-proof.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";
import { FairTrim } from "./largest-first.ts";

/**
 * Bytes of all deletions that are stored, beyond which those who had brought most of what was deleted lose their oldest; and deletions of one
 * mailbox, which loses its own.
 */
export const MAX_SIGNED_DELETION_BYTES = 67_108_864;
export const MAX_DELETIONS_OF_MAILBOX = 1_024;
/** What a row takes beside its ids, bytes. */
const ROW_BYTES = 256;
/** Rows until the next look at all. */
const UNLOOKED = 256;

/** Who had brought what is deleted. */
export interface BroughtBy {
  readonly partyOf: (box: X25519KeyHex, id: string) => string | undefined;
}

/** A deletion with its position in the order in which they came. */
export interface StoredDeletion {
  readonly seq: number;
  readonly deletion: BoxDeletion;
}

interface Row {
  readonly signature: string;
  readonly height: number;
  readonly ids: string;
}

/** Signed deletions. Synchronous; durable on return unless called inside a transaction of the mailbox. */
export class SignedDeletionRepository {
  readonly #marks: BroughtBy;
  readonly #trim: FairTrim;
  readonly #add;
  readonly #trimMailbox;
  readonly #has;
  readonly #list;
  readonly #listAfter;
  readonly #find;
  readonly #prune;

  constructor(
    database: SqliteDatabase,
    marks: BroughtBy,
    maxBytes = MAX_SIGNED_DELETION_BYTES,
    unlooked = Math.max(UNLOOKED, Math.floor(maxBytes / MAX_SIGNED_DELETION_BYTES) * UNLOOKED),
  ) {
    this.#marks = marks;
    this.#trim = new FairTrim(database, { name: "signed_deletions", weight: "bytes", most: maxBytes, unlooked });
    this.#add = database.prepare<[string, string, number, number, string, number, string]>(
      `INSERT OR IGNORE INTO signed_deletions (recipient_pub, signature, height, deleted_at, ids, bytes, party)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#trimMailbox = database.prepare<[string, number]>(
      `DELETE FROM signed_deletions WHERE seq IN
        (SELECT seq FROM signed_deletions WHERE recipient_pub = ? ORDER BY seq DESC LIMIT -1 OFFSET ?)`,
    );
    this.#has = database
      .prepare<[string, string], number>("SELECT 1 FROM signed_deletions WHERE recipient_pub = ? AND signature = ?")
      .pluck();
    this.#list = database.prepare<[string], Row>(
      "SELECT signature, height, ids FROM signed_deletions WHERE recipient_pub = ? ORDER BY deleted_at DESC, signature",
    );
    this.#listAfter = database.prepare<[string, number, number], Row & { readonly seq: number }>(
      "SELECT seq, signature, height, ids FROM signed_deletions WHERE recipient_pub = ? AND seq > ? ORDER BY seq LIMIT ?",
    );
    this.#find = database.prepare<[string, string], Row>(
      "SELECT signature, height, ids FROM signed_deletions WHERE recipient_pub = ? AND instr(ids, ?) > 0 ORDER BY seq DESC LIMIT 1",
    );
    this.#prune = database.prepare<[number]>("DELETE FROM signed_deletions WHERE deleted_at < ?");
  }

  add({ mailbox, ids, height, signature }: BoxDeletion, atSec: number): void {
    const text = JSON.stringify(ids);
    // As its envelopes are counted, which are deleted first.
    const party = ids.reduce((last, id) => maxText(last, this.#marks.partyOf(mailbox, id) ?? ""), "");
    if (this.#add.run(mailbox, signature, height, atSec, text, text.length + ROW_BYTES, party).changes === 0) return;
    this.#trim.note();
    this.#trimMailbox.run(mailbox, MAX_DELETIONS_OF_MAILBOX);
  }

  has({ mailbox, signature }: Pick<BoxDeletion, "mailbox" | "signature">): boolean {
    return this.#has.get(mailbox, signature) === 1;
  }

  /** Of a mailbox, the latest first, in so many bytes, as their signatures and ids take them. */
  list(mailbox: X25519KeyHex, maxBytes: number): readonly BoxDeletion[] {
    const deletions: BoxDeletion[] = [];
    let room = maxBytes;
    for (const { signature, height, ids } of this.#list.iterate(mailbox)) {
      room -= signature.length + ids.length;
      if (room < 0) break;
      deletions.push({ mailbox, ids: JSON.parse(ids) as string[], height, signature });
    }
    return deletions;
  }

  /** The deletion of an envelope. */
  find(mailbox: X25519KeyHex, id: string): BoxDeletion | undefined {
    const row = this.#find.get(mailbox, JSON.stringify(id));
    return row && { mailbox, ids: JSON.parse(row.ids) as string[], height: row.height, signature: row.signature };
  }

  /** Of a mailbox after a position, the oldest first. */
  listAfter(mailbox: X25519KeyHex, afterSeq: number, limit: number): readonly StoredDeletion[] {
    return this.#listAfter.all(mailbox, afterSeq, limit).map(({ seq, signature, height, ids }) => {
      return { seq, deletion: { mailbox, ids: JSON.parse(ids) as string[], height, signature } };
    });
  }

  /** Forgets what was deleted before a time, unix seconds. */
  prune(beforeSec: number): void {
    this.#prune.run(beforeSec);
  }
}

function maxText(one: string, other: string): string {
  return one > other ? one : other;
}
