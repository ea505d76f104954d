// Which day key a message that disappears lies under: one for all whose time is over in the same hour, day or 32 days. Few keys are enough for
// messages that stay long, and what stays short goes soon. Pure.
import { overByChain } from "../../model/progress/message-time.ts";
import type { ConversationRecord, MessageExpiry, OutboxTask, SendTask } from "../../model/records.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Lengths of the windows, the longest last: each is so many times the one before that its ends are ends of that, too. */
const STEPS_MS = [HOUR_MS, DAY_MS, 32 * DAY_MS] as const;

/** Window of messages whose time has not begun, and of what is to leave. */
export const WAITING = 0;
/** In the index of times, where that of a message has not begun: behind every time that a clock can show. */
export const NOT_BEGUN = Number.MAX_SAFE_INTEGER;

/** The end of the window of a message, milliseconds since 1970 by the time of the chain; {@link WAITING} until its time begins. */
export function windowOf(expiry: MessageExpiry): number {
  const over = overByChain(expiry);
  if (over === undefined) return WAITING;
  const step = STEPS_MS.find((ms) => expiry.seconds * 1_000 <= ms) ?? STEPS_MS[2];
  return Math.max(1, Math.ceil(over / step)) * step;
}

/** The longest window with this end begins here: messages of a day key disappear later. */
export function windowBegin(until: number): number {
  const step = STEPS_MS.findLast((ms) => until % ms === 0) ?? STEPS_MS[0];
  return until - step;
}

/** The window of the last message and the draft of a conversation; undefined where both stay. */
export function windowOfConversation({ lastMessage, draft, timer }: ConversationRecord): number | undefined {
  if (draft !== "" && timer !== undefined && timer.seconds > 0) return WAITING;
  return lastMessage?.expiry && windowOf(lastMessage.expiry);
}

/** True for words of a message that disappears, on their way. */
export function isFading(task: OutboxTask | SendTask): boolean {
  if (task.kind === "again") return isFading(task.sent.task);
  if (task.kind === "message") return task.expiresInS !== undefined;
  return task.kind === "amendment" && task.isFading === true;
}
