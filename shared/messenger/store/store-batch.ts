// Changes to the local store that take effect together or not at all. Reads see the changes made so far.
// Encryption is asynchronous and a transaction of a database is not, so everything is sealed before it begins.
import type { MessageReference } from "#shared/content/content.ts";
import type { Amendment } from "../model/amend-message.ts";
import { tiedTo } from "../model/body-traits.ts";
import type { ConversationId, MessageKey } from "../model/message.ts";
import type { ConversationRecord, MessageRecord, OutboxRecord, SentRecord, StoredMessage, StreamRecord } from "../model/records.ts";
import { type PairRecord, storedPair } from "../pairs/pair-record.ts";
import { absent, deleting, present, putting, type SealedRows } from "./batch-rows.ts";
import { type ChunkReference, chunkKeys } from "./chunk-keys.ts";
import { DAY_KEYS_KEY, type DayKeyRing } from "./day-keys/day-key-ring.ts";
import { WAITING } from "./day-keys/day-windows.ts";
import {
  rowSealer,
  sealConversation,
  sealMessage,
  stainedBy,
  timeOf,
  windowOfEntry,
  windowOfWaiting,
  windowsOf,
} from "./day-keys/hide-changes.ts";
import type { RecordCipher } from "./sealing/record-cipher.ts";
import { type PairPosition, sentParts } from "./sealing/sent-parts.ts";
import { SEARCH_BUILT, SEARCH_LOCATION, type SearchEntry, searchEntry } from "./search/search-index.ts";
import {
  MAX_ARRIVALS,
  MAX_TIED_ANSWERS,
  MAX_WAITING_AMENDMENTS,
  MAX_WAITING_AUTHORS,
  PAIR_RETENTION_MS,
  RETENTION_MS,
} from "./store-bounds.ts";
import { storeCall } from "./store-call.ts";
import {
  AGING_TABLES,
  type AgingRow,
  type AgingTable,
  type ChunkRow,
  type EarlyRow,
  type MessageRow,
  type StoreChange,
  type StoreDatabase,
} from "./store-database.ts";

/** What removes the index. */
const WIPED_SEARCH: readonly StoreChange[] = [
  { table: "search", deleteUpTo: Number.MAX_SAFE_INTEGER },
  { table: "meta", delete: SEARCH_BUILT },
];

/** A message that may be new. */
export interface ExpectedMessage {
  readonly conversation: ConversationId;
  readonly author: string;
  readonly id: string;
}

/** What a batch reads of its store. */
export interface BatchSource {
  readMessage(key: MessageKey): Promise<MessageRecord | undefined>;
  readMeta<T>(key: string): Promise<T | undefined>;
  conversationKey(id: ConversationId): Promise<string>;
  readonly ring: DayKeyRing;
  write(changes: readonly StoreChange[]): Promise<void>;
}

/** What a committed batch changed, for those who show it. */
export interface BatchResult {
  readonly messages: readonly StoredMessage[];
  readonly deleted: readonly MessageKey[];
}

