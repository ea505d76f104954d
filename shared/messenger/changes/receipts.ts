// Receipts for the authors of messages. Strangers get none; once they are known, their messages are acknowledged like those of others. They wait
// some random seconds and grow meanwhile: their time says of no message when it came or was read.
import { MAX_RECEIPT_IDS, type MessageId } from "#shared/content/content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { groupOf } from "../model/conversation-id.ts";
import type { ConversationId } from "../model/message.ts";
import { authorOf, type MessageRecord, type OutboxRecord, type SendTask } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { drawWait } from "../state/outbox/cover-waits.ts";
import { type Change, isWithPerson } from "./change.ts";

/** Messages of a stranger that are acknowledged at once when they become known, the newest ones. */
export const MAX_WITHHELD_RECEIPTS = 1_024;

type ReceiptContext = Pick<EngineContext, "account" | "store" | "registry" | "settings"> & ReceiptQueueContext;

/** Ids of messages by those who wrote them. */
export function byAuthor(
  messages: readonly { readonly author: string; readonly id: MessageId }[],
): ReadonlyMap<string, readonly MessageId[]> {
  const ids = new Map<string, MessageId[]>();
  for (const { author, id } of messages) ids.set(author, [...(ids.get(author) ?? []), id]);
  return ids;
}

/** Ids in groups that fit in one receipt. */
export function chunks(ids: readonly MessageId[]): readonly (readonly MessageId[])[] {
  const groups: MessageId[][] = [];
  for (let start = 0; start < ids.length; start += MAX_RECEIPT_IDS) groups.push(ids.slice(start, start + MAX_RECEIPT_IDS));
  return groups;
}

/** Queues the receipts that were withheld while the other side were strangers: call in the change that makes them known. */
export async function queueWithheldReceipts(context: ReceiptContext, change: Change, id: ConversationId): Promise<void> {
  const { account, store, registry, settings } = context;
  if (!isWithPerson(id, account.masterPub) && groupOf(id) === undefined) return;
  const stored = await store.readPage(id, undefined, MAX_WITHHELD_RECEIPTS);
  const theirs = stored.map(({ record }) => record).filter(({ direction, hasReceipts }) => direction === "in" && hasReceipts);
  const isSeen = ({ isUnread }: MessageRecord): boolean => !isUnread && settings().sendReadReceipts;
  for (const status of ["delivered", "read"] as const) {
    const meant = theirs.filter((record) => isSeen(record) === (status === "read"));
    const ids = byAuthor(meant.toReversed().map((record) => ({ author: authorOf(record, account.masterPub), id: record.id })));
    for (const [author, all] of ids)
      if (!registry.isBlocked(author))
        for (const some of chunks(all)) queueReceipt(context, change, author, { kind: "receipt", status, ids: some });
  }
}

/** What is said of messages of one person. */
export type ReceiptTask = Extract<SendTask, { readonly kind: "receipt" | "readMark" }>;

type Waiting = OutboxRecord & { readonly task: ReceiptTask };

/** What queueing a receipt needs. */
export type ReceiptQueueContext = Pick<EngineContext, "outbox" | "clock" | "random" | "cover">;

/**
 * Queues what is said of some messages of a person: along with what waits for them already, where that waits long enough. Each message is
 * covered by the shortest wait at least and by the longest one at most. `task.ids`: at most `MAX_RECEIPT_IDS`.
 */
export function queueReceipt(
  { outbox, clock, random, cover }: ReceiptQueueContext,
  change: Change,
  author: PublicKeyHex,
  task: ReceiptTask,
): void {
  const { leastMs, mostMs } = cover.receipts;
  if (mostMs === 0 || outbox.isCoverOver) {
    change.queue(author, task);
    return;
  }
  const notUnderWay = (afterMs: number): readonly Waiting[] =>
    outbox
      .notLeavingBefore(clock.monotonicMs() + afterMs)
      .flatMap(({ seq }) => change.outboxEntry(seq) ?? [])
      .filter((record): record is Waiting => record.peer === author && (record.task.kind === "receipt" || record.task.kind === "readMark"));
  // Who has read a message has got it.
  if (isRead(task)) for (const waiting of notUnderWay(0)) if (isDelivered(waiting.task)) without(change, waiting, task.ids);
  const room = MAX_RECEIPT_IDS - task.ids.length;
  const joined = notUnderWay(leastMs).find((waiting) => isSame(waiting.task, task) && waiting.task.ids.length <= room);
  if (joined === undefined) change.queue(author, task, clock.nowMs() + drawWait(cover.receipts, random));
  else change.putOutbox({ ...joined, task: { ...task, ids: [...new Set([...joined.task.ids, ...task.ids])] } });
}

function without(change: Change, waiting: Waiting, gone: readonly MessageId[]): void {
  const ids = waiting.task.ids.filter((id) => !gone.includes(id));
  if (ids.length === 0) change.deleteOutbox(waiting.seq);
  else if (ids.length < waiting.task.ids.length) change.putOutbox({ ...waiting, task: { ...waiting.task, ids } });
}

function isRead(task: ReceiptTask): boolean {
  return task.kind === "receipt" && task.status === "read";
}

function isDelivered(task: ReceiptTask): boolean {
  return task.kind === "receipt" && task.status === "delivered";
}

function isSame(one: ReceiptTask, other: ReceiptTask): boolean {
  return one.kind === other.kind && isRead(one) === isRead(other);
}
