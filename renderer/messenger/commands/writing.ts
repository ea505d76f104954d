// What the person writes: messages, answers, reactions, changes, and how conversations are kept. Stored first, sent afterwards; an open
// chat shows a message while it is being stored.
import type { AmountUt } from "#shared/protocol/amount.ts";
import { toHex } from "#shared/util/bytes.ts";
import { Change } from "../changes/change.ts";
import { groupOf, peerOf } from "../model/conversation-id.ts";
import type { ConversationId, MessageKey, OutgoingFile } from "../model/message.ts";
import { authorOf, type ChatFlags, type MessageContent } from "../model/records.ts";
import {
  addOwnMessage,
  amendOwn,
  checkedEmoji,
  checkedMessageText,
  checkedTimer,
  editOf,
  messageThere,
  payRequest,
  replyTo,
  requireConversation,
  requirePeer,
} from "../sending/compose-message.ts";
import { dropFromOutbox } from "../sending/remove-messages.ts";
import { addFileMessage, sealOutgoing } from "../sending/send-file.ts";
import type { EngineContext } from "../state/engine-context.ts";

const ID_BYTES = 16;

/** What others have to know. */
export interface WritingEvents {
  /** Something waits in the outbox. */
  onQueued(): void;
  /** A message was added; its draft is gone. */
  onSent(conversation: ConversationId): void;
}

/** The writing half of a running messenger. */
export class Writing {
  readonly #context: EngineContext;
  readonly #events: WritingEvents;

  constructor(context: EngineContext, events: WritingEvents) {
    this.#context = context;
    this.#events = events;
  }

  async sendText(id: ConversationId, text: string): Promise<MessageKey> {
    const body = { kind: "text", text: checkedMessageText(text) } as const;
    return this.#send(requireConversation(id), async () => body);
  }

  async sendReply(to: MessageKey, text: string): Promise<MessageKey> {
    const { account, store } = this.#context;
    const checked = checkedMessageText(text);
    const conversation = requireConversation((await store.readMessage(to))?.conversation ?? "");
    return this.#send(conversation, async (change) => {
      const record = await messageThere(change, to);
      return replyTo(record, authorOf(record, account.masterPub), checked);
    });
  }

  sendPayRequest(id: ConversationId, request: { readonly amountUt: AmountUt; readonly note: string }): Promise<MessageKey> {
    const body = payRequest(request);
    return this.#send(requirePeer(id), async () => body);
  }

  sendPayReceipt(
    id: ConversationId,
    { txId, amountUt, request }: { readonly txId: string; readonly amountUt: AmountUt; readonly request: MessageKey | null },
  ): Promise<MessageKey> {
    return this.#send(requirePeer(id), async (change) => {
      const asked = request === null ? null : (await messageThere(change, request)).id;
      return { kind: "pay.receipt", txId, amountUt, request: asked };
    });
  }

  async sendFile(id: ConversationId, file: OutgoingFile): Promise<MessageKey> {
    const conversation = requireConversation(id);
    const { body, chunks } = await sealOutgoing(file);
    const key = await this.#context.writer.run(async () => {
      const change = new Change(this.#context);
      const added = await addFileMessage(this.#context, change, { conversation, body, chunks });
      await change.commit();
      return added;
    });
    this.#events.onQueued();
    return key;
  }

  async setTimer(id: ConversationId, seconds: number): Promise<void> {
    const conversation = requireConversation(id);
    const body = { kind: "timer", seconds: checkedTimer(seconds) } as const;
    if (this.#context.book.get(conversation).timer?.seconds !== seconds) await this.#send(conversation, async () => body, true);
  }

  /** Adds a message and sends it. What is typed goes with it, unless `keepsDraft`. */
  async #send(conversation: ConversationId, body: (change: Change) => Promise<MessageContent>, keepsDraft = false): Promise<MessageKey> {
    const key = await this.#context.writer.run(async () => {
      const change = new Change(this.#context);
      const added = await addOwnMessage(this.#context, change, { conversation, body: await body(change) });
      if (!keepsDraft) change.updateConversation(conversation, { draft: "" });
      await this.#commitShown(change, added);
      return added;
    });
    this.#events.onQueued();
    this.#events.onSent(conversation);
    return key;
  }

  /** Commits a message that open chats show meanwhile. What cannot be stored is taken from them again. */
  async #commitShown(change: Change, key: MessageKey): Promise<void> {
    const record = await change.batch.message(key);
    if (record !== undefined) this.#context.publish({ messages: [{ key, record }], deleted: [] });
    try {
      await change.commit();
    } catch (error) {
      this.#context.publish({ messages: [], deleted: [key] });
      throw error;
    }
  }

  async react(key: MessageKey, emoji: string): Promise<void> {
    const checked = checkedEmoji(emoji);
    await this.#amend(key, (change) =>
      amendOwn(this.#context, change, { key, body: ({ id }, author) => ({ kind: "reaction", to: { author, id }, emoji: checked }) }),
    );
  }

  async editMessage(key: MessageKey, text: string): Promise<void> {
    const checked = checkedMessageText(text);
    await this.#amend(key, (change) => amendOwn(this.#context, change, { key, body: (record) => editOf(record, checked) }));
  }

  async deleteForEveryone(key: MessageKey): Promise<void> {
    await this.#amend(key, async (change) => {
      await amendOwn(this.#context, change, { key, body: ({ id }) => ({ kind: "delete", id }) });
      await dropFromOutbox(this.#context, change, key);
    });
  }

  async setChat(id: ConversationId, flags: Partial<Omit<ChatFlags, "at">>): Promise<void> {
    const { account, book, clock, random, writer } = this.#context;
    await writer.run(async () => {
      const change = new Change(this.#context);
      const known = book.get(id).flags ?? { isPinned: false, isArchived: false, mutedUntil: 0, at: 0 };
      const next: ChatFlags = { ...known, ...flags, at: Math.max(clock.nowMs(), known.at + 1) };
      change.updateConversation(id, { flags: next });
      const task = { kind: "chatFlags", id: toHex(random(ID_BYTES)), flags: next } as const;
      const group = groupOf(id);
      const keeper = change.conversation(id).group?.keeper;
      if (peerOf(id) !== undefined) change.queue(id, task);
      else if (group !== undefined && keeper !== undefined) change.queue(account.masterPub, { ...task, group: { id: group, keeper } });
      await change.commit();
    });
    this.#events.onQueued();
  }

  async #amend(key: MessageKey, task: (change: Change) => Promise<void>): Promise<void> {
    await this.#context.writer.run(async () => {
      const change = new Change(this.#context);
      await messageThere(change, key);
      await task(change);
      await change.commit();
    });
    this.#events.onQueued();
  }
}
