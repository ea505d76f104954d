// Finds messages and files of the local store: by their words, by what another message says of them, or page by page.
import type { Pin } from "#shared/content/chat/pin-content.ts";
import type { MessageReference } from "#shared/content/content.ts";
import { chunkCount } from "../changes/files/chunk-sizes.ts";
import { openChunks, openFile } from "../changes/files/file-cipher.ts";
import { type KnownPayment, receiptOf } from "../changes/payment-index.ts";
import type { AskingMessage, FoundMessage, PaymentReceipt, SharedFiles, StarredMessage } from "../model/conversation.ts";
import type { ChatMessage, ConversationId, FileParts, MessageKey, StoredAttachment } from "../model/message.ts";
import { isOpenRequest } from "../model/payments.ts";
import { isHidden } from "../model/progress/message-time.ts";
import { authorOf, chatMessageOf, type StoredMessage } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { LocalStore } from "../store/local-store.ts";
import type { MessageSearch, SearchFilter, SearchQuery } from "../store/search/search-index.ts";

const SEARCH_LIMIT = 50;
/** Starred messages that are listed at once. */
const MAX_LISTED_STARS = 500;
/** Payments whose receipts are looked up at once. */
const MAX_PAYMENTS = 500;
/** Messages read at a time in search of files: the store knows of no kinds without opening records. */
const PAGE = 200;
/** Messages looked through before the person is asked whether to continue. */
const MAX_READ = 4_000;

/** A file all of whose chunks are in the store. */
interface StoredFile {
  readonly body: StoredAttachment;
  readonly readChunk: (index: number) => Promise<Uint8Array | undefined>;
}

