// Which day keys go now: those under which nothing lies any more, and, an hour after something that lay under them went, those of the rest,
// which is put under new ones.
import type { OwnAndChain } from "../../model/progress/message-time.ts";
import type { SerialQueue } from "../serial-queue.ts";
import type { NamedDayKey } from "./day-key-ring.ts";
import { type DayKeyStore, finishLeaving, leaveDayKey, messagesOf, otherUses } from "./day-key-sweep.ts";
import { WAITING } from "./day-windows.ts";

/** So long after something under it went a key goes for the rest, too, milliseconds. */
export const RENEWAL_MS = 3_600_000;
/** The same where there is much to put under another key. */
export const LATE_RENEWAL_MS = 24 * RENEWAL_MS;
/** More messages than this are much. */
export const MANY_MESSAGES = 2_000;

/** Looks at all keys. Gives the milliseconds until it is to be done again; undefined where there is no key. */
export async function checkDayKeys(store: DayKeyStore, writer: SerialQueue, now: OwnAndChain): Promise<number | undefined> {
  const { ring } = store;
  await finishLeaving(store, writer);
  /** Read once for all keys, and only where one of them may have nothing else. */
  let others: ReadonlySet<string> | undefined;
  for (const key of ring.all) {
    const isOver = key.until !== WAITING && key.until <= Math.min(now.ownMs, now.chainMs);
    const stainedAt = ring.notes.stained[key.id];
    if (!isOver && stainedAt === undefined) continue;
    const hasMessages = (await messagesOf(store, key.until, 1)).length > 0;
    if (!hasMessages) others ??= await otherUses(store);
    const isUsed = hasMessages || others?.has(key.id) === true;
    // What is still there of an hour that is over goes in a moment.
    if (!isUsed || (!isOver && stainedAt !== undefined && (await isDue(store, key, now, stainedAt)))) await leaveDayKey(store, key, writer);
  }
  return ring.all.length === 0 ? undefined : RENEWAL_MS;
}

async function isDue(store: DayKeyStore, { until }: NamedDayKey, { ownMs, chainMs }: OwnAndChain, stainedAt: number): Promise<boolean> {
  const ageMs = Math.abs(ownMs - stainedAt);
  if (ageMs < RENEWAL_MS || (until !== WAITING && until - Math.min(ownMs, chainMs) <= RENEWAL_MS)) return false;
  return ageMs >= LATE_RENEWAL_MS || (await messagesOf(store, until, MANY_MESSAGES + 1)).length <= MANY_MESSAGES;
}
