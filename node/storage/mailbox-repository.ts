// mailbox.db of a data folder: sealed envelopes by recipient key, in order of arrival. Caps and group commits are the relay's business.
import { join } from "node:path";
import { isAuthenticEnvelope } from "#node/crypto/envelope-id.ts";
import { type Envelope, envelopeBytes, type X25519KeyHex } from "#shared/protocol/envelope.ts";
import { DeletedEnvelopeRepository } from "./deleted-envelope-repository.ts";
import { MAILBOX_DATABASE } from "./mailbox-schema.ts";
import { RelayClaimRepository } from "./relay-claim-repository.ts";
import { ServedRecipientRepository } from "./served-recipient-repository.ts";
import { closeSqliteDatabase, inImmediateTransaction, openSqliteDatabase, type SqliteDatabase } from "./sqlite-database.ts";

/** An envelope with what the node knows of it. */
export interface StoredEnvelope {
  readonly envelope: Envelope;
  /** Order of arrival, ascending over the whole mailbox; never used twice. */
  readonly seq: number;
  /** Unix seconds of this node's clock at arrival. */
  readonly receivedAtSec: number;
}

/** Which envelopes of a recipient to list. */
export interface MailboxQuery {
  readonly recipientPub: X25519KeyHex;
  readonly limit: number;
  /** Only what arrived later than this, unix seconds. Arrival counts, not the sender's `sent_at`: a wrong clock of a sender hides nothing. */
  readonly sinceSec?: number;
  /** Only envelopes whose sender wrote a `sent_at` later than this, unix seconds. */
  readonly sentAfterSec?: number;
  /** Only what arrived after the envelope with this `seq`. */
  readonly afterSeq?: number;
}

/** Envelopes in order of arrival. */
export interface MailboxPage {
  readonly items: readonly StoredEnvelope[];
  readonly hasMore: boolean;
}

/** Envelopes in order of arrival, as JSON. */
export interface MailboxText {
  /** Items with commas between them. */
  readonly items: string;
  readonly count: number;
  readonly hasMore: boolean;
}

/** How much of a mailbox is in use. */
export interface Usage {
  readonly count: number;
  readonly bytes: number;
}

/** The sealed envelopes of all recipients. Synchronous; each call is durable on return unless it runs inside `inTransaction`. */
export interface MailboxRepository {
  /** Fees to be collected for envelopes. */
  readonly claims: RelayClaimRepository;
  /** Who reads here. */
  readonly served: ServedRecipientRepository;
  /** What was deleted here. */
  readonly deleted: DeletedEnvelopeRepository;
  /** First write wins, unless the stored one's id is not the hash of its contents and the new one's is: then the new one replaces it. */
  put(envelope: Envelope, receivedAtSec: number): "stored" | "duplicate";
  list(query: MailboxQuery): MailboxPage;
  get(recipientPub: X25519KeyHex, id: string): StoredEnvelope | undefined;
  /** What {@link list} gives, as the JSON text that the interface shows. */
  listText(query: MailboxQuery): MailboxText;
  /** Bytes of an envelope, as {@link envelopeBytes} counts them; undefined when there is none. */
  sizeOf(recipientPub: X25519KeyHex, id: string): number | undefined;
  /** Envelopes of a recipient. */
  count(recipientPub: X25519KeyHex): number;
  /** Envelopes of a recipient and their bytes, as {@link envelopeBytes} counts them. */
  usage(recipientPub: X25519KeyHex): Usage;
  totalBytes(): number;
  /** Envelopes of all recipients. */
  totalCount(): number;
  /** Deletes and remembers that, if there was such an envelope or not. False when there was none. */
  delete(recipientPub: X25519KeyHex, id: string, atSec: number): boolean;
  /** Removes what arrived before a time, unix seconds; returns how many. */
  prune(beforeSec: number): number;
  /** All of the work in one durable commit, or nothing. */
  inTransaction<T>(work: () => T): T;
  close(): void;
}

