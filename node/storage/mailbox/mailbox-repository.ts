// mailbox.db of a data folder: sealed envelopes by recipient key, in order of arrival. Caps and group commits are the relay's business.
import { join } from "node:path";
import { isAuthenticEnvelope } from "#node/crypto/envelope-id.ts";
import { type Envelope, envelopeBytes, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { closeSqliteDatabase, inImmediateTransaction, openSqliteDatabase, type SqliteDatabase } from "../sqlite-database.ts";
import { DeletedEnvelopeRepository, deletionRoom } from "./deleted-envelope-repository.ts";
import { IS_SHOWN } from "./hidden-envelope-repository.ts";
import { type MailSource, UNKNOWN_SOURCE } from "./mail-sources.ts";
import { MAILBOX_DATABASE } from "./mailbox-schema.ts";
import { MailboxUsage, type Usage } from "./mailbox-usage.ts";
import { OpenMail } from "./open-mail.ts";
import { boxesOfDisk, OpenedBoxRepository } from "./opened-box-repository.ts";
import { RelayClaimRepository } from "./relay-claim-repository.ts";
import { ServedRecipientRepository } from "./served-recipient-repository.ts";
import { UsedProofRepository } from "./used-proof-repository.ts";
import { ROOMS, type Room, type WaitingEnvelope, WaitingEnvelopes } from "./waiting-envelopes.ts";

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
  /** Only what arrived later than this, unix seconds. Arrival counts, not the sender's `sent_at`: a sender's wrong clock hides nothing. */
  readonly sinceSec?: number;
  /** Only what arrived after the envelope with this `seq`. */
  readonly afterSeq?: number;
  /** True: without what was deleted by a caller who did not prove the mailbox's key. */
  readonly hidesDeleted?: boolean;
  /** Bytes of the page, of at least one envelope; no bound when absent. */
  readonly maxBytes?: number;
}

