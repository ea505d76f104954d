// When the time of one's own messages begins that disappear: once nothing of them waits here to be handed in for the first time. What has not
// left does not disappear: it would be lost without a word.

import { type MessageKey, NO_RECIPIENT, type OutgoingState } from "../../model/message.ts";
import { begunAt } from "../../model/progress/message-time.ts";
import type { MessageRecord } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { Change } from "../change.ts";

type TimeContext = Pick<EngineContext, "outbox" | "slower">;

const HANDED_IN: readonly (OutgoingState | null)[] = ["relayed", "delivered", "read", NO_RECIPIENT];

/** Begins the time of own messages of which something was handed in, given up, or confirmed by others; where more waits, it does not begin. */
export async function beginTimes(context: TimeContext, change: Change, keys: Iterable<MessageKey>): Promise<void> {
  for (const key of new Set(keys)) {
    const record = await change.batch.message(key);
    const { expiry } = record ?? {};
    if (record?.direction !== "out" || expiry?.startedAt !== null || record.held !== undefined) continue;
    if (!isHandedIn(record) || (await waitsHere(context, change, key, record))) continue;
    change.updateMessage(key, { ...record, expiry: { ...expiry, ...begunAt(context.slower.now()) } });
  }
}

/**
 * True while something of an own message is to be handed in for the first time: itself, for anyone whom it was written to, or a part of its
 * file. What has failed for everyone waits for the person.
 */
export async function waitsHere(
  { outbox }: Pick<TimeContext, "outbox">,
  change: Change,
  key: MessageKey,
  record: MessageRecord,
): Promise<boolean> {
  if (record.direction !== "out") return false;
  const hasFailed = !isHandedIn(record);
  for (const { seq } of outbox.entriesOf(key)) {
    const entry = change.outboxRecord(seq);
    // A device that asked for a part of the file has the message.
    if (entry === undefined || entry.isRelayed || (entry.task.kind === "chunk" && entry.task.device !== undefined)) continue;
    if (!entry.isFailed || hasFailed) return true;
  }
  if (record.body.kind !== "attachment" || record.body.boxes === undefined) return false;
  return (await import("../files/stored-files.ts")).isBeingStored(change, record.id);
}

/** In a mailbox of someone it was written to, or for no one any more. */
function isHandedIn({ state, deliveries, body }: MessageRecord): boolean {
  const states = deliveries === undefined ? [state] : [state, ...Object.values(deliveries)];
  return body.kind === "deleted" || states.some((one) => HANDED_IN.includes(one));
}
