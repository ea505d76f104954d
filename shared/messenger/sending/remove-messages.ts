// Removal of messages from this device. What was on its way is not sent; a device that asks for its position learns that it was deleted.
import type { MessageId } from "#shared/content/content.ts";
import { type Change, lastMessageOf } from "../changes/change.ts";
import { untieAnswers } from "../changes/chats/answers.ts";
import { chunkCount } from "../changes/files/chunk-sizes.ts";
import type { KeptFile } from "../changes/files/file-box-record.ts";
import { dropFile } from "../changes/files/files.ts";
import type { ConversationId, HeldPayment, MessageKey } from "../model/message.ts";
import { withoutOwnPayment } from "../model/payments.ts";
import { authorOf, type MessageRecord, type OutboxRecord, type RemovedMessage } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { rememberWithheld } from "./outbox.ts";

type RemovalContext = Pick<EngineContext, "account" | "store" | "outbox" | "clock">;

/** The bytes of a file that stay in the store although its message is gone, until it is known that they are not needed. */
export interface LeftFile {
  readonly author: string;
  readonly id: MessageId;
  readonly chunks: number;
}

/** What was removed, as far as it can be brought back. */
export interface Removed {
  readonly messages: RemovedMessage[];
  /** What was still to leave. */
  readonly outbox: OutboxRecord[];
  /** Their bytes are still there: they are the caller's to remove. */
  readonly files: LeftFile[];
}

/** Why messages are removed. */
export interface RemovalOptions {
  /** Their time has come, as it does for everyone; else they are removed on this device alone. */
  readonly isOver?: boolean;
  /** Gets what can be brought back. */
  readonly removed?: Removed;
}

/** Removes messages that may be of several conversations, and brings the conversations up to date. */
export async function removeMessages(
  context: RemovalContext,
  change: Change,
  keys: readonly MessageKey[],
  { isOver = false, removed }: RemovalOptions = {},
): Promise<void> {
  const gone = new Set(keys);
  const touched = new Set<ConversationId>();
  for (const key of gone) {
    const message = await change.batch.message(key);
    change.batch.deleteMessage(key);
    if (message === undefined) continue;
    // No node gets it any more, so what it was to answer can be paid again.
    if (message.held?.fate.kind === "unsent") await reopenRequest(change, message.held);
    const dropped = await dropFromOutbox(context, change, key, !isOver);
    await removeFile(context, change, message, { isOver, ...(removed && { left: removed.files }) });
    removed?.outbox.push(...dropped);
    const author = authorOf(message, context.account.masterPub);
    touched.add(message.conversation);
    change.noteGone(author, message.id);
    const answers = await untieAnswers(context, change, { author, id: message.id }, gone);
    removed?.messages.push({ key, record: message, answers: [...answers] });
    change.followPin(key, { conversation: message.conversation, at: message.at });
    change.followStar(key, { conversation: message.conversation, at: message.at });
    change.followAsk(key, message, false);
    change.followMention(key, { ...message, isUnread: false });
    const { unread } = change.conversation(message.conversation);
    change.updateConversation(message.conversation, { unread: Math.max(0, unread - Number(message.isUnread)) });
  }
  for (const id of touched) await renewLastMessage(context, change, { id, gone });
}

/** What disappears does so everywhere. What is removed here alone stays where it is stored for the others, until it disappears for them. */
async function removeFile(
  { account, clock }: RemovalContext,
  change: Change,
  message: MessageRecord,
  { isOver, left }: { readonly isOver: boolean; readonly left?: LeftFile[] },
): Promise<void> {
  const { id, body, transfer } = message;
  const author = authorOf(message, account.masterPub);
  await dropFile(change, message, author, {
    ...(isOver ? {} : { kept: keptFile(message, clock.nowMs()) }),
    leavesBytes: left !== undefined,
  });
  if (transfer !== undefined && body.kind === "attachment") left?.push({ author, id, chunks: chunkCount(body.size) });
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

/** Takes a message out of the outbox; gives what was taken. `isHereAlone`: copies of what others have already leave at their time all the same. */
export async function dropFromOutbox(
  { outbox, clock }: RemovalContext,
  change: Change,
  key: MessageKey,
  isHereAlone = false,
): Promise<readonly OutboxRecord[]> {
  const dropped = outbox.entriesOf(key).filter((queued) => !(isHereAlone && queued.isRelayed && queued.later !== undefined));
  for (const queued of dropped) {
    change.deleteOutbox(queued.seq);
    await rememberWithheld(change, queued, clock.nowMs());
  }
  return dropped;
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
