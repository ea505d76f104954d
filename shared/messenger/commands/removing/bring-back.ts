// Puts what was removed into the store again, as it would stand there now: with what came for it meanwhile, without what is over.
import { type Change, DOWNLOADS_KEY } from "../../changes/change.ts";
import { followAnswers, tieAgain, tied } from "../../changes/chats/answers.ts";
import { isLarge } from "../../changes/files/files.ts";
import type { MessageKey, ScheduledMessage } from "../../model/message.ts";
import { HELD_PAYMENTS_KEY } from "../../model/payments.ts";
import { begunAt, isOverByBoth, type OwnAndChain } from "../../model/progress/message-time.ts";
import { advanceState } from "../../model/progress/outgoing-state.ts";
import { authorOf, type ConversationRecord, type MessageRecord, type OutboxRecord, type StoredMessage } from "../../model/records.ts";
import { amended } from "../../receiving/apply-message.ts";
import { type LeftFile, type Removed, reopenRequest } from "../../sending/remove-messages.ts";
import type { EngineContext } from "../../state/engine-context.ts";

/** A conversation as it was. */
export interface RemovedChat {
  readonly record: ConversationRecord;
  readonly scheduled: readonly ScheduledMessage[];
}

/** What is not among the messages of a chat: its draft, and what waits there for its time. What has been written since stays. */
export async function bringBackChat(
  { account, store }: Pick<EngineContext, "account" | "store">,
  change: Change,
  { record, scheduled }: RemovedChat,
): Promise<void> {
  const { draft, hasSent, updatedAt } = change.conversation(record.id);
  change.updateConversation(record.id, {
    draft: draft === "" ? record.draft : draft,
    hasSent: hasSent || record.hasSent,
    updatedAt: Math.max(updatedAt, record.updatedAt),
  });
  for (const message of scheduled) {
    const others = change.scheduled.filter(({ id }) => id !== message.id);
    // A node may still have copies of what is there; of what is not, none has any, or it has left and is a message.
    if (others.length < change.scheduled.length) change.putScheduled([...others, message]);
    else if (!(await change.batch.hasSeen(await store.messageKey(account.masterPub, message.id)))) {
      const { held: _, ...withoutCopies } = message;
      change.putScheduled([...others, withoutCopies]);
    }
  }
}

/**
 * Messages, with what was still to leave. Those that have disappeared for everyone since stay gone; so do payments that no node was given, and
 * what they were to answer can be paid. Gives the files of what stays gone.
 */
export async function bringBackMessages(
  context: EngineContext,
  change: Change,
  { messages, outbox, files }: Removed,
): Promise<readonly LeftFile[]> {
  const now = context.slower.now();
  const isOver = ({ expiry }: MessageRecord): boolean => expiry !== undefined && isOverByBoth(expiry, now);
  const back = messages.filter(({ record }) => record.held?.fate.kind !== "unsent" && !isOver(record));
  const keys = new Set(back.map(({ key }) => key));
  // Answers after what they repeat.
  for (const message of back.toSorted((one, other) => one.record.at - other.record.at)) await bringBack(context, change, message);
  for (const { answers } of back) await tieAgain(context, change, answers);
  for (const { record } of messages) if (record.held?.fate.kind === "unsent") await reopenRequest(change, record.held);
  for (const entry of outbox)
    if ("key" in entry.task && keys.has(entry.task.key)) change.putOutbox(againOf(entry, context.outbox.nextSeq()));
  await putBack(
    change,
    DOWNLOADS_KEY,
    back.filter(({ record }) => record.transfer?.isAsked === true),
  );
  await putBack(
    change,
    HELD_PAYMENTS_KEY,
    back.filter(({ record }) => record.held?.fate.kind === "handed"),
  );
  const gone = messages.filter(({ key }) => !keys.has(key)).map(({ record }) => record);
  return files.filter(({ author, id }) =>
    gone.some((record) => record.id === id && authorOf(record, context.account.masterPub) === author),
  );
}

async function bringBack(context: EngineContext, change: Change, { key, record }: StoredMessage): Promise<void> {
  const author = authorOf(record, context.account.masterPub);
  const read = await withEarlyRead(change, record, { author, now: context.slower.now() });
  const received = await withEarlyReceipts(change, await withEarlyChunks(change, read, author));
  const whole = await tied(context, change, { key, record: await amended(context, change, { key, record: received, author }) });
  change.addMessage(key, whole);
  await followAnswers(context, change, { author, record: whole });
}

/** Read on another own device since. */
async function withEarlyRead(
  change: Change,
  record: MessageRecord,
  { author, now }: { readonly author: string; readonly now: OwnAndChain },
): Promise<MessageRecord> {
  if (!record.isUnread || (await change.batch.takeEarly(["mark", author, record.id])) !== "read") return record;
  const { expiry } = record;
  return { ...record, isUnread: false, ...(expiry && { expiry: { ...expiry, ...(expiry.startedAt === null && begunAt(now)) } }) };
}

/** Chunks of a file that was on its way. Large ones are asked for again. */
async function withEarlyChunks(change: Change, record: MessageRecord, author: string): Promise<MessageRecord> {
  const { body, transfer } = record;
  if (body.kind !== "attachment" || transfer === undefined || record.direction === "out") return record;
  if (transfer.done >= transfer.total || isLarge(body)) return record;
  const done = Math.min(await change.batch.claimChunks({ author, id: record.id }), transfer.total);
  return { ...record, transfer: done < transfer.total ? { ...transfer, done } : { done, total: transfer.total } };
}

async function withEarlyReceipts(change: Change, record: MessageRecord): Promise<MessageRecord> {
  if (record.direction === "in") return record;
  let advanced = record;
  for (const peer of record.deliveries === undefined ? [record.conversation] : Object.keys(record.deliveries)) {
    const state = await change.batch.takeEarly(["receipt", peer, record.id]);
    if (state === "delivered" || state === "read") advanced = advanceState(advanced, peer, state) ?? advanced;
  }
  return advanced;
}

/** An entry to be sent at positions of its own: of its former ones devices learn that nothing comes there. */
function againOf({ places: _places, given: _given, later: _later, ...entry }: OutboxRecord, seq: number): OutboxRecord {
  return { ...entry, seq };
}

/** A list of messages again with those that are back. */
async function putBack(change: Change, list: string, messages: readonly StoredMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const known = (await change.batch.meta<readonly MessageKey[]>(list)) ?? [];
  change.batch.putMeta(list, [...new Set([...known, ...messages.map(({ key }) => key)])]);
}
