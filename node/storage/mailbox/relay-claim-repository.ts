// Fees that a node may collect for envelopes which clients handed to it, in mailbox.db: they stay when the recipient deletes the envelope.
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { RelayClaim } from "#shared/protocol/transactions/payload.ts";
import { inImmediateTransaction, type SqliteDatabase } from "../sqlite-database.ts";

/** A claim in the order of its envelope's arrival. */
export interface StoredClaim extends RelayClaim {
  readonly seq: number;
}

/** An envelope whose sender pays for its delivery. */
export type PaidEnvelope = Pick<Envelope, "id" | "recipient_pub" | "sender_ed25519_pub" | "fee_ut"> & { readonly fee_sig: string };

/** Most claims that are stored: senders without money must not fill the disk. Beyond that the oldest go. */
export const MAX_STORED_CLAIMS = 100_000;

const COLUMNS = "seq, envelope_id, recipient_pub, sender_pub, fee_ut, fee_sig";
const LIST = `SELECT ${COLUMNS} FROM relay_claims WHERE seq > ? ORDER BY seq LIMIT ?`;

/** Claims in order of arrival. */
export function listClaims(database: SqliteDatabase, limit: number, afterSeq = 0): readonly StoredClaim[] {
  return database.prepare<[number, number], StoredClaim>(LIST).all(afterSeq, limit);
}

/** The claims of a mailbox. Synchronous; durable on return unless called inside a transaction of the mailbox. */
export class RelayClaimRepository {
  readonly #database: SqliteDatabase;
  readonly #insert;
  readonly #trim;
  readonly #remove;
  readonly #prune;
  readonly #count;
  readonly #maxClaims: number;

  constructor(database: SqliteDatabase, maxClaims = MAX_STORED_CLAIMS) {
    this.#database = database;
    this.#maxClaims = maxClaims;
    this.#insert = database.prepare<[PaidEnvelope & { readonly received_at: number }]>(
      `INSERT OR IGNORE INTO relay_claims (envelope_id, recipient_pub, sender_pub, fee_ut, fee_sig, received_at)
        VALUES (@id, @recipient_pub, @sender_ed25519_pub, @fee_ut, @fee_sig, @received_at)`,
    );
    this.#trim = database.prepare<[number]>("DELETE FROM relay_claims WHERE seq <= (SELECT max(seq) FROM relay_claims) - ?");
    this.#remove = database.prepare<[number]>("DELETE FROM relay_claims WHERE seq = ?");
    this.#prune = database.prepare<[number]>("DELETE FROM relay_claims WHERE received_at < ?");
    this.#count = database.prepare<[], number>("SELECT count(*) FROM relay_claims").pluck();
  }

  /** Number of claims. */
  get count(): number {
    return this.#count.get() ?? 0;
  }

  /** Stores the claim of an envelope; a sender's envelope is claimed once, for whichever recipients. */
  add({ id, recipient_pub, sender_ed25519_pub, fee_ut, fee_sig }: PaidEnvelope, receivedAtSec: number): void {
    const { changes } = this.#insert.run({ id, recipient_pub, sender_ed25519_pub, fee_ut, fee_sig, received_at: receivedAtSec });
    if (changes > 0) this.#trim.run(this.#maxClaims);
  }

  /** In order of arrival. */
  list(limit: number, afterSeq = 0): readonly StoredClaim[] {
    return listClaims(this.#database, limit, afterSeq);
  }

  /** Forgets claims, in one commit. */
  remove(seqs: readonly number[]): void {
    if (seqs.length === 0) return;
    inImmediateTransaction(this.#database, () => {
      for (const seq of seqs) this.#remove.run(seq);
    });
  }

  /** Forgets what arrived before a time, unix seconds. */
  prune(beforeSec: number): void {
    this.#prune.run(beforeSec);
  }
}
