// Envelopes that were deleted by a caller who did not prove the mailbox's key, in mailbox.db. They stay, for callers that prove it, until
// room is needed; callers without a proof do not see them. Others were read at another node, as it says: they are the first to go as well.
// An envelope that leaves the mailbox leaves this table with it.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";

/** SQL condition on a row of `envelopes`: it is not hidden. */
export const IS_SHOWN = "NOT EXISTS (SELECT 1 FROM hidden_envelopes WHERE hidden_envelopes.seq = envelopes.seq AND is_hidden)";

/** Where a hidden envelope is. */
export interface HiddenEnvelope {
  readonly recipientPub: X25519KeyHex;
  readonly id: string;
}

const NUMBER = "(SELECT number FROM mailboxes WHERE recipient_pub = ?)";
const PLACES = `SELECT id, recipient_pub AS recipientPub FROM hidden_envelopes JOIN envelopes USING (seq)
  JOIN mailboxes ON number = envelopes.mailbox`;

/** Marks of hidden envelopes. Synchronous; durable on return unless called inside a transaction of the mailbox. */
export class HiddenEnvelopeRepository {
  readonly #add;
  readonly #has;
  readonly #count;
  readonly #oldest;
  readonly #oldestOf;

  constructor(database: SqliteDatabase) {
    this.#add = database.prepare<[number, string, string]>(
      `INSERT INTO hidden_envelopes (seq, mailbox, is_hidden) SELECT seq, mailbox, ? FROM envelopes WHERE mailbox = ${NUMBER} AND id = ?
        ON CONFLICT DO UPDATE SET is_hidden = max(is_hidden, excluded.is_hidden)`,
    );
    this.#has = database
      .prepare<[string, string], number>(
        `SELECT 1 FROM hidden_envelopes JOIN envelopes USING (seq) WHERE is_hidden AND envelopes.mailbox = ${NUMBER} AND id = ?`,
      )
      .pluck();
    this.#count = database
      .prepare<[string], number>(`SELECT count(*) FROM hidden_envelopes WHERE mailbox = ${NUMBER} AND is_hidden`)
      .pluck();
    this.#oldest = database.prepare<[], HiddenEnvelope>(`${PLACES} ORDER BY hidden_envelopes.seq LIMIT 1`);
    this.#oldestOf = database.prepare<[string], HiddenEnvelope>(
      `${PLACES} WHERE hidden_envelopes.mailbox = ${NUMBER} ORDER BY hidden_envelopes.seq LIMIT 1`,
    );
  }

  /** Hides an envelope, or only lets it go before others; nothing when there is none. */
  add(recipientPub: X25519KeyHex, id: string, isHidden = true): void {
    this.#add.run(isHidden ? 1 : 0, recipientPub, id);
  }

  has(recipientPub: X25519KeyHex, id: string): boolean {
    return this.#has.get(recipientPub, id) === 1;
  }

  /** Hidden envelopes of a recipient. */
  count(recipientPub: X25519KeyHex): number {
    return this.#count.get(recipientPub) ?? 0;
  }

  /** The one that arrived first of those that go before others, of a recipient or of all. */
  oldest(recipientPub?: X25519KeyHex): HiddenEnvelope | undefined {
    return recipientPub === undefined ? this.#oldest.get() : this.#oldestOf.get(recipientPub);
  }
}
