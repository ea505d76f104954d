// What has come in the sender chain of another device, and what is missing in it. Pure.
import { MAX_RESEND_POSITIONS } from "#shared/content/content.ts";
import type { StreamRecord } from "./records.ts";

/** A gap may be filled by itself for so long: networks deliver out of order. */
export const FIRST_ASK_MS = 15_000;
/** Each further request waits so many times longer. */
const ASK_FACTOR = 4;
/** Requests for a gap before what is missing is given up. */
export const MAX_ASKS = 6;
/** Positions remembered beyond a gap. A device that jumps further has lost more than can be asked for. */
const MAX_AHEAD = 4_096;

/** A sender chain after a change, and how many positions were given up with it. */
export interface StreamStep {
  readonly record: StreamRecord;
  readonly lost: number;
}

/** A position has come. */
export function takePosition(record: StreamRecord, position: number, nowMs: number): StreamStep {
  if (position <= record.upTo || record.ahead.includes(position)) return { record, lost: 0 };
  const ahead = [...record.ahead, position].sort((a, b) => a - b);
  if (ahead.length > MAX_AHEAD) return giveUp({ ...record, ahead });
  return { record: advanced({ ...record, ahead }, nowMs), lost: 0 };
}

/** Missing positions, the oldest first, as many as one request names. */
export function missingPositions(record: Pick<StreamRecord, "upTo" | "ahead" | "announced">): readonly number[] {
  return positionsUpTo(record, lastGiven(record));
}

/** Its device says up to which position it has given: what is missing there is asked for now, and then like every gap. */
export function announcePosition(record: StreamRecord, upTo: number, nowMs: number): StreamRecord {
  if (upTo <= lastGiven(record)) return record;
  const announced = { ...record, announced: Math.min(upTo, record.upTo + MAX_AHEAD) };
  return { ...announced, gap: record.gap ?? { since: nowMs, asks: 0, nextAskAt: nowMs } };
}

/** The last position that is known to be given. */
function lastGiven({ upTo, ahead, announced = 0 }: Pick<StreamRecord, "upTo" | "ahead" | "announced">): number {
  return Math.max(ahead.at(-1) ?? upTo, announced);
}

/** Positions up to one that have not come, the oldest first, as many as one request names. */
export function positionsUpTo({ upTo, ahead }: Pick<StreamRecord, "upTo" | "ahead">, last: number): readonly number[] {
  const present = new Set(ahead);
  const missing: number[] = [];
  for (let position = upTo + 1; position <= last && missing.length < MAX_RESEND_POSITIONS; position += 1)
    if (!present.has(position)) missing.push(position);
  return missing;
}

/** The gap has been asked for now. */
export function asked(record: StreamRecord, nowMs: number): StreamRecord {
  const { since = nowMs, asks = 0 } = record.gap ?? {};
  return { ...record, gap: { since, asks: asks + 1, nextAskAt: nowMs + FIRST_ASK_MS * ASK_FACTOR ** (asks + 1) } };
}

/** Positions that the sender no longer has. */
export function dropPositions(record: StreamRecord, positions: readonly number[], nowMs: number): StreamStep {
  const missing = new Set(missingPositions(record));
  const gone = positions.filter((position) => missing.has(position));
  if (gone.length === 0) return { record, lost: 0 };
  const ahead = [...record.ahead, ...gone].sort((a, b) => a - b);
  return { record: advanced({ ...record, ahead }, nowMs), lost: gone.length };
}

/** Everything that is missing is given up. */
export function giveUp(record: StreamRecord): StreamStep {
  const last = lastGiven(record);
  const lost = last - record.upTo - record.ahead.length;
  return { record: { ...record, upTo: last, ahead: [], gap: null }, lost };
}

/** Moves the end over what has come without a gap. */
function advanced(record: StreamRecord, nowMs: number): StreamRecord {
  let { upTo } = record;
  let count = 0;
  while (record.ahead[count] === upTo + 1) {
    upTo += 1;
    count += 1;
  }
  const ahead = record.ahead.slice(count);
  if (lastGiven({ ...record, upTo, ahead }) === upTo) return { ...record, upTo, ahead, gap: null };
  const isSameGap = upTo === record.upTo && record.gap !== null;
  return { ...record, upTo, ahead, gap: isSameGap ? record.gap : { since: nowMs, asks: 0, nextAskAt: nowMs + FIRST_ASK_MS } };
}
