// The loaded part of one chat, updated by what is committed.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { ValueStore } from "#shared/util/value-store.ts";
import type { ConversationSnapshot, ConversationView } from "../model/conversation.ts";
import type { ChatMessage, ConversationId, MessageKey } from "../model/message.ts";
import { isHidden } from "../model/progress/message-time.ts";
import { chatMessageOf, type MessageRecord } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { BatchResult } from "../store/store-batch.ts";
import { atNewest, CHAT_PAGE, type ChatWindow, EMPTY_WINDOW, letGo, newestOf, withCommit, withPage } from "./chat-window.ts";

/** Messages loaded at a time on the way back to an old one. */
const LARGE_PAGE = 500;

/** What a view asks of the messenger. */
export interface ChatViewHost {
  readonly store: EngineContext["store"];
  readonly writer: EngineContext["writer"];
  readonly me: PublicKeyHex;
  /** What has disappeared by the own clock is not shown, also where the chain's time does not destroy it yet; milliseconds since 1970. */
  nowMs(): number;
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
  #window: ChatWindow = EMPTY_WINDOW;
  #held: ReadonlySet<MessageKey> = new Set();
  #loading: Promise<void> | undefined;
  #isVisible = false;
  #isClosed = false;
  /** Calls that load back to a time. */
  #waysBack = 0;
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

  loadOlder(keep?: number): Promise<void> {
    if (this.#isClosed || !this.#window.hasOlder) return Promise.resolve();
    return this.#begin({ side: "older", limit: CHAT_PAGE, keep });
  }

  loadNewer(keep?: number): Promise<void> {
    if (this.#isClosed || !this.#window.hasNewer || this.#waysBack > 0) return Promise.resolve();
    return this.#begin({ side: "newer", limit: CHAT_PAGE, keep });
  }

  async loadBack(at: number, keep?: number): Promise<void> {
    await this.#loading;
    // What is newer than the run was let go of with what lies between: the way to it begins at the newest.
    const isBeyond = this.#window.hasNewer && (this.#window.messages.at(-1)?.at ?? 0) < at;
    const isBefore = (): boolean => (this.#window.messages[0]?.at ?? Number.POSITIVE_INFINITY) > at;
    this.#waysBack += 1;
    this.#value.invalidate();
    if (isBeyond) this.#window = atNewest(this.#window, this.#held);
    try {
      while (!this.#isClosed && this.#window.hasOlder && isBefore()) await this.#begin({ side: "older", limit: LARGE_PAGE, keep });
    } finally {
      this.#waysBack -= 1;
      this.#value.invalidate();
    }
  }

  async loadNewest(): Promise<void> {
    await this.#loading;
    if (this.#isClosed) return;
    this.#window = atNewest(this.#window, this.#held);
    this.#value.invalidate();
  }

  hold(keys: ReadonlySet<MessageKey>): void {
    this.#held = keys;
  }

  #begin(order: PageOrder): Promise<void> {
    this.#loading ??= this.#load(order).finally(() => {
      this.#loading = undefined;
      // What is passed on the way back is not drawn.
      if (this.#waysBack === 0) this.#value.invalidate();
    });
    if (this.#waysBack === 0) this.#value.invalidate();
    return this.#loading;
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

  async #load({ side, limit, keep }: PageOrder): Promise<void> {
    const { store, writer, me } = this.#host;
    const { messages } = this.#window;
    try {
      // Another view may show what is only being stored: a chat that is opened has that, too.
      if (messages.length === 0) await writer.settled();
      const page =
        side === "older" ? await store.readPage(this.id, messages[0], limit) : await store.readPageAfter(this.id, messages.at(-1), limit);
      const shown = page.map((stored) => chatMessageOf(stored, me));
      this.#window = withPage(this.#window, shown, side, page.length < limit);
      for (const result of this.#meanwhile) this.#merge(result);
      if (keep !== undefined) this.#window = letGo(this.#window, side === "older" ? "newer" : "older", keep, this.#held);
    } catch (error) {
      this.#host.onError(error);
    } finally {
      this.#meanwhile = [];
    }
  }

  #merge({ messages, deleted }: BatchResult): void {
    const gone = new Set(deleted);
    const mine = messages.filter(({ record }) => record.conversation === this.id && !this.#taken.has(record));
    const { messages: run, apart } = this.#window;
    if (mine.length === 0 && !run.some(({ key }) => gone.has(key)) && !apart.some(({ key }) => gone.has(key))) return;
    const changed = mine.map((stored) => chatMessageOf(stored, this.#host.me));
    this.#window = withCommit(this.#window, changed, gone, this.#held);
    const there = new Set([...this.#window.messages, ...this.#window.apart].map(({ key }) => key));
    for (const { key, record } of mine) if (there.has(key)) this.#taken.add(record);
    this.#value.invalidate();
  }

  /** The time of some messages is over. */
  refresh(): void {
    this.#value.invalidate();
  }

  #build(): ConversationSnapshot {
    const { messages, apart, ...ends } = this.#window;
    const shown = { messages: this.#shown(messages), apart: this.#shown(apart), ...ends };
    const isLoading = this.#loading !== undefined || this.#waysBack > 0;
    const { hasOlder, hasNewer } = ends;
    return { messages: shown.messages, apart: shown.apart, newest: newestOf(shown), hasOlder, hasNewer, isLoading };
  }

  #shown(messages: readonly ChatMessage[]): readonly ChatMessage[] {
    const nowMs = this.#host.nowMs();
    return messages.some((message) => isHidden(message, nowMs)) ? messages.filter((message) => !isHidden(message, nowMs)) : messages;
  }
}

interface PageOrder {
  readonly side: "older" | "newer";
  readonly limit: number;
  /** Messages that stay; all, when it is left out. */
  readonly keep: number | undefined;
}
