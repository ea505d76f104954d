// What the person has read: marked here, sent to one's own other devices, and to the authors if receipts are enabled.

import { Change, isWithPerson } from "../changes/change.ts";
import { byAuthor, chunks } from "../changes/chats/receipts.ts";
import { setOwnFlags } from "../changes/chats/store-chat-flags.ts";
import { groupOf } from "../model/conversation-id.ts";
import type { ConversationId } from "../model/message.ts";
import { begunAt } from "../model/progress/message-time.ts";
import { authorOf, type StoredMessage } from "../model/records.ts";
import { markRead } from "../receiving/apply-incoming.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** Marks conversations as read. */
export class Reading {
  readonly #context: EngineContext;
  readonly #onQueued: () => void;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
  }

  /** Marks everything in a conversation as read. */
  async markRead(id: ConversationId): Promise<void> {
    await this.#context.writer.run(() => this.#markRead(id));
    this.#onQueued();
  }

  async #markRead(id: ConversationId): Promise<void> {
    const { account, registry, store } = this.#context;
    const unread = (await store.readUnread(id)).filter(({ record }) => record.body.kind !== "damaged");
    const isMarked = registry.get(id).flags?.isMarkedUnread === true;
    if (unread.length === 0 && registry.get(id).unread === 0 && !isMarked) return;
    const change = new Change(this.#context);
    if (isMarked) setOwnFlags(this.#context, change, id, { isMarkedUnread: false });
    for (const message of unread) markRead(change, message, begunAt(this.#context.slower.now()));
    change.updateConversation(id, { unread: 0, mentions: [] });
    if (isWithPerson(id, account.masterPub) || groupOf(id) !== undefined) await this.#queueReadReceipts(change, id, unread);
    await change.commit();
  }

  async #queueReadReceipts(change: Change, id: ConversationId, unread: readonly StoredMessage[]): Promise<void> {
    const { queueReceipt } = await import("../changes/chats/queue-receipt.ts");
    const { account, registry, settings } = this.#context;
    const acknowledged = unread.filter(({ record }) => record.hasReceipts);
    const ids = byAuthor(acknowledged.map(({ record }) => ({ author: authorOf(record, account.masterPub), id: record.id })));
    for (const [author, all] of ids)
      for (const some of chunks(all)) {
        queueReceipt(this.#context, change, author, { kind: "readMark", ids: some });
        const sendsReceipt = settings().sendReadReceipts && !change.isStranger(id) && !registry.isBlocked(author);
        if (sendsReceipt) queueReceipt(this.#context, change, author, { kind: "receipt", status: "read", ids: some });
      }
  }
}
