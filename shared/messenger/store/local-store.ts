// The local message store: encrypted records in a database. Damaged records are counted and left as they are, never removed.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { ConversationId, MessageKey } from "../model/message.ts";
import type { OwnAndChain } from "../model/progress/message-time.ts";
import type {
  ConversationRecord,
  MessagePosition,
  MessageRecord,
  OutboxRecord,
  SentRecord,
  StoredMessage,
  StreamRecord,
} from "../model/records.ts";
import { type PairRecord, pairRecordOf, type StoredPair } from "../pairs/pair-record.ts";
import { type ChunkReference, chunkKeys } from "./chunk-keys.ts";
import { DAY_KEYS_KEY, type DayKeyHost, type DayKeyNotes, DayKeyRing, type KeySource } from "./day-keys/day-key-ring.ts";
import { NOT_BEGUN } from "./day-keys/day-windows.ts";
import { createRenewableCipher, type RenewableCipher } from "./sealing/record-cipher.ts";
import { sentParts } from "./sealing/sent-parts.ts";
import { SEARCH_BUILT, SEARCH_VERSION } from "./search/search-index.ts";
import type { SerialQueue } from "./serial-queue.ts";
import { StoreBatch } from "./store-batch.ts";
import { storeCall } from "./store-call.ts";
import type { ArrivalRow, MessageRow, OpenDatabase, SealedRow, StoreChange, StoreDatabase } from "./store-database.ts";
import { type StoreCheckpoint, type StoreFinding, StoreGuard } from "./store-guard.ts";
import type { SweepResult } from "./store-sweep.ts";

/** What opening needs. */
export interface LocalStoreOptions {
  readonly keys: StoreKeys<CryptoKey>;
  readonly openDatabase: OpenDatabase;
  /** Called when the host ends the connection to the database. */
  readonly onLost: () => void;
  /** What the vault says of the store; left out, an older store is not noticed. */
  readonly checkpoint?: StoreCheckpoint;
  /** Makes the keys of messages that disappear; left out, those lie under the key of the records alone. */
  readonly dayKeys?: DayKeyHost;
}

const CHECK = "parley message store";

/** Opens the store of a data key. @throws CodedError LOCAL_STORE_FAILED when it cannot be opened or belongs to another key. */
export async function openLocalStore({ keys, openDatabase, onLost, checkpoint, dayKeys }: LocalStoreOptions): Promise<LocalStore> {
  const cipher = createRenewableCipher(keys);
  const database = await storeCall(() => openDatabase(keys.name, onLost));
  const check = await storeCall(() => database.get("meta", "check"));
  if (check !== undefined && (await cipher.open("meta check", check.sealed)) !== CHECK) {
    database.close();
    throw new CodedError("LOCAL_STORE_FAILED", "The message store was written with another key; nothing was changed");
  }
  const guard = new StoreGuard(database, cipher, onLost);
  const finding = await guard.open(checkpoint, check === undefined && (await storeCall(() => database.count("messages"))) === 0);
  if (check === undefined) {
    const sealed = await cipher.seal("meta check", CHECK);
    const built = await cipher.seal(`meta ${SEARCH_BUILT}`, SEARCH_VERSION);
    await guard.write([
      { table: "meta", put: { key: SEARCH_BUILT, sealed: built } },
      { table: "meta", put: { key: "check", sealed } },
    ]);
  }
  const store = new LocalStore(database, { cipher, guard, finding, ring: new DayKeyRing(cipher, keys.dayKeys, dayKeys) });
  await store.loadDayKeys();
  return store;
}

/** What an open store works with. */
interface StoreParts {
  readonly cipher: RenewableCipher;
  readonly guard: StoreGuard;
  readonly finding: StoreFinding | undefined;
  readonly ring: DayKeyRing;
}

/** An open store. */
export class LocalStore {
  readonly #database: StoreDatabase;
  readonly #cipher: RenewableCipher;
  readonly #damaged = new Set<string>();

  /** What was noticed when it was opened: what is there is not what was written last. */
  readonly finding: StoreFinding | undefined;
  readonly #guard: StoreGuard;
  /** Keys of messages that disappear. */
  readonly ring: DayKeyRing;

  constructor(database: StoreDatabase, { cipher, guard, finding, ring }: StoreParts) {
    this.ring = ring;
    this.#database = database;
    this.#cipher = cipher;
    this.#guard = guard;
    this.finding = finding;
  }

  /** Number of the last write. */
  get counter(): number {
    return this.#guard.counter;
  }

  /** Makes all changes durably, or none. @throws CodedError LOCAL_STORE_FAILED. */
  write(changes: readonly StoreChange[]): Promise<void> {
    return this.#guard.write(changes);
  }

