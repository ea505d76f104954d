// A receipt on its way into the outbox, where it waits some random seconds and grows meanwhile: its time says of no message when it came or
// was read.
import { MAX_RECEIPT_IDS, type MessageId } from "#shared/content/content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { OutboxRecord, SendTask } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { drawWait } from "../../state/outbox/cover-waits.ts";
import type { Change } from "../change.ts";

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
      .flatMap(({ seq }) => change.outboxRecord(seq) ?? [])
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