/** Where an envelope is in the order of arrival. */
export interface EnvelopePosition {
  readonly seq: number;
  readonly id: string;
  /** Unix seconds of this node's clock at arrival. */
  readonly receivedAtSec: number;
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

/** How an envelope is taken in. */
export interface Placing {
  /** Who brought it. */
  readonly source?: MailSource;
  /** Asked before it is written, for the room that what comes on top takes; throws when there is none. */
  readonly findRoom?: (added: Usage) => Room;
  /** The signature by which the box's write key admitted it, base64. */
  readonly admit?: string | undefined;
  /** `seq` of an envelope of the same id that goes for it, once there is room. */
  readonly replaces?: number | undefined;
}

/** The sealed envelopes of all recipients. Synchronous; each call is durable on return unless it runs inside `inTransaction`. */
export interface MailboxRepository {
  /** Fees to be collected for envelopes. */
  readonly claims: RelayClaimRepository;
  /** Who reads here. */
  readonly served: ServedRecipientRepository;
  readonly deleted: DeletedEnvelopeRepository;
  /** Proofs of mailbox keys that something was deleted by. */
  readonly proofs: UsedProofRepository;
  /** What waits, and who brought it. */
  readonly waiting: WaitingEnvelopes;
  /** Boxes that their owners opened. */
  readonly boxes: OpenedBoxRepository;
  /** What is in open boxes: it does not wait, and goes for nothing that does. */
  readonly open: OpenMail;
  /**
   * First write wins, unless the stored one's id is not the hash of its contents and the new one's is, or it is the one that the new one
   * replaces.
   * @throws what `findRoom` throws; nothing is written then.
   */
  put(envelope: Envelope, receivedAtSec: number, placing?: Placing): "stored" | "duplicate";
  list(query: MailboxQuery): MailboxPage;
  get(recipientPub: X25519KeyHex, id: string): StoredEnvelope | undefined;
  /** Positions and ids of a recipient's envelopes after a position, in order of arrival. */
  listIds(recipientPub: X25519KeyHex, afterSeq: number, limit: number): readonly EnvelopePosition[];
  /** Recipients that there are envelopes of, by their keys, after a key. */
  recipients(after: X25519KeyHex, limit: number): readonly X25519KeyHex[];
  /** What {@link list} gives, as the JSON text that the interface shows. */
  listText(query: MailboxQuery): MailboxText;
  /** Bytes of an envelope, as {@link envelopeBytes} counts them; undefined when there is none. */
  sizeOf(recipientPub: X25519KeyHex, id: string): number | undefined;
  /** Envelopes of a recipient. */
  count(recipientPub: X25519KeyHex): number;
  /** Envelopes of a recipient and their bytes, as {@link envelopeBytes} counts them. */
  usage(recipientPub: X25519KeyHex): Usage;
  /** What waits in a mailbox, in order of arrival. */
  waitingOf(recipientPub: X25519KeyHex): ReadonlyMap<number, WaitingEnvelope>;
  /** What a sender has promised for envelopes with postage that wait in a mailbox, µT. */
  postageOf(recipientPub: X25519KeyHex, sender: PublicKeyHex): number;
  totalBytes(): number;
  /** Envelopes of all recipients. */
  totalCount(): number;
  /** Deletes and remembers that, if there was such an envelope or not. False when there was none. */
  delete(recipientPub: X25519KeyHex, id: string, atSec: number): boolean;
  /** Deletes for want of room; another node may bring it back. */
  evict(recipientPub: X25519KeyHex, id: string): void;
  /** Hides an envelope from callers who do not prove the mailbox's key: it waits no more, and goes before others. Not one of an open box. */
  hide(recipientPub: X25519KeyHex, id: string): void;
  /** Another node says that an envelope was read: it waits no more, and goes before others. False when it did not wait, as in open boxes. */
  markRead(recipientPub: X25519KeyHex, id: string): boolean;
  /** Removes what arrived before a time, unix seconds; returns how many. */
  prune(beforeSec: number): number;
  /** All of the work in one durable commit, or nothing. */
  inTransaction<T>(work: () => T): T;
  close(): void;
}

/** File of the mailbox in a data folder. */
export const MAILBOX_FILE = "mailbox.db";

interface Row extends Omit<Envelope, "recipient_pub"> {
  readonly seq: number;
  readonly received_at: number;
  readonly bytes: number;
}

/** A stored envelope by its place and size. */
interface Place {
  readonly seq: number;
  readonly bytes: number;
}

type PageFilter = readonly [mailbox: number, afterSeq: number, sinceSec: number, showsAll: number];
type PageParameters = [...PageFilter, limit: number];

/** Which rows a page holds. */
interface PageExtent {
  readonly parameters: PageFilter;
  readonly count: number;
  readonly hasMore: boolean;
}

const NOTHING: Usage = { count: 0, bytes: 0 };
const NONE: ReadonlyMap<number, WaitingEnvelope> = new Map();
/** 9999-12-31T23:59:59Z, the last time that RFC 3339 can write. */
const LAST_WRITABLE_SECOND = 253_402_300_799;
/** JSON of an inbox item. Writing it here will do: the fields were checked when they came, and only an id can need an escape. */
const ITEM_TEXT = `format('{"id":%s,"seq":%d,"sender_pub":"%s","sender_ed25519_pub":"%s","recipient_pub":"%s","fee_ut":%d,"sent_at":%d,'
  || '"sent_at_human":"%s","nonce":"%s","ciphertext":"%s"}', json_quote(id), seq, sender_pub, sender_ed25519_pub, ?, fee_ut, sent_at,
  strftime('%Y-%m-%dT%H:%M:%SZ', min(sent_at, ${LAST_WRITABLE_SECOND}), 'unixepoch'), nonce, ciphertext)`;
const COLUMNS = "seq, id, bytes, received_at, sent_at, sender_pub, sender_ed25519_pub, fee_ut, fee_sig, nonce, ciphertext";
const PAGE = `FROM envelopes WHERE mailbox = ? AND seq > ? AND received_at > ? AND (? OR ${IS_SHOWN}) ORDER BY seq LIMIT ?`;
/** What the text of an item is longer than its envelope counts, at most: its position and a second form of its time. */
const ITEM_EXTRA_BYTES = 128;

/**
 * Opens the mailbox of a data folder, creating it when there is none. What is remembered of deletions, and of boxes that are over, follows the
 * disk that mail may take, bytes.
 * @throws CodedError as every database of the folder.
 */
export function openMailbox(directory: string, mailDiskBytes?: number): MailboxRepository {
  return new SqliteMailbox(openSqliteDatabase(join(directory, MAILBOX_FILE), MAILBOX_DATABASE), mailDiskBytes);
}

class SqliteMailbox implements MailboxRepository {
  readonly claims: RelayClaimRepository;
  readonly served: ServedRecipientRepository;
  readonly deleted: DeletedEnvelopeRepository;
  readonly proofs: UsedProofRepository;
  readonly waiting: WaitingEnvelopes;
  readonly boxes: OpenedBoxRepository;
  readonly open: OpenMail;
  readonly #database: SqliteDatabase;
  readonly #usage: MailboxUsage;
  /** Highest `seq` that any envelope ever had. */
  #lastSeq: number;
  readonly #insert;
  readonly #list;
  readonly #listText;
  readonly #listBytes;
  readonly #listIds;
  readonly #recipients;
  readonly #place;
  readonly #get;
  readonly #broughtBy;
  readonly #delete;
  readonly #mark;
  readonly #expired;
  readonly #prune;

