// Removal of messages from this device. What was on its way is not sent; a device that asks for its position learns that it was deleted.
import { type Change, lastMessageOf } from "../changes/change.ts";
import type { KeptFile } from "../changes/files/file-box-record.ts";
import { dropFile } from "../changes/files/files.ts";
import type { ConversationId, HeldPayment, MessageKey } from "../model/message.ts";
import { withoutOwnPayment } from "../model/payments.ts";
import { authorOf, type MessageRecord } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { rememberWithheld } from "./outbox.ts";

type RemovalContext = Pick<EngineContext, "account" | "store" | "outbox" | "clock">;

/**
 * Removes messages that may be of several conversations, and brings the conversations up to date. `isOver`: their time has come, as it does
 * for everyone; else they are removed on this device alone.
 */
export async function removeMessages(context: RemovalContext, change: Change, keys: readonly MessageKey[], isOver = false): Promise<void> {
  const gone = new Set(keys);
  const touched = new Set<ConversationId>();
  for (const key of gone) {
    const message = await change.batch.message(key);
    change.batch.deleteMessage(key);
    if (message === undefined) continue;
    // No node gets it any more, so what it was to answer can be paid again.
    if (message.held?.fate.kind === "unsent") await reopenRequest(change, message.held);
    await dropFromOutbox(context, change, key, !isOver);
    // What disappears does so everywhere. What is removed here alone stays where it is stored for the others, until it disappears for them.
    const kept = isOver ? undefined : keptFile(message, context.clock.nowMs());
    await dropFile(change, message, authorOf(message, context.account.masterPub), kept);
    touched.add(message.conversation);
    change.noteGone(authorOf(message, context.account.masterPub), message.id);
    change.followPin(key, { conversation: message.conversation, at: message.at });
    change.followStar(key, { conversation: message.conversation, at: message.at });
    change.followMention(key, { ...message, isUnread: false });
    const { unread } = change.conversation(message.conversation);
    change.updateConversation(message.conversation, { unread: Math.max(0, unread - Number(message.isUnread)) });
  }
  for (const id of touched) await renewLastMessage(context, change, { id, gone });
}

function keptFile({ expiry }: MessageRecord, nowMs: number): KeptFile {
  return expiry === undefined ? {} : { untilMs: (expiry.startedAt ?? nowMs) + expiry.seconds * 1_000 };
}

/** The request of a payment that no node is given is open again. */
export async function reopenRequest(change: Change, { request, transaction }: HeldPayment): Promise<void> {
  const asked = request === null ? undefined : await change.batch.message(request);
  const open = asked && withoutOwnPayment(asked, transaction.id);
  if (open !== undefined && request !== null) change.updateMessage(request, open);
}

/** Takes a message out of the outbox. `isHereAlone`: copies of what others have already leave at their time all the same. */
export async function dropFromOutbox(
  { outbox, clock }: RemovalContext,
  change: Change,
  key: MessageKey,
  isHereAlone = false,
): Promise<void> {
  for (const queued of outbox.entriesOf(key)) {
    if (isHereAlone && queued.isRelayed && queued.later !== undefined) continue;
    change.deleteOutbox(queued.seq);
    await rememberWithheld(change, queued, clock.nowMs());
  }
}

async function renewLastMessage(
  { store }: RemovalContext,
  change: Change,
  { id, gone }: { readonly id: ConversationId; readonly gone: ReadonlySet<MessageKey> },
): Promise<void> {
  const { lastMessage } = change.conversation(id);
  if (lastMessage === null || !gone.has(lastMessage.key)) return;
  const newest = (await store.readPage(id, undefined, gone.size + 1)).find(({ key }) => !gone.has(key));
  change.updateConversation(id, { lastMessage: newest === undefined ? null : lastMessageOf(newest) });
}
