// The loaded part of one chat, updated by what is committed.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ConversationSnapshot, ConversationView } from "../model/conversation.ts";
import type { ChatMessage, ConversationId } from "../model/message.ts";
import { chatMessageOf, comparePositions, type MessagePosition, type MessageRecord, type StoredMessage } from "../model/records.ts";
import { ValueStore } from "../model/value-store.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { BatchResult } from "../store/store-batch.ts";

/** Messages loaded at a time. */
export const CHAT_PAGE = 50;
/** Messages loaded at a time on the way back to an old one. */
const LARGE_PAGE = 500;

/** What a view asks of the messenger. */
export interface ChatViewHost {
  readonly store: EngineContext["store"];
  readonly me: PublicKeyHex;
  /** The chat is on screen and may hold unread messages. */
  onSeen(id: ConversationId): void;
  onClose(view: ChatView): void;
  onError(error: unknown): void;
}

/** One open chat. */
export class ChatView implements ConversationView {
  readonly id: ConversationId;
  readonly #host: ChatViewHost;
  readonly #value = new ValueStore<ConversationSnapshot>(() => this.#build());
  #messages: readonly ChatMessage[] = [];
  #hasOlder = true;
  #loading: Promise<void> | undefined;
  #isVisible = false;
  #isClosed = false;
  /** Commits that happen while a page is read: the page may not have them, or have them in an earlier state. */
  #meanwhile: BatchResult[] = [];
  /** What was taken over: one's own message comes twice, when it is written and when it is stored, and is drawn once. */
  readonly #taken = new WeakSet<MessageRecord>();

  readonly getSnapshot = this.#value.getSnapshot;
  readonly subscribe = this.#value.subscribe;

  constructor(id: ConversationId, host: ChatViewHost) {
    this.id = id;
    this.#host = host;
    void this.loadOlder();
  }

  get isVisible(): boolean {
    return this.#isVisible;
  }

  loadOlder(): Promise<void> {
    if (this.#isClosed || !this.#hasOlder) return Promise.resolve();
    return this.#begin(CHAT_PAGE);
  }

  #begin(limit: number): Promise<void> {
    this.#loading ??= this.#load(limit).finally(() => {
      this.#loading = undefined;
      this.#value.invalidate();
    });
    this.#value.invalidate();
    return this.#loading;
  }

  async loadBack(at: number): Promise<void> {
    await this.#loading;
    while (!this.#isClosed && this.#hasOlder && (this.#messages[0]?.at ?? Number.POSITIVE_INFINITY) > at) await this.#begin(LARGE_PAGE);
  }

  setVisible(isVisible: boolean): void {
    if (this.#isClosed) return;
    this.#isVisible = isVisible;
    if (isVisible) this.#host.onSeen(this.id);
  }

  close(): void {
    this.#isClosed = true;
    this.#isVisible = false;
    this.#host.onClose(this);
  }

  /** Takes a commit over. */
  apply(result: BatchResult): void {
    if (this.#loading !== undefined) this.#meanwhile.push(result);
    this.#merge(result);
  }

  async #load(limit: number): Promise<void> {
    const oldest = this.#messages[0];
    try {
      const page = await this.#host.store.readPage(this.id, oldest, limit);
      this.#hasOlder = page.length === limit;
      const known = new Set(this.#messages.map(({ key }) => key));
      const older = page.filter(({ key }) => !known.has(key)).map((stored) => chatMessageOf(stored, this.#host.me));
      this.#messages = sorted([...older, ...this.#messages]);
      for (const result of this.#meanwhile) this.#merge(result);
    } catch (error) {
      this.#host.onError(error);
    } finally {
      this.#meanwhile = [];
    }
  }

  #merge({ messages, deleted }: BatchResult): void {
    const gone = new Set(deleted);
    const mine = messages.filter(({ record }) => record.conversation === this.id && !this.#taken.has(record));
    if (mine.length === 0 && !this.#messages.some(({ key }) => gone.has(key))) return;
    const byKey = new Map(this.#messages.filter(({ key }) => !gone.has(key)).map((message) => [message.key, message]));
    for (const stored of mine)
      if (byKey.has(stored.key) || this.#isInRange(stored)) {
        byKey.set(stored.key, chatMessageOf(stored, this.#host.me));
        this.#taken.add(stored.record);
      }
    this.#messages = sorted([...byKey.values()]);
    this.#value.invalidate();
  }

  /** What is older than everything loaded comes with its page. */
  #isInRange({ key, record }: StoredMessage): boolean {
    const oldest: MessagePosition | undefined = this.#messages[0];
    return !this.#hasOlder || (oldest !== undefined && comparePositions(oldest, { at: record.at, key }) < 0);
  }

  #build(): ConversationSnapshot {
    return { messages: this.#messages, hasOlder: this.#hasOlder, isLoading: this.#loading !== undefined };
  }
}

function sorted(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return [...messages].sort(comparePositions);
}