  constructor(database: SqliteDatabase, mailDiskBytes?: number) {
    this.#database = database;
    this.claims = new RelayClaimRepository(database);
    this.served = new ServedRecipientRepository(database);
    this.deleted = new DeletedEnvelopeRepository(database, mailDiskBytes === undefined ? undefined : deletionRoom(mailDiskBytes));
    this.proofs = new UsedProofRepository(database);
    this.waiting = new WaitingEnvelopes(database);
    this.boxes = new OpenedBoxRepository(database, mailDiskBytes === undefined ? undefined : boxesOfDisk(mailDiskBytes));
    this.open = new OpenMail(database);
    this.#usage = new MailboxUsage(database);
    this.#lastSeq =
      database.prepare<[], number>(`SELECT max(coalesce((SELECT max(seq) FROM envelopes), 0), last_seq) FROM mailbox_mark`).pluck().get() ??
      0;
    this.#insert = database.prepare<unknown[]>(`INSERT INTO envelopes (mailbox, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#list = database.prepare<PageParameters, Row>(`SELECT ${COLUMNS} ${PAGE}`);
    this.#listText = database
      .prepare<[string, ...PageParameters], string | null>(`SELECT group_concat(item, ',') FROM (SELECT ${ITEM_TEXT} AS item ${PAGE})`)
      .pluck();
    this.#listBytes = database.prepare<PageParameters, number>(`SELECT bytes ${PAGE}`).pluck();
    this.#listIds = database.prepare<[number, number, number], EnvelopePosition>(
      "SELECT seq, id, received_at AS receivedAtSec FROM envelopes WHERE mailbox = ? AND seq > ? ORDER BY seq LIMIT ?",
    );
    this.#recipients = database
      .prepare<[string, number], X25519KeyHex>(
        "SELECT recipient_pub FROM mailboxes WHERE recipient_pub > ? AND envelope_count > 0 ORDER BY recipient_pub LIMIT ?",
      )
      .pluck();
    this.#place = database.prepare<[number, string], Place>("SELECT seq, bytes FROM envelopes WHERE mailbox = ? AND id = ?");
    this.#get = database.prepare<[number, string], Row>(`SELECT ${COLUMNS} FROM envelopes WHERE mailbox = ? AND id = ?`);
    this.#broughtBy = database
      .prepare<[number, number], string | null>(
        `SELECT coalesce((SELECT party FROM open_envelopes JOIN open_sources ON number = source WHERE seq = ?),
          (SELECT party FROM waiting_envelopes JOIN mail_sources ON number = source WHERE seq = ?))`,
      )
      .pluck();
    this.#delete = database.prepare<[number, string]>("DELETE FROM envelopes WHERE mailbox = ? AND id = ?");
    this.#mark = database.prepare<[number]>("UPDATE mailbox_mark SET last_seq = ?");
    this.#expired = database.prepare<[number], Usage & { readonly recipientPub: X25519KeyHex }>(
      `SELECT recipient_pub AS recipientPub, count(*) AS count, sum(envelopes.bytes) AS bytes
        FROM envelopes JOIN mailboxes ON number = mailbox WHERE received_at < ? GROUP BY mailbox`,
    );
    this.#prune = database.prepare<[number]>("DELETE FROM envelopes WHERE received_at < ?");
  }

  put(envelope: Envelope, receivedAtSec: number, placing: Placing = {}): "stored" | "duplicate" {
    return this.inTransaction(() => this.#putOne(envelope, receivedAtSec, placing));
  }

  list(query: MailboxQuery): MailboxPage {
    const page = this.#pageOf(query);
    if (page === undefined) return { items: [], hasMore: false };
    const items = this.#list.all(...page.parameters, page.count).map((row) => storedOf(row, query.recipientPub));
    return { items, hasMore: page.hasMore };
  }

  listText(query: MailboxQuery): MailboxText {
    const page = this.#pageOf(query);
    if (page === undefined) return { items: "", count: 0, hasMore: false };
    const text = this.#listText.get(query.recipientPub, ...page.parameters, page.count);
    return { items: text ?? "", count: page.count, hasMore: page.hasMore };
  }

  sizeOf(recipientPub: X25519KeyHex, id: string): number | undefined {
    const mailbox = this.#usage.find(recipientPub);
    return mailbox && this.#place.get(mailbox.number, id)?.bytes;
  }

  get(recipientPub: X25519KeyHex, id: string): StoredEnvelope | undefined {
    const mailbox = this.#usage.find(recipientPub);
    const row = mailbox && this.#get.get(mailbox.number, id);
    return row && storedOf(row, recipientPub);
  }

  listIds(recipientPub: X25519KeyHex, afterSeq: number, limit: number): readonly EnvelopePosition[] {
    const mailbox = this.#usage.find(recipientPub);
    return mailbox === undefined ? [] : this.#listIds.all(mailbox.number, afterSeq, limit);
  }

  recipients(after: X25519KeyHex, limit: number): readonly X25519KeyHex[] {
    return this.#recipients.all(after, limit);
  }

  count(recipientPub: X25519KeyHex): number {
    return this.usage(recipientPub).count;
  }

  usage(recipientPub: X25519KeyHex): Usage {
    const { count, bytes } = this.#usage.find(recipientPub) ?? NOTHING;
    return { count, bytes };
  }

  waitingOf(recipientPub: X25519KeyHex): ReadonlyMap<number, WaitingEnvelope> {
    const mailbox = this.#usage.find(recipientPub);
    return mailbox === undefined ? NONE : this.waiting.of(mailbox.number);
  }

  postageOf(recipientPub: X25519KeyHex, sender: PublicKeyHex): number {
    const mailbox = this.#usage.find(recipientPub);
    return mailbox === undefined ? 0 : this.waiting.postageOf(mailbox.number, sender);
  }

  totalBytes(): number {
    return this.#usage.total.bytes;
  }

  totalCount(): number {
    return this.#usage.total.count;
  }

  delete(recipientPub: X25519KeyHex, id: string, atSec: number): boolean {
    return this.inTransaction(() => {
      const mailbox = this.#usage.find(recipientPub);
      const place = mailbox && this.#place.get(mailbox.number, id);
      this.deleted.add(recipientPub, id, atSec, place && (this.#broughtBy.get(place.seq, place.seq) ?? undefined));
      return this.#remove(recipientPub, id);
    });
  }

  evict(recipientPub: X25519KeyHex, id: string): void {
    this.inTransaction(() => this.#remove(recipientPub, id));
  }

  hide(recipientPub: X25519KeyHex, id: string): void {
    this.inTransaction(() => {
      if (this.open.has(recipientPub, id)) return;
      this.deleted.hidden.add(recipientPub, id);
      this.#endWaiting(recipientPub, id);
    });
  }

  markRead(recipientPub: X25519KeyHex, id: string): boolean {
    return this.inTransaction(() => {
      const didWait = this.#endWaiting(recipientPub, id);
      if (didWait) this.deleted.hidden.add(recipientPub, id, false);
      return didWait;
    });
  }

  prune(beforeSec: number): number {
    return this.inTransaction(() => {
      const expired = this.#expired.all(beforeSec);
      if (expired.length === 0) return 0;
      this.#mark.run(this.#lastSeq);
      this.waiting.expire(beforeSec);
      this.open.expire(beforeSec);
      for (const { recipientPub, count, bytes } of expired) this.#usage.add(recipientPub, { count: -count, bytes: -bytes });
      return this.#prune.run(beforeSec).changes;
    });
  }

  inTransaction<T>(work: () => T): T {
    // A batch is stored or dropped as a whole: what runs inside it needs no transaction of its own.
    if (this.#database.inTransaction) return work();
    try {
      return inImmediateTransaction(this.#database, () => {
        const result = work();
        this.#usage.write();
        this.waiting.write();
        this.open.write();
        return result;
      });
    } catch (error) {
      this.#usage.forget();
      this.waiting.forget();
      this.open.forget();
      this.boxes.forget();
      throw error;
    }
  }

  close(): void {
    closeSqliteDatabase(this.#database);
  }

  /** How many envelopes a page holds, by their sizes alone: those that do not fit are not read. Undefined for an empty mailbox. */
  #pageOf(query: MailboxQuery): PageExtent | undefined {
    const { recipientPub, limit, sinceSec = -1, afterSeq = 0, hidesDeleted = false, maxBytes } = query;
    const number = this.#usage.find(recipientPub)?.number;
    if (number === undefined) return undefined;
    const parameters = [number, afterSeq, sinceSec, hidesDeleted ? 0 : 1] as const;
    const sizes = this.#listBytes.all(...parameters, limit + 1);
    let room = maxBytes ?? Number.POSITIVE_INFINITY;
    const beyond = sizes.slice(0, limit).findIndex((bytes, index) => {
      room -= bytes + ITEM_EXTRA_BYTES;
      return room < 0 && index > 0;
    });
    const count = beyond < 0 ? Math.min(sizes.length, limit) : beyond;
    return { parameters, count, hasMore: count < sizes.length };
  }

  #endWaiting(recipientPub: X25519KeyHex, id: string): boolean {
    const mailbox = this.#usage.find(recipientPub);
    const place = mailbox && this.#place.get(mailbox.number, id);
    return mailbox !== undefined && place !== undefined && this.waiting.remove(mailbox.number, place.seq);
  }

  #remove(recipientPub: X25519KeyHex, id: string): boolean {
    const mailbox = this.#usage.find(recipientPub);
    const place = mailbox && this.#place.get(mailbox.number, id);
    if (mailbox === undefined || place === undefined) return false;
    this.#mark.run(this.#lastSeq);
    if (!this.open.remove(place.seq)) this.waiting.remove(mailbox.number, place.seq);
    this.#delete.run(mailbox.number, id);
    this.#usage.add(recipientPub, { count: -1, bytes: -place.bytes });
    return true;
  }

  #putOne(envelope: Envelope, receivedAtSec: number, placing: Placing): "stored" | "duplicate" {
    const { source = UNKNOWN_SOURCE, findRoom, admit, replaces } = placing;
    const { recipient_pub: recipientPub, id, sent_at, sender_pub, sender_ed25519_pub, fee_ut, fee_sig, nonce, ciphertext } = envelope;
    const found = this.get(recipientPub, id);
    const stored = found?.envelope;
    const isReplaced = found !== undefined && found.seq === replaces;
    if (stored !== undefined && !isReplaced && (isAuthenticEnvelope(stored) || !isAuthenticEnvelope(envelope))) return "duplicate";
    const bytes = envelopeBytes(envelope);
    const added: Usage = stored === undefined ? { count: 1, bytes } : { count: 0, bytes: bytes - envelopeBytes(stored) };
    const room = findRoom?.(added) ?? ROOMS.free;
    // Unless it went for the room already.
    if (found !== undefined) this.#remove(recipientPub, id);
    const mailbox = this.#usage.add(recipientPub, { count: 1, bytes });
    this.#lastSeq += 1;
    this.#insert.run(
      mailbox,
      this.#lastSeq,
      id,
      bytes,
      receivedAtSec,
      sent_at,
      sender_pub,
      sender_ed25519_pub,
      fee_ut,
      fee_sig,
      nonce,
      ciphertext,
    );
    const seq = this.#lastSeq;
    if (admit !== undefined) this.open.setAdmit(seq, admit);
    if (room === ROOMS.open) this.open.add(mailbox, { seq, source: this.open.sources.numberOf(source), bytes });
    else this.waiting.add(mailbox, { seq, source: this.waiting.sources.numberOf(source), room, bytes, feeUt: fee_ut });
    return "stored";
  }
}

function storedOf(row: Row, recipientPub: X25519KeyHex): StoredEnvelope {
  const { seq, received_at, id, sender_pub, sender_ed25519_pub, fee_ut, fee_sig, nonce, ciphertext, sent_at } = row;
  const envelope = { id, recipient_pub: recipientPub, sender_pub, sender_ed25519_pub, fee_ut, fee_sig, nonce, ciphertext, sent_at };
  return { envelope, seq, receivedAtSec: received_at };
}
