// The messenger while it runs: wires store, outbox, inbox and chats, and carries out what the person asks for.
import { MAX_TEXT_BYTES } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { KeyringAccount } from "#shared/keyring/keyring-api.ts";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { isHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { chunks, markRead } from "./apply-incoming.ts";
import { Change, isWithPerson, lastMessageOf } from "./change.ts";
import { ChatView } from "./chat-view.ts";
import { blankConversation, ConversationBook, peerOf } from "./conversation-book.ts";
import type { EngineContext, EngineHost } from "./engine-context.ts";
import { Inbox } from "./inbox.ts";
import { KeyDirectory } from "./key-directory.ts";
import type { LocalStore } from "./local-store.ts";
import type { ConversationId, ConversationView, MessageKey, MessengerProblem, MessengerSettings, MessengerSnapshot } from "./messenger.ts";
import { Outbox } from "./outbox.ts";
import { OutboxQueue } from "./outbox-queue.ts";
import { problemOf } from "./problem.ts";
import type { ContactsRecord } from "./records.ts";
import { SerialQueue } from "./serial-queue.ts";
import type { BatchResult } from "./store-batch.ts";
import { Typing } from "./typing.ts";

/** What belongs to one run. */
export interface RunOptions {
  readonly host: EngineHost;
  readonly account: KeyringAccount;
  readonly store: LocalStore;
  readonly settings: () => MessengerSettings;
  readonly onChange: () => void;
}

const MESSAGE_ID_BYTES = 16;
/** Receipts and marks whose message never came are forgotten after this time. */
const EARLY_MS = 30 * 86_400_000;

/** Loads the store into memory. @throws CodedError LOCAL_STORE_FAILED. */
export async function loadMessenger(options: RunOptions): Promise<RunningMessenger> {
  const { store, account } = options;
  const book = new ConversationBook(account.masterPub);
  for (const record of await store.loadConversations()) book.set(record);
  const contacts = await store.readMeta<ContactsRecord>("contacts");
  if (contacts !== undefined) book.setContacts(contacts);
  const outbox = new OutboxQueue(await store.loadOutbox(), await store.lastOutboxSeq());
  return new RunningMessenger(options, book, outbox);
}

/** One run, from loading to stopping. */
export class RunningMessenger {
  readonly #context: EngineContext;
  readonly #inbox: Inbox;
  readonly #outbox: Outbox;
  readonly #typing: Typing;
  readonly #views = new Set<ChatView>();
  readonly #cleanups: (() => void)[] = [];
  readonly #drafts = new Map<ConversationId, string>();
  #problem: MessengerProblem | null = null;
  /** Nothing is received before the block list has been asked for once. */
  #isReady = false;

  constructor({ host, account, store, settings, onChange }: RunOptions, book: ConversationBook, outbox: OutboxQueue) {
    this.#context = {
      ...host,
      account,
      store,
      book,
      outbox,
      directory: new KeyDirectory(host.node, host.clock),
      writer: new SerialQueue(),
      settings,
      publish: (result): void => this.#publish(result),
      changed: onChange,
      report: (problem): void => this.#report(problem),
    };
    this.#outbox = new Outbox(this.#context);
    this.#inbox = new Inbox(this.#context, () => this.#onStored());
    this.#typing = new Typing(this.#context);
  }

  /** Starts to listen, fetch and send. */
  async begin(): Promise<void> {
    const { node, account } = this.#context;
    this.#cleanups.push(
      node.subscribeInbox(account.devicePub, () => this.#fetchMail()),
      node.subscribeTyping(account.devicePub, (from) => this.#typing.receive(from)),
      node.onOnline((isOnline) => this.#onOnline(isOnline)),
    );
    await this.refreshContacts().catch(() => undefined);
    this.#isReady = true;
    this.#fetchMail();
    this.#outbox.kick();
    await this.#context.writer.run(() => this.#prune()).catch((error: unknown) => this.#report(problemOf(error)));
  }

  async stop(): Promise<void> {
    for (const cleanup of this.#cleanups) cleanup();
    this.#outbox.stop();
    this.#typing.stop();
    for (const view of [...this.#views]) view.close();
    this.#inbox.stop();
    await this.#context.writer.close();
    this.#context.store.close();
  }

  snapshot(): Omit<MessengerSnapshot, "phase"> {
    const { book, node, outbox, store } = this.#context;
    const conversations = book.summaries();
    const counted = conversations.filter(({ isBlocked }) => !isBlocked);
    return {
      problem: this.#problem,
      isOnline: node.isOnline(),
      isDevicePublished: this.#outbox.isDevicePublished,
      conversations,
      totalUnread: counted.reduce((sum, { isRequest, unread }) => sum + (isRequest ? 0 : unread), 0),
      unreadRequests: counted.filter(({ isRequest, unread }) => isRequest && unread > 0).length,
      queued: outbox.waitingMessages,
      damagedRecords: store.damagedRecords,
      droppedEnvelopes: this.#inbox.dropped,
    };
  }

  openConversation(id: ConversationId): ConversationView {
    const peer = peerOf(id);
    if (peer !== undefined) void this.#context.directory.get(requireKey(peer)).catch(() => undefined);
    const view = new ChatView(id, {
      store: this.#context.store,
      onSeen: (seen): void => this.#markSeen(seen),
      onClose: (closed): void => void this.#views.delete(closed),
      onError: (error): void => this.#report(problemOf(error)),
    });
    this.#views.add(view);
    return view;
  }

  async sendText(id: ConversationId, text: string): Promise<MessageKey> {
    const peer = requireKey(peerOf(id) ?? "");
    const bytes = utf8(text).length;
    if (text.trim() === "" || bytes > MAX_TEXT_BYTES)
      throw new CodedError("BAD_REQUEST", `A message has 1 to ${MAX_TEXT_BYTES} bytes of text`, { details: { field: "text", bytes } });
    const { account, store, clock, random, writer } = this.#context;
    const messageId = toHex(random(MESSAGE_ID_BYTES));
    const key = await store.messageKey(account.masterPub, messageId);
    await writer.run(async () => {
      const change = new Change(this.#context);
      const at = Math.max(clock.nowMs(), (change.conversation(peer).lastMessage?.at ?? 0) + 1);
      const body = { kind: "text", text: text.toWellFormed() } as const;
      const record = { conversation: peer, id: messageId, at, body, state: "queued", problem: null, raw: null } as const;
      change.addMessage(key, { ...record, direction: "out", isUnread: false, hasReceipts: true });
      change.queue(peer, { kind: "message", key, id: messageId, at, text: body.text });
      this.#drafts.delete(peer);
      change.updateConversation(peer, { draft: "" });
      await change.commit();
    });
    this.#outbox.kick();
    return key;
  }

  async retry(key: MessageKey): Promise<void> {
    const { outbox, clock, writer } = this.#context;
    const seq = await writer.run(async () => {
      const record = outbox.findMessage(key);
      if (record?.isFailed !== true) return record?.seq;
      const change = new Change(this.#context);
      change.putOutbox({ ...record, isFailed: false, queuedAt: clock.nowMs() });
      const message = await change.batch.message(key);
      if (message?.state === "failed") change.updateMessage(key, { ...message, state: "queued", problem: null });
      await change.commit();
      return record.seq;
    });
    if (seq === undefined) return;
    outbox.hasten(seq);
    this.#outbox.kick();
  }

  async markRead(id: ConversationId): Promise<void> {
    await this.#context.writer.run(() => this.#markRead(id));
    this.#outbox.kick();
  }

  async setDraft(id: ConversationId, text: string): Promise<void> {
    this.#drafts.set(id, text);
    await this.#context.writer.run(async () => {
      const draft = this.#drafts.get(id);
      const { book, clock } = this.#context;
      this.#drafts.delete(id);
      if (draft === undefined || draft === book.get(id).draft) return;
      const change = new Change(this.#context);
      const { lastMessage, updatedAt } = change.conversation(id);
      change.updateConversation(id, { draft, updatedAt: draft === "" ? (lastMessage?.at ?? updatedAt) : clock.nowMs() });
      await change.commit();
    });
  }

  notifyTyping(id: ConversationId): void {
    const peer = peerOf(id);
    if (peer !== undefined) void this.#typing.notify(peer).catch(() => undefined);
  }

  async deleteMessage(key: MessageKey): Promise<void> {
    const { store, outbox, writer } = this.#context;
    await writer.run(async () => {
      const message = await store.readMessage(key);
      if (message === undefined) return;
      const change = new Change(this.#context);
      change.batch.deleteMessage(key);
      const queued = outbox.findMessage(key);
      if (queued !== undefined) change.deleteOutbox(queued.seq);
      const { unread, lastMessage } = change.conversation(message.conversation);
      const newest = (await store.readPage(message.conversation, undefined, 2)).find((other) => other.key !== key);
      change.updateConversation(message.conversation, {
        unread: Math.max(0, unread - Number(message.isUnread)),
        lastMessage: lastMessage?.key !== key ? lastMessage : newest === undefined ? null : lastMessageOf(newest),
      });
      await change.commit();
    });
  }

  async deleteConversation(id: ConversationId): Promise<void> {
    const { store, outbox, writer } = this.#context;
    await writer.run(async () => {
      const change = new Change(this.#context);
      for (const key of await store.messageKeysOf(id)) {
        change.batch.deleteMessage(key);
        const queued = outbox.findMessage(key);
        if (queued !== undefined) change.deleteOutbox(queued.seq);
      }
      this.#drafts.delete(id);
      change.updateConversation(id, blankConversation(id));
      await change.commit();
    });
  }

  async refreshContacts(): Promise<void> {
    const { node, account, book, store, writer } = this.#context;
    const { received, sent } = await node.contacts(account.masterPub);
    const peers = (entries: typeof received, status: string): PublicKeyHex[] =>
      entries.filter((entry) => entry.status === status).map(({ peer }) => peer);
    const contacts: ContactsRecord = {
      accepted: [...peers(received, "accepted"), ...peers(sent, "accepted")],
      blocked: peers(received, "blocked"),
    };
    await writer.run(async () => {
      const batch = store.begin();
      batch.putMeta("contacts", contacts);
      await batch.commit();
      book.setContacts(contacts);
      this.#context.changed();
    });
    await this.#outbox.checkPublished();
  }

  async #markRead(id: ConversationId): Promise<void> {
    const { account, book, store, settings } = this.#context;
    const unread = (await store.readUnread(id)).filter(({ record }) => record.body.kind !== "damaged");
    if (unread.length === 0 && book.get(id).unread === 0) return;
    const change = new Change(this.#context);
    for (const { key, record } of unread) markRead(change, key, record);
    change.updateConversation(id, { unread: 0 });
    const ids = unread.filter(({ record }) => record.hasReceipts).map(({ record }) => record.id);
    if (isWithPerson(id, account.masterPub))
      for (const some of chunks(ids)) {
        change.queue(id, { kind: "readMark", ids: some });
        const isTold = settings().sendReadReceipts && !change.isStranger(id) && !book.isBlocked(id);
        if (isTold) change.queue(id, { kind: "receipt", status: "read", ids: some });
      }
    await change.commit();
  }

  #markSeen(id: ConversationId): void {
    if (this.#context.book.get(id).unread > 0) void this.markRead(id).catch((error: unknown) => this.#report(problemOf(error)));
  }

  #publish(result: BatchResult): void {
    for (const { record } of result.messages) if (record.direction === "in") this.#typing.end(record.conversation);
    for (const view of this.#views) view.apply(result);
  }

  #onStored(): void {
    for (const view of this.#views) if (view.isVisible) this.#markSeen(view.id);
    this.#outbox.kick();
  }

  #onOnline(isOnline: boolean): void {
    this.#context.changed();
    if (!isOnline || !this.#isReady) return;
    void this.refreshContacts().catch(() => undefined);
    this.#outbox.hasten();
    this.#fetchMail();
  }

  #fetchMail(): void {
    if (this.#isReady) this.#inbox.trigger();
  }

  async #prune(): Promise<void> {
    const batch = this.#context.store.begin();
    await batch.pruneEarly(this.#context.clock.nowMs() - EARLY_MS);
    await batch.commit();
  }

  #report(problem: MessengerProblem | null): void {
    if (this.#problem?.message === problem?.message && this.#problem?.code === problem?.code) return;
    this.#problem = problem;
    this.#context.changed();
  }
}

function requireKey(peer: string): PublicKeyHex {
  if (!isHex(peer, 32) || peer !== peer.toLowerCase())
    throw new CodedError("BAD_REQUEST", "A conversation is with a master key of 64 lower-case hex characters", {
      details: { field: "id" },
    });
  return peer;
}