/** File of the mailbox in a data folder. */
export const MAILBOX_FILE = "mailbox.db";

interface Row extends Envelope {
  readonly seq: number;
  readonly received_at: number;
}

const NO_ITEMS = { text: null, count: 0, last: 0 };
const NOTHING: Usage = { count: 0, bytes: 0 };
/** 9999-12-31T23:59:59Z, the last time that RFC 3339 can write. */
const LAST_WRITABLE_SECOND = 253_402_300_799;
/** JSON of an inbox item. Writing it here will do: the fields were checked when they came, and hold nothing that JSON escapes. */
const ITEM_TEXT = `format('{"id":"%s","seq":%d,"sender_pub":"%s","sender_ed25519_pub":"%s","recipient_pub":"%s","fee_ut":%d,"sent_at":%d,'
  || '"sent_at_human":"%s","nonce":"%s","ciphertext":"%s"}', id, seq, sender_pub, sender_ed25519_pub, recipient_pub, fee_ut, sent_at,
  strftime('%Y-%m-%dT%H:%M:%SZ', min(sent_at, ${LAST_WRITABLE_SECOND}), 'unixepoch'), nonce, ciphertext)`;
const COLUMNS = "id, recipient_pub, sender_pub, sender_ed25519_pub, fee_ut, fee_sig, nonce, ciphertext, sent_at";

/** Opens the mailbox of a data folder, creating it when there is none. @throws CodedError as every database of the folder. */
export function openMailbox(directory: string): MailboxRepository {
  return new SqliteMailbox(openSqliteDatabase(join(directory, MAILBOX_FILE), MAILBOX_DATABASE));
}