/** One set of changes; used once. */
export class StoreBatch {
  readonly #store: BatchSource;
  readonly #database: StoreDatabase;
  readonly #cipher: RecordCipher;
  readonly #messages = new Map<MessageKey, MessageRecord | undefined>();
  readonly #conversations = new Map<ConversationId, ConversationRecord | undefined>();
  readonly #outbox = new Map<number, OutboxRecord | undefined>();
  readonly #early = new Map<string, EarlyRow | undefined>();
  readonly #meta = new Map<string, unknown>();
  /** Records among those that go with the words of a message that disappears. */
  readonly #fadingMeta = new Set<string>();
  readonly #amendments = new Map<string, Aging<unknown> | undefined>();
  readonly #sent = new Map<string, Aging<SentRecord>>();
  readonly #streams = new Map<string, StreamRecord | undefined>();
  readonly #pairs = new Map<string, PairRecord | undefined>();
  readonly #pruned: { readonly table: AgingTable; readonly key: string }[] = [];
  readonly #search: SearchEntry[] = [];
  #wipesSearch = false;
  readonly #chunks = new Map<string, ChunkRow | undefined>();
  readonly #seen = new Set<MessageKey>();
  readonly #arrivals: { readonly key: MessageKey; readonly conversation: ConversationId; readonly at: number }[] = [];
  #droppedArrivals = 0;
  /** What was read for messages that are expected, before one after the other asks for it. */
  readonly #read = {
    seen: new Map<string, boolean>(),
    early: new Map<string, EarlyRow | undefined>(),
    amendments: new Map<string, AgingRow | undefined>(),
  };

  constructor(store: BatchSource, database: StoreDatabase, cipher: RecordCipher) {
    this.#store = store;
    this.#database = database;
    this.#cipher = cipher;
  }

  /** Reads at once what {@link hasSeen}, {@link takeEarly} and {@link takeAmendments} will be asked of these messages. */
  async expect(messages: readonly ExpectedMessage[]): Promise<void> {
    const [seen, early, amendments] = await Promise.all([
      Promise.all(messages.map(({ author, id }) => this.#cipher.index("message", author, id))),
      Promise.all(messages.map(({ author, id }) => this.#cipher.index("early", "mark", author, id))),
      Promise.all(messages.map(({ conversation, author, id }) => this.#cipher.index("amendment", conversation, author, id))),
    ]);
    const rows = await Promise.all([
      storeCall(() => this.#database.getMany("seen", seen)),
      storeCall(() => this.#database.getMany("early", early)),
      storeCall(() => this.#database.getMany("amendments", amendments)),
    ]);
    for (const [at, key] of seen.entries()) this.#read.seen.set(key, rows[0][at] !== undefined);
    for (const [at, key] of early.entries()) this.#read.early.set(key, rows[1][at]);
    for (const [at, key] of amendments.entries()) this.#read.amendments.set(key, rows[2][at]);
  }

  async message(key: MessageKey): Promise<MessageRecord | undefined> {
    return this.#messages.has(key) ? this.#messages.get(key) : this.#store.readMessage(key);
  }

  putMessage(key: MessageKey, record: MessageRecord): void {
    this.#messages.set(key, record);
    this.#seen.add(key);
  }

  /** A message that is new, or has another wording: it can be found by that. */
  putSearchable(key: MessageKey, record: MessageRecord): void {
    this.putMessage(key, record);
    const entry = searchEntry(key, record);
    if (entry !== undefined) this.#search.push(entry);
  }

  /** Answers to a message that repeat words of it, or may. */
  async answersTo(to: MessageReference): Promise<readonly MessageKey[]> {
    const name = await this.#answerName(to);
    const stored = await storeCall(() => this.#database.answersTo(name, MAX_TIED_ANSWERS));
    const changed = present(this.#messages).filter(([, record]) => {
      const { author, id } = tiedTo(record) ?? {};
      return author === to.author && id === to.id;
    });
    return [...stored.filter((key) => !this.#messages.has(key)), ...changed.map(([key]) => key)];
  }

  #answerName({ author, id }: MessageReference): Promise<string> {
    return this.#cipher.index("answer", author, id);
  }

  /** Notes that a message of another person came. */
  addArrival(key: MessageKey, conversation: ConversationId, at: number): void {
    this.#arrivals.push({ key, conversation, at });
  }

  /** The message stays known, so that its envelope cannot bring it back. */
  deleteMessage(key: MessageKey): void {
    this.#messages.set(key, undefined);
    this.wipeSearch();
  }

  /** Words are gone, from the index too: it is built again at the next search. */
  wipeSearch(): void {
    this.#wipesSearch = true;
  }

  /** Remembers for good that something was here. */
  addSeen(key: MessageKey): void {
    this.#seen.add(key);
  }

  async hasSeen(key: MessageKey): Promise<boolean> {
    return this.#seen.has(key) || (this.#read.seen.get(key) ?? storeCall(() => this.#database.has("seen", key)));
  }

  putConversation(record: ConversationRecord): void {
    this.#conversations.set(record.id, record);
  }

  deleteConversation(id: ConversationId): void {
    this.#conversations.set(id, undefined);
  }

  putOutbox(record: OutboxRecord): void {
    this.#outbox.set(record.seq, record);
  }

  deleteOutbox(seq: number): void {
    this.#outbox.set(seq, undefined);
  }

  async meta<T>(key: string): Promise<T | undefined> {
    return this.#meta.has(key) ? (this.#meta.get(key) as T) : this.#store.readMeta<T>(key);
  }

  /** True where a record is written or deleted. */
  writesMeta(key: string): boolean {
    return this.#meta.has(key);
  }

  /** `isFading`: it repeats something of a message that disappears. */
  putMeta(key: string, value: unknown, isFading = false): void {
    this.#meta.set(key, value);
    if (isFading) this.#fadingMeta.add(key);
    else this.#fadingMeta.delete(key);
  }

  deleteMeta(key: string): void {
    this.#meta.set(key, undefined);
  }

  /** Remembers what is known about a message that is not here yet. */
  async putEarly(parts: readonly string[], row: Omit<EarlyRow, "key">): Promise<void> {
    const key = await this.#cipher.index("early", ...parts);
    const known = await this.#readEarly(key);
    if (known?.state !== "read") this.#early.set(key, { key, ...row });
  }

  /** Takes what {@link putEarly} remembered. */
  async takeEarly(parts: readonly string[]): Promise<EarlyRow["state"] | undefined> {
    const key = await this.#cipher.index("early", ...parts);
    const row = await this.#readEarly(key);
    if (row !== undefined) this.#early.set(key, undefined);
    return row?.state;
  }

  /** Remembers a change of a message that is not here yet. */
  async putAmendment(parts: readonly string[], amendment: Amendment, nowMs: number): Promise<void> {
    const key = await this.#cipher.index("amendment", ...parts);
    const known = ((await this.#readWaiting(key))?.value ?? []) as readonly Amendment[];
    const own = known.filter(({ from }) => from === amendment.from).length;
    const hasRoom = own > 0 ? own < MAX_WAITING_AMENDMENTS : new Set(known.map(({ from }) => from)).size < MAX_WAITING_AUTHORS;
    const value = [...known, amendment];
    // When the message comes to an end is not known before it is here.
    if (hasRoom) this.#amendments.set(key, { at: nowMs, value, isFading: value.some(({ body }) => body.kind === "edit") });
  }

  /** What {@link putAmendment} remembered, in order of arrival. */
  async waitingAmendments(parts: readonly string[]): Promise<readonly Amendment[]> {
    const known = await this.#readWaiting(await this.#cipher.index("amendment", ...parts));
    return (known?.value ?? []) as readonly Amendment[];
  }

  /** Takes what {@link putAmendment} remembered, in order of arrival. */
  async takeAmendments(parts: readonly string[]): Promise<readonly Amendment[]> {
    const key = await this.#cipher.index("amendment", ...parts);
    return ((await this.#takeWaiting(key)) ?? []) as readonly Amendment[];
  }

  /** Remembers what waits for something else, in place of what was remembered there. `isFading`: messages are in it that may disappear. */
  async putWaiting(parts: readonly string[], value: unknown, { nowMs, isFading }: WaitingOptions): Promise<void> {
    this.#amendments.set(await this.#cipher.index("waiting", ...parts), { at: nowMs, value, isFading });
  }

  /** Takes what {@link putWaiting} remembered. */
  async takeWaiting(parts: readonly string[]): Promise<unknown> {
    return this.#takeWaiting(await this.#cipher.index("waiting", ...parts));
  }

  async #takeWaiting(key: string): Promise<unknown> {
    const known = await this.#readWaiting(key);
    if (known !== undefined) this.#amendments.set(key, undefined);
    return known?.value;
  }

  /** Stores what was sent at a position of the sender chain to a device. */
  async putSent(device: string, position: number, record: SentRecord, nowMs: number): Promise<void> {
    this.#sent.set(await this.#cipher.index(...sentParts(device, position)), { at: nowMs, value: record });
  }

  /**
   * Stores what was sent at a position of a pair's chain. It is remembered as long as an acknowledgement may turn out to be of a device that
   * was set back.
   */
  async putPairSent({ device, instance, position }: PairPosition, record: SentRecord, nowMs: number): Promise<void> {
    const at = nowMs + PAIR_RETENTION_MS - RETENTION_MS;
    this.#sent.set(await this.#cipher.index(...sentParts(device, position, instance)), { at, value: record });
  }

  async putPair(record: PairRecord): Promise<void> {
    this.#pairs.set(await this.#cipher.index("pair", record.device), record);
  }

  async deletePair(device: string): Promise<void> {
    this.#pairs.set(await this.#cipher.index("pair", device), undefined);
  }

  async putStream(record: StreamRecord): Promise<void> {
    this.#streams.set(await this.#cipher.index("stream", record.device, record.stream), record);
  }

  async deleteStream({ device, stream }: Pick<StreamRecord, "device" | "stream">): Promise<void> {
    this.#streams.set(await this.#cipher.index("stream", device, stream), undefined);
  }

  /** Stores a chunk; `orphanAt` is given while its message has not come. */
  async putChunk(chunk: ChunkReference, data: Uint8Array, orphanAt: number | null): Promise<void> {
    const { key, file } = await chunkKeys(this.#cipher, chunk);
    this.#chunks.set(key, { key, file, data, ...(orphanAt === null ? {} : { orphanAt }) });
  }

  async hasChunk(chunk: ChunkReference): Promise<boolean> {
    const { key } = await chunkKeys(this.#cipher, chunk);
    if (this.#chunks.has(key)) return this.#chunks.get(key) !== undefined;
    return storeCall(() => this.#database.has("chunks", key));
  }

  /** Chunks that wait for their message. */
  async earlyChunks(): Promise<number> {
    const stored = await storeCall(() => this.#database.orphanedChunks(Number.MAX_SAFE_INTEGER));
    const added = present(this.#chunks).filter(([key, { orphanAt }]) => orphanAt !== undefined && !stored.includes(key));
    return stored.filter((key) => !this.#chunks.has(key) || this.#chunks.get(key)?.orphanAt !== undefined).length + added.length;
  }

  /** The message of these chunks has come: they stay. Returns how many there are. */
  async claimChunks(chunk: Omit<ChunkReference, "index">): Promise<number> {
    const rows = await this.#chunksOf(chunk);
    for (const { orphanAt: _, ...row } of rows) this.#chunks.set(row.key, row);
    return rows.length;
  }

  /** Removes the chunks of a file that has so many at most, without reading them. */
  async deleteChunks(chunk: Omit<ChunkReference, "index">, total: number): Promise<void> {
    for (let index = 0; index < total; index += 1) {
      const { key } = await chunkKeys(this.#cipher, { ...chunk, index });
      this.#chunks.set(key, undefined);
    }
  }

  async #chunksOf(chunk: Omit<ChunkReference, "index">): Promise<readonly ChunkRow[]> {
    const { file } = await chunkKeys(this.#cipher, { ...chunk, index: 0 });
    const stored = await storeCall(() => this.#database.chunksOf(file));
    const changed = present(this.#chunks).flatMap(([, row]) => (row.file === file ? [row] : []));
    return [...stored.filter(({ key }) => !this.#chunks.has(key)), ...changed];
  }

  /** Forgets what has aged since before a time. */
  async prune(beforeMs: number): Promise<void> {
    for (const table of AGING_TABLES) {
      const keys = await storeCall(() => this.#database.agedKeys(table, beforeMs));
      for (const key of keys) this.#pruned.push({ table, key });
    }
    const orphans = await storeCall(() => this.#database.orphanedChunks(beforeMs));
    for (const key of orphans) this.#chunks.set(key, undefined);
    const last = (await storeCall(() => this.#database.lastSeq("arrivals"))) ?? 0;
    const aged = (await storeCall(() => this.#database.lastArrival(beforeMs))) ?? 0;
    this.#droppedArrivals = Math.max(0, aged, last - MAX_ARRIVALS);
  }

  /** Writes everything durably. @throws CodedError LOCAL_STORE_FAILED, and then nothing was written. */
  async commit(): Promise<BatchResult> {
    const { ring } = this.#store;
    const rows = { messages: this.#messages, conversations: this.#conversations, outbox: this.#outbox, meta: this.#meta };
    const pruned = this.#pruned.filter(({ table }) => table === "amendments").map(({ key }) => key);
    const fading = { ...rows, amendments: this.#amendments, pruned, fadingMeta: this.#fadingMeta };
    await ring.require(windowsOf(fading));
    const conversationKey = (id: ConversationId): Promise<string> => this.#store.conversationKey(id);
    const stained = await stainedBy({ database: this.#database, cipher: this.#cipher, ring, conversationKey }, fading);
    const notes = ring.stainedWith(stained);
    if (notes !== undefined) this.putMeta(DAY_KEYS_KEY, notes);
    const puts = await this.#sealAll();
    await this.#store.write([
      ...putting("messages", puts.messages),
      ...putting("conversations", puts.conversations),
      ...putting("outbox", puts.outbox),
      ...putting("meta", puts.meta),
      ...deleting("meta", absent(this.#meta)),
      ...putting(
        "seen",
        [...this.#seen].map((key) => ({ key })),
      ),
      ...putting(
        "early",
        present(this.#early).map(([, row]) => row),
      ),
      ...deleting("messages", absent(this.#messages)),
      ...deleting("conversations", puts.removedConversations),
      ...deleting("outbox", absent(this.#outbox)),
      ...deleting("early", absent(this.#early)),
      ...putting("amendments", puts.amendments),
      ...deleting("amendments", absent(this.#amendments)),
      ...putting("sent", puts.sent),
      ...putting("streams", puts.streams),
      ...deleting("streams", absent(this.#streams)),
      ...putting("pairs", puts.pairs),
      ...deleting("pairs", absent(this.#pairs)),
      ...putting(
        "chunks",
        present(this.#chunks).map(([, row]) => row),
      ),
      ...deleting("chunks", absent(this.#chunks)),
      ...(this.#wipesSearch ? WIPED_SEARCH : []),
      ...puts.search.map((sealed): StoreChange => ({ table: "search", add: { sealed } })),
      ...puts.arrivals.map((add): StoreChange => ({ table: "arrivals", add })),
      ...(this.#droppedArrivals === 0 ? [] : [{ table: "arrivals", deleteUpTo: this.#droppedArrivals } as const]),
      ...this.#pruned.flatMap(({ table, key }) => deleting(table, [key])),
    ]);
    if (notes !== undefined) ring.setNotes(notes);
    return { messages: present(this.#messages).map(([key, record]) => ({ key, record })), deleted: absent(this.#messages) };
  }

  async #readEarly(key: string): Promise<EarlyRow | undefined> {
    if (this.#early.has(key)) return this.#early.get(key);
    return this.#read.early.has(key) ? this.#read.early.get(key) : storeCall(() => this.#database.get("early", key));
  }

  async #readWaiting(key: string): Promise<Aging<unknown> | undefined> {
    if (this.#amendments.has(key)) return this.#amendments.get(key);
    const { amendments } = this.#read;
    const row = amendments.has(key) ? amendments.get(key) : await storeCall(() => this.#database.get("amendments", key));
    const value = row && (await this.#cipher.open(`amendment ${key}`, row.sealed));
    return row === undefined || value === undefined ? undefined : { at: row.at, value };
  }

  async #sealAll(): Promise<SealedRows> {
    const seal = rowSealer(this.#cipher, this.#store.ring);
    const aging = (kind: string, entries: readonly (readonly [string, Aging<unknown>])[]): Promise<AgingRow[]> =>
      Promise.all(
        entries.map(async ([key, { at, value, ...waiting }]) => ({
          key,
          at,
          sealed: await seal(kind, key, value, windowOfWaiting(waiting)),
        })),
      );
    const messages = present(this.#messages).map(async ([key, record]): Promise<MessageRow> => {
      const conversation = await this.#store.conversationKey(record.conversation);
      const sealed = await sealMessage(this.#cipher, this.#store.ring, { key, record });
      const to = tiedTo(record);
      const tie = to && { answers: await this.#answerName(to) };
      return { key, conversation, at: record.at, sealed, ...(record.isUnread ? { unread: 1 } : {}), ...timeOf(record), ...tie };
    });
    const streams = present(this.#streams).map(async ([key, record]) => ({ key, sealed: await seal("stream", key, record) }));
    const pairs = present(this.#pairs).map(async ([key, record]) => ({ key, sealed: await seal("pair", key, storedPair(record)) }));
    const conversations = present(this.#conversations).map(async ([id, record]) => {
      const key = await this.#store.conversationKey(id);
      return { key, sealed: await sealConversation(this.#cipher, this.#store.ring, { key, record }) };
    });
    const outbox = present(this.#outbox).map(async ([seq, record]) => ({
      seq,
      sealed: await seal("outbox", String(seq), record, windowOfEntry(record)),
    }));
    const meta = present(this.#meta).map(async ([key, value]) => ({
      key,
      sealed: await seal("meta", key, value, this.#fadingMeta.has(key) ? WAITING : undefined),
    }));
    return {
      messages: await Promise.all(messages),
      conversations: await Promise.all(conversations),
      removedConversations: await Promise.all(absent(this.#conversations).map((id) => this.#store.conversationKey(id))),
      outbox: await Promise.all(outbox),
      meta: await Promise.all(meta),
      amendments: await aging("amendment", present(this.#amendments)),
      sent: await aging("sent", [...this.#sent]),
      streams: await Promise.all(streams),
      pairs: await Promise.all(pairs),
      arrivals: await Promise.all(
        this.#arrivals.map(async ({ conversation, ...row }) => ({ ...row, conversation: await this.#store.conversationKey(conversation) })),
      ),
      search: this.#search.length === 0 || this.#wipesSearch ? [] : [await this.#cipher.seal(SEARCH_LOCATION, this.#search)],
    };
  }
}

/** A value that is forgotten after a time. */
interface Aging<T> {
  readonly at: number;
  readonly value: T;
  /** Words of messages are in it that may disappear. */
  readonly isFading?: boolean;
}

/** Of what waits for something else. */
interface WaitingOptions {
  readonly nowMs: number;
  readonly isFading: boolean;
}