  /** The vault has this generation now. */
  noteGeneration(generation: number): void {
    this.#guard.noteGeneration(generation);
  }

  /** Distinct records that could not be decrypted since opening. */
  get damagedRecords(): number {
    return this.#damaged.size;
  }

  messageKey(author: string, id: string): Promise<MessageKey> {
    return this.#cipher.index("message", author, id);
  }

  /**
   * With another password come other keys: what is written from now on lies under them. Call {@link sweep} then.
   * @throws CodedError KEYRING_LOCKED.
   */
  followKeys(keyring: KeySource): Promise<void> {
    return this.ring.follow(keyring);
  }

  /** What is noted of the keys of messages that disappear. */
  async loadDayKeys(): Promise<void> {
    const notes = await this.readMeta<DayKeyNotes>(DAY_KEYS_KEY);
    if (notes !== undefined) this.ring.setNotes(notes);
  }

  /**
   * Destroys the keys of messages that have disappeared. Gives the milliseconds until it is to be done again; undefined where no message is
   * to disappear.
   * @throws CodedError LOCAL_STORE_FAILED, MESSENGER_UNAVAILABLE, KEYRING_LOCKED.
   */
  async checkDayKeys(writer: SerialQueue, now: OwnAndChain): Promise<number | undefined> {
    if (this.ring.all.length === 0) return undefined;
    const { checkDayKeys } = await import("./day-keys/check-day-keys.ts");
    return checkDayKeys({ database: this.#database, guard: this.#guard, cipher: this.#cipher, ring: this.ring }, writer, now);
  }

  /** Checks the messages, and seals again what lies under keys of former passwords. @throws CodedError LOCAL_STORE_FAILED, MESSENGER_UNAVAILABLE. */
  async sweep(writer: SerialQueue): Promise<SweepResult> {
    // In the background, so the first load does without it.
    const { sweepStore } = await import("./store-sweep.ts");
    return sweepStore({ database: this.#database, guard: this.#guard, cipher: this.#cipher, writer });
  }

  /** Name of the row that says which message names a payment. */
  async paymentName(payment: { readonly txId: string; readonly peer: string; readonly direction: string }): Promise<string> {
    return `payment ${await this.#cipher.index("payment", payment.direction, payment.peer, payment.txId)}`;
  }

  /** Name of the row that says for which message a person's payment counts. */
  async claimName(payer: string, txId: string): Promise<string> {
    return `claim ${await this.#cipher.index("claim", payer, txId)}`;
  }

  /** Changes that are written together. */
  begin(): StoreBatch {
    return new StoreBatch(this, this.#database, this.#cipher);
  }

  async loadConversations(): Promise<readonly ConversationRecord[]> {
    const rows = await storeCall(() => this.#database.list("conversations"));
    const records = await Promise.all(rows.map((row) => this.openRow<ConversationRecord>("conversation", row)));
    return records.filter((record) => record !== undefined);
  }

  async loadOutbox(): Promise<readonly OutboxRecord[]> {
    const rows = await storeCall(() => this.#database.list("outbox"));
    const records = await Promise.all(rows.map(({ seq, sealed }) => this.openRow<OutboxRecord>("outbox", { key: String(seq), sealed })));
    return records.filter((record) => record !== undefined);
  }

  async loadStreams(): Promise<readonly StreamRecord[]> {
    const rows = await storeCall(() => this.#database.list("streams"));
    const records = await Promise.all(rows.map((row) => this.openRow<StreamRecord>("stream", row)));
    return records.filter((record) => record !== undefined);
  }

  async loadPairs(): Promise<readonly PairRecord[]> {
    const rows = await storeCall(() => this.#database.list("pairs"));
    const stored = await Promise.all(rows.map((row) => this.openRow<StoredPair>("pair", row)));
    return stored.filter((record) => record !== undefined).map(pairRecordOf);
  }

  /** What was sent at a position of the sender chain to a device, or of a pair's chain, unless it is forgotten. */
  async readSent(device: string, position: number, instance?: string): Promise<SentRecord | undefined> {
    const key = await this.#cipher.index(...sentParts(device, position, instance));
    const row = await storeCall(() => this.#database.get("sent", key));
    return row && this.openRow<SentRecord>("sent", row);
  }

  async readChunk(chunk: ChunkReference): Promise<Uint8Array | undefined> {
    const { key } = await chunkKeys(this.#cipher, chunk);
    return (await storeCall(() => this.#database.get("chunks", key)))?.data;
  }

  async hasChunk(chunk: ChunkReference): Promise<boolean> {
    const { key } = await chunkKeys(this.#cipher, chunk);
    return storeCall(() => this.#database.has("chunks", key));
  }

  /** Messages whose time has come, the earliest first. */
  async readExpired(nowMs: number, limit: number): Promise<readonly MessageKey[]> {
    return storeCall(() => this.#database.expiredMessages(nowMs, limit));
  }

  /** When a message disappears, as its row says. */
  async expiryOf(key: MessageKey): Promise<number | undefined> {
    return (await storeCall(() => this.#database.get("messages", key)))?.expiresAt;
  }

  /** When the next message disappears. */
  async nextExpiry(): Promise<number | undefined> {
    const next = await storeCall(() => this.#database.nextExpiry());
    return next === NOT_BEGUN ? undefined : next;
  }

  async lastOutboxSeq(): Promise<number> {
    return (await storeCall(() => this.#database.lastSeq("outbox"))) ?? 0;
  }

  async readMeta<T>(key: string): Promise<T | undefined> {
    const row = await storeCall(() => this.#database.get("meta", key));
    return row && this.openRow<T>("meta", row);
  }

  async readMessage(key: MessageKey): Promise<MessageRecord | undefined> {
    const row = await storeCall(() => this.#database.get("messages", key));
    return row && this.openRow<MessageRecord>("message", row);
  }

  /** Messages of a conversation before a position (from the newest when none is given), newest first. */
  async readPage(conversation: ConversationId, before: MessagePosition | undefined, limit: number): Promise<readonly StoredMessage[]> {
    const prefix = await this.conversationKey(conversation);
    const rows = await storeCall(() => this.#database.messagesBefore(prefix, before, limit));
    return Promise.all(rows.map(async (row) => ({ key: row.key, record: await this.#readOrDamaged(conversation, row) })));
  }

  /** Messages of a conversation after a position (from the oldest when none is given), oldest first. */
  async readPageAfter(conversation: ConversationId, after: MessagePosition | undefined, limit: number): Promise<readonly StoredMessage[]> {
    const prefix = await this.conversationKey(conversation);
    const rows = await storeCall(() => this.#database.messagesAfter(prefix, after, limit));
    return Promise.all(rows.map(async (row) => ({ key: row.key, record: await this.#readOrDamaged(conversation, row) })));
  }

  async readUnread(conversation: ConversationId): Promise<readonly StoredMessage[]> {
    const key = await this.conversationKey(conversation);
    const rows = await storeCall(() => this.#database.unreadMessages(key));
    return Promise.all(rows.map(async (row) => ({ key: row.key, record: await this.#readOrDamaged(conversation, row) })));
  }

  /** Readable messages in order of their keys, and the key to continue after; undefined at the end. */
  async readAll(
    after: MessageKey | undefined,
    limit: number,
  ): Promise<{ readonly records: readonly MessageRecord[]; readonly last: MessageKey | undefined }> {
    const range = after === undefined ? { limit } : { after, limit };
    const rows = await storeCall(() => this.#database.list("messages", range));
    const records = await Promise.all(rows.map((row) => this.openRow<MessageRecord>("message", row)));
    return { records: records.filter((record) => record !== undefined), last: rows.length < limit ? undefined : rows.at(-1)?.key };
  }

  /** Messages of others in the order in which they came, as far as it is known. */
  async readArrivals(after: number, limit: number): Promise<readonly ArrivalRow[]> {
    return storeCall(() => this.#database.list("arrivals", { after, limit }));
  }

  /** Number of the newest arrival of a time or before; 0 without one. */
  async lastArrival(atMs: number): Promise<number> {
    return (await storeCall(() => this.#database.lastArrival(atMs))) ?? 0;
  }

  async countMessages(): Promise<number> {
    return storeCall(() => this.#database.count("messages"));
  }

  async countChunks(): Promise<number> {
    return storeCall(() => this.#database.count("chunks"));
  }

  async messageKeysOf(conversation: ConversationId): Promise<readonly MessageKey[]> {
    const prefix = await this.conversationKey(conversation);
    return storeCall(() => this.#database.messageKeysOf(prefix));
  }

  conversationKey(id: ConversationId): Promise<string> {
    return this.#cipher.index("conversation", id);
  }

  async openRow<T>(kind: string, row: SealedRow): Promise<T | undefined> {
    const value = await this.#cipher.open(`${kind} ${row.key}`, row.sealed);
    if (value === undefined) this.#damaged.add(`${kind} ${row.key}`);
    return value as T | undefined;
  }

  close(): void {
    this.#database.close();
  }

  async #readOrDamaged(conversation: ConversationId, row: MessageRow): Promise<MessageRecord> {
    const record = await this.openRow<MessageRecord>("message", row);
    return (
      record ?? {
        conversation,
        id: "",
        direction: "in",
        at: row.at,
        body: { kind: "damaged" },
        state: null,
        problem: null,
        isUnread: row.unread === 1,
        hasReceipts: false,
        raw: null,
      }
    );
  }
}