class SqliteMailbox implements MailboxRepository {
  readonly claims: RelayClaimRepository;
  readonly served: ServedRecipientRepository;
  readonly deleted: DeletedEnvelopeRepository;
  readonly #database: SqliteDatabase;
  readonly #insert;
  readonly #isAuthentic;
  readonly #list;
  readonly #listText;
  readonly #hasMore;
  readonly #size;
  readonly #get;
  readonly #usage;
  readonly #total;
  readonly #delete;
  readonly #prune;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.claims = new RelayClaimRepository(database);
    this.served = new ServedRecipientRepository(database);
    this.deleted = new DeletedEnvelopeRepository(database);
    this.#insert = database.prepare<[Envelope & { readonly received_at: number; readonly bytes: number; readonly is_authentic: number }]>(
      `INSERT INTO envelopes (${COLUMNS}, received_at, bytes, is_authentic) VALUES (@id, @recipient_pub, @sender_pub, @sender_ed25519_pub,
        @fee_ut, @fee_sig, @nonce, @ciphertext, @sent_at, @received_at, @bytes, @is_authentic)`,
    );
    this.#isAuthentic = database
      .prepare<[string, string], number>("SELECT is_authentic FROM envelopes WHERE recipient_pub = ? AND id = ?")
      .pluck();
    const page = "FROM envelopes WHERE recipient_pub = ? AND seq > ? AND received_at > ? AND sent_at > ? ORDER BY seq LIMIT ?";
    this.#list = database.prepare<[string, number, number, number, number], Row>(`SELECT ${COLUMNS}, seq, received_at ${page}`);
    this.#listText = database.prepare<
      [string, number, number, number, number],
      { readonly text: string | null; readonly count: number; readonly last: number }
    >(`SELECT group_concat(item, ',') AS text, COUNT(*) AS count, MAX(seq) AS last FROM (SELECT ${ITEM_TEXT} AS item, seq ${page})`);
    this.#hasMore = database.prepare<[string, number, number, number, number], number>(`SELECT 1 ${page}`).pluck();
    this.#size = database.prepare<[string, string], number>("SELECT bytes FROM envelopes WHERE recipient_pub = ? AND id = ?").pluck();
    this.#get = database.prepare<[string, string], Row>(
      `SELECT ${COLUMNS}, seq, received_at FROM envelopes WHERE recipient_pub = ? AND id = ?`,
    );
    this.#usage = database.prepare<[string], Usage>("SELECT envelope_count AS count, bytes FROM mailboxes WHERE recipient_pub = ?");
    this.#total = database.prepare<[], Usage>("SELECT envelope_count AS count, bytes FROM mailbox_total");
    this.#delete = database.prepare<[string, string]>("DELETE FROM envelopes WHERE recipient_pub = ? AND id = ?");
    this.#prune = database.prepare<[number]>("DELETE FROM envelopes WHERE received_at < ?");
  }

  put(envelope: Envelope, receivedAtSec: number): "stored" | "duplicate" {
    const work = (): "stored" | "duplicate" => this.#putOne(envelope, receivedAtSec);
    // A batch brings its own transaction, which is kept or dropped as a whole: a second one inside it would only cost time.
    return this.#database.inTransaction ? work() : this.inTransaction(work);
  }

  list({ recipientPub, limit, sinceSec = -1, sentAfterSec = -1, afterSeq = 0 }: MailboxQuery): MailboxPage {
    const rows = this.#list.all(recipientPub, afterSeq, sinceSec, sentAfterSec, limit + 1);
    return { items: rows.slice(0, limit).map(storedOf), hasMore: rows.length > limit };
  }

  listText({ recipientPub, limit, sinceSec = -1, sentAfterSec = -1, afterSeq = 0 }: MailboxQuery): MailboxText {
    const { text, count, last } = this.#listText.get(recipientPub, afterSeq, sinceSec, sentAfterSec, limit) ?? NO_ITEMS;
    const hasMore = count === limit && this.#hasMore.get(recipientPub, last, sinceSec, sentAfterSec, 1) !== undefined;
    return { items: text ?? "", count, hasMore };
  }

  sizeOf(recipientPub: X25519KeyHex, id: string): number | undefined {
    return this.#size.get(recipientPub, id);
  }

  get(recipientPub: X25519KeyHex, id: string): StoredEnvelope | undefined {
    const row = this.#get.get(recipientPub, id);
    return row === undefined ? undefined : storedOf(row);
  }

  count(recipientPub: X25519KeyHex): number {
    return this.usage(recipientPub).count;
  }

  usage(recipientPub: X25519KeyHex): Usage {
    return this.#usage.get(recipientPub) ?? NOTHING;
  }

  totalBytes(): number {
    return this.#total.get()?.bytes ?? 0;
  }

  totalCount(): number {
    return this.#total.get()?.count ?? 0;
  }

  delete(recipientPub: X25519KeyHex, id: string, atSec: number): boolean {
    return this.inTransaction(() => {
      this.deleted.add(recipientPub, id, atSec);
      return this.#delete.run(recipientPub, id).changes > 0;
    });
  }

  prune(beforeSec: number): number {
    return this.inTransaction(() => this.#prune.run(beforeSec).changes);
  }

  inTransaction<T>(work: () => T): T {
    return inImmediateTransaction(this.#database, work);
  }

  close(): void {
    closeSqliteDatabase(this.#database);
  }

  #putOne(envelope: Envelope, receivedAtSec: number): "stored" | "duplicate" {
    const isAuthentic = isAuthenticEnvelope(envelope);
    const stored = this.#isAuthentic.get(envelope.recipient_pub, envelope.id);
    if (stored === 1 || (stored === 0 && !isAuthentic)) return "duplicate";
    if (stored === 0) this.#delete.run(envelope.recipient_pub, envelope.id);
    const bytes = envelopeBytes(envelope);
    this.#insert.run({ ...envelope, received_at: receivedAtSec, bytes, is_authentic: isAuthentic ? 1 : 0 });
    return "stored";
  }
}

function storedOf({ seq, received_at, ...envelope }: Row): StoredEnvelope {
  return { envelope, seq, receivedAtSec: received_at };
}
