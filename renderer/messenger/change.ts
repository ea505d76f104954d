// One change of the messenger's data: messages, conversations and outbox together. Memory follows the store, never the other way
// round: nothing is seen before it is committed.
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { isBlank, peerOf } from "./conversation-book.ts";
import type { EngineContext } from "./engine-context.ts";
import type { ConversationId, MessageKey } from "./messenger.ts";
import {
  type ConversationRecord,
  comparePositions,
  type LastMessage,
  type MessageRecord,
  type OutboxRecord,
  type OutboxTask,
  type StoredMessage,
} from "./records.ts";
import type { StoreBatch } from "./store-batch.ts";

type ChangeContext = Pick<EngineContext, "store" | "book" | "outbox" | "clock" | "publish" | "changed">;

/** A change under way; committed once. */
export class Change {
  readonly batch: StoreBatch;
  readonly #context: ChangeContext;
  readonly #conversations = new Map<ConversationId, ConversationRecord>();
  readonly #outbox = new Map<number, OutboxRecord | undefined>();

  constructor(context: ChangeContext) {
    this.#context = context;
    this.batch = context.store.begin();
  }

  conversation(id: ConversationId): ConversationRecord {
    return this.#conversations.get(id) ?? this.#context.book.get(id);
  }

  isStranger(id: ConversationId): boolean {
    return this.#context.book.isStranger(id, this.conversation(id));
  }

  updateConversation(id: ConversationId, fields: Partial<Omit<ConversationRecord, "id">>): void {
    this.#conversations.set(id, { ...this.conversation(id), ...fields });
  }

  /** Adds a message that is not there yet and brings its conversation up to date. */
  addMessage(key: MessageKey, record: MessageRecord): void {
    this.batch.putMessage(key, record);
    const conversation = this.conversation(record.conversation);
    const last = conversation.lastMessage;
    const isNewest = last === null || comparePositions(last, { at: record.at, key }) < 0;
    this.updateConversation(record.conversation, {
      unread: conversation.unread + Number(record.isUnread),
      hasSent: conversation.hasSent || record.direction === "out",
      ...(isNewest ? { lastMessage: lastMessageOf({ key, record }) } : {}),
      updatedAt: Math.max(conversation.updatedAt, record.at),
    });
  }

  /** Replaces a message that is there. */
  updateMessage(key: MessageKey, record: MessageRecord): void {
    this.batch.putMessage(key, record);
    if (this.conversation(record.conversation).lastMessage?.key === key)
      this.updateConversation(record.conversation, { lastMessage: lastMessageOf({ key, record }) });
  }

  queue(peer: PublicKeyHex, task: OutboxTask): void {
    const seq = this.#context.outbox.nextSeq();
    const queuedAt = this.#context.clock.nowMs();
    this.putOutbox({ seq, peer, task, queuedAt, done: [], isRelayed: false, isFailed: false });
  }

  putOutbox(record: OutboxRecord): void {
    this.#outbox.set(record.seq, record);
  }

  deleteOutbox(seq: number): void {
    this.#outbox.set(seq, undefined);
  }

  async commit(): Promise<void> {
    for (const record of this.#conversations.values()) {
      if (isBlank(record)) this.batch.deleteConversation(record.id);
      else this.batch.putConversation(record);
    }
    for (const [seq, record] of this.#outbox) {
      if (record === undefined) this.batch.deleteOutbox(seq);
      else this.batch.putOutbox(record);
    }
    const result = await this.batch.commit();
    for (const record of this.#conversations.values()) this.#context.book.set(record);
    for (const [seq, record] of this.#outbox) {
      if (record === undefined) this.#context.outbox.delete(seq);
      else this.#context.outbox.set(record);
    }
    this.#context.publish(result);
    this.#context.changed();
  }
}

/** A message as its conversation remembers it. */
export function lastMessageOf({ key, record }: StoredMessage): LastMessage {
  const { direction, at, body, state } = record;
  return { key, direction, at, body, state };
}

/** True for conversations whose other side is a person. */
export function isWithPerson(id: ConversationId, me: PublicKeyHex): boolean {
  return peerOf(id) !== undefined && id !== me;
}