/** Looks messages up. The index of their words is opened with the first search. */
export class Finder {
  readonly #context: EngineContext;
  #search: Promise<MessageSearch> | undefined;
  /** Those with which it was opened: it reads words of messages that disappear. */
  #dayKeys: LocalStore["ring"]["all"] = [];

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /**
   * Messages with all words of the text that the filter lets through, newest first. Case and accents do not matter. Without words all of
   * some kinds or times.
   */
  async search(
    text: string,
    { limit = SEARCH_LIMIT, ...filter }: SearchFilter & { readonly limit?: number } = {},
  ): Promise<readonly FoundMessage[]> {
    const { store } = this.#context;
    const search = await this.#open();
    const found: FoundMessage[] = [];
    for (const { key } of await search.find({ text, limit, ...filter })) {
      const record = await store.readMessage(key);
      if (record === undefined || !this.#isShown({ key, record })) continue;
      const { direction, author = null, at, body } = record;
      found.push({ key, conversation: record.conversation, direction, author, at, body });
    }
    return found;
  }

  /** Keys of the messages that a search finds, newest first. */
  async findKeys(query: SearchQuery): Promise<readonly MessageKey[]> {
    return (await (await this.#open()).find(query)).map(({ key }) => key);
  }

  /** Key and time of a message that another one speaks of, or undefined when it is not here. */
  async findMessage({ author, id }: MessageReference): Promise<{ readonly key: MessageKey; readonly at: number } | undefined> {
    const key = await this.#context.store.messageKey(author, id);
    const record = await this.#context.store.readMessage(key);
    return record && { key, at: record.at };
  }

  /** Receipts of payments by their ids; those without one are left out. Of more than {@link MAX_PAYMENTS} the first ones are looked up. */
  async findPayments(payments: readonly KnownPayment[]): Promise<ReadonlyMap<string, PaymentReceipt>> {
    const found = new Map<string, PaymentReceipt>();
    for (const payment of payments.slice(0, MAX_PAYMENTS)) {
      const receipt = await receiptOf(this.#context.store, payment);
      if (receipt?.record.body.kind !== "pay.receipt") continue;
      const { body, at, conversation } = receipt.record;
      found.set(payment.txId, { key: receipt.key, at, conversation, note: body.note ?? "" });
    }
    return found;
  }

  /** The messages of pins, in their order; those that are not here any more are left out. */
  async pinnedMessages(pins: readonly Pick<Pin, "key">[]): Promise<readonly ChatMessage[]> {
    const { account, store } = this.#context;
    const found: ChatMessage[] = [];
    for (const { key } of pins) {
      const record = await store.readMessage(key);
      if (record?.pin?.isPinned === true && this.#isShown({ key, record })) found.push(chatMessageOf({ key, record }, account.masterPub));
    }
    return found;
  }

  /** Starred messages of one conversation or all, newest first, at most {@link MAX_LISTED_STARS}. */
  async starredMessages(conversation?: ConversationId): Promise<readonly StarredMessage[]> {
    const { account, store, registry } = this.#context;
    const records = conversation === undefined ? registry.all : [registry.get(conversation)];
    const stars = records.flatMap(({ stars = [] }) => stars).sort((a, b) => b.at - a.at);
    const found: StarredMessage[] = [];
    for (const { key } of stars.slice(0, MAX_LISTED_STARS)) {
      const record = await store.readMessage(key);
      if (record?.star?.isStarred !== true || !this.#isShown({ key, record })) continue;
      found.push({ conversation: record.conversation, message: chatMessageOf({ key, record }, account.masterPub) });
    }
    return found;
  }

  /** Requests of contacts for money that wait for an answer: those with a day first, by it, then the latest. */
  async openAsks(): Promise<readonly AskingMessage[]> {
    const { account, store, registry } = this.#context;
    const found: AskingMessage[] = [];
    for (const { id, asks = [] } of registry.all) {
      if (registry.isStranger(id) || registry.isBlocked(id)) continue;
      for (const { key } of asks) {
        const record = await store.readMessage(key);
        if (record?.body.kind !== "pay.request" || !isOpenRequest(record) || !this.#isShown({ key, record })) continue;
        found.push({ conversation: id, message: chatMessageOf({ key, record }, account.masterPub), body: record.body });
      }
    }
    const dueOf = ({ body }: AskingMessage): number => body.due ?? Number.MAX_SAFE_INTEGER;
    return found.sort((a, b) => dueOf(a) - dueOf(b) || b.message.at - a.message.at);
  }

  /** The file of a message, or undefined while parts of it are missing. @throws CodedError LOCAL_STORE_FAILED when it is damaged. */
  async readFile(key: MessageKey): Promise<Uint8Array | undefined> {
    const file = await this.#storedFile(key);
    return file && openFile(file.body, file.readChunk);
  }

  /**
   * The file of a message part by part, so that a large one is never in memory whole; undefined while parts of it are missing. The parts
   * count only once all have come: reading throws CodedError LOCAL_STORE_FAILED where the file is damaged, at the latest at its end.
   */
  async readFileParts(key: MessageKey): Promise<FileParts | undefined> {
    const file = await this.#storedFile(key);
    return file && { size: file.body.size, parts: openChunks(file.body, file.readChunk) };
  }

  /** The file of a message where all of it is here, or just being stored: a chat may show it already. */
  async #storedFile(key: MessageKey): Promise<StoredFile | undefined> {
    const file = await this.#wholeFile(key);
    if (file !== undefined) return file;
    await this.#context.writer.settled();
    return this.#wholeFile(key);
  }

  async #wholeFile(key: MessageKey): Promise<StoredFile | undefined> {
    const { account, store } = this.#context;
    const record = await store.readMessage(key);
    if (record?.body.kind !== "attachment") return undefined;
    const { body, id } = record;
    const author = authorOf(record, account.masterPub);
    for (let index = 0; index < chunkCount(body.size); index += 1) if (!(await store.hasChunk({ author, id, index }))) return undefined;
    return { body, readChunk: (index): Promise<Uint8Array | undefined> => store.readChunk({ author, id, index }) };
  }

  /** Messages with files before a position (null: the newest), at most `limit`; fewer when it would take long to find more. */
  async sharedFiles(
    id: ConversationId,
    { before, limit }: { readonly before: SharedFiles["next"]; readonly limit: number },
  ): Promise<SharedFiles> {
    const { store, account } = this.#context;
    const messages: SharedFiles["messages"][number][] = [];
    let position = before ?? undefined;
    for (let read = 0; read < MAX_READ; read += PAGE) {
      const page = await store.readPage(id, position, PAGE);
      for (const stored of page) {
        position = { at: stored.record.at, key: stored.key };
        if (stored.record.body.kind === "attachment" && this.#isShown(stored)) messages.push(chatMessageOf(stored, account.masterPub));
        if (messages.length >= limit) return { messages, next: position };
      }
      if (page.length < PAGE) return { messages, next: null };
    }
    return { messages, next: position ?? null };
  }

  /** What has disappeared by the own clock is not found, also where it is still stored. */
  #isShown(stored: StoredMessage): boolean {
    const { account, clock } = this.#context;
    return !isHidden(chatMessageOf(stored, account.masterPub), clock.nowMs());
  }

  /** The next search opens the index again, with the keys of then. */
  close(): void {
    const search = this.#search;
    this.#search = undefined;
    void search?.then(
      (opened) => opened.close(),
      () => undefined,
    );
  }

  async #open(): Promise<MessageSearch> {
    const { keyring, openSearch } = this.#context;
    const { all } = this.#context.store.ring;
    if (this.#search === undefined) this.#search = keyring.storeKeys().then(openSearch);
    else if (this.#dayKeys !== all) {
      const keys = await keyring.storeKeys();
      (await this.#search).renew(keys);
    }
    this.#dayKeys = all;
    return this.#search;
  }
}
