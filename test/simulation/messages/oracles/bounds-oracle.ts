// What someone who lies can make an honest device keep and send: rows of a pair by docs/limits.md, and how often a content leaves again.
import { MAX_LOST_CARDS } from "#shared/content/pairs/pair-content.ts";
import {
  MAX_BEYOND_GAP,
  MAX_CARDS,
  MAX_HELD_IDS,
  MAX_PAST_INSTANCES,
  MAX_UNACKNOWLEDGED,
  type PairState,
} from "#shared/messenger/pairs/pair-state.ts";

const DAY_MS = 86_400_000;
/** Who asks gets a content at once, and at once again; then after this long, and twice as long each time up to a day. */
const AT_ONCE = 2;
const FIRST_WAIT_MS = 600_000;
/** A clock that jumps has moved: so much leaves again for it at most, of each content. */
const COPIES_A_JUMP = 2;
/** So long is looked at at a time. */
const WINDOW_MS = 2 * DAY_MS;
/** Introductions, at most each six hours, and weekly marks. */
const UNASKED_A_DAY = 5;

/** What is too large in a pair; undefined where nothing is. */
export function tooLargeIn({ cards, lost, sent, theirs }: PairState<string>): string | undefined {
  const rows: readonly (readonly [name: string, rows: number, most: number])[] = [
    ["cards", cards.length, MAX_CARDS],
    ["lost cards", lost.length, MAX_LOST_CARDS],
    ["contents that wait", sent.waiting.length, MAX_UNACKNOWLEDGED],
    ["contents beyond a gap", theirs?.chain.ahead.length ?? 0, MAX_BEYOND_GAP],
    ["contents beyond a gap of the instance before", theirs?.former?.chain.ahead.length ?? 0, MAX_BEYOND_GAP],
    ["names of instances", theirs?.past.length ?? 0, MAX_PAST_INSTANCES],
    ["ids with a card", Math.max(0, ...cards.map(({ held }) => held.length)), MAX_HELD_IDS],
  ];
  const found = rows.find(([, count, most]) => count > most);
  return found && `keeps ${found[1]} ${found[0]}, and ${found[2]} are allowed`;
}

/** A content that left for one who lies. */
export interface SentContent {
  readonly instance: string;
  readonly place: number | undefined;
  /** When, by the time of the world. */
  readonly atMs: number;
}

/** What an honest device sent to one who lies, and what it had reason to. */
export interface SentToLiar {
  readonly device: string;
  /** In their order. */
  readonly sent: readonly SentContent[];
  /** Of the schedule, and how often clocks jumped in it. */
  readonly days: number;
  readonly jumps: number;
  /** Counted days on which the device took itself for set back. */
  readonly renewed: readonly number[];
  /** Envelopes that the one who lies put into mailboxes of the device. */
  readonly came: number;
  /** They never acknowledge, so nothing is lacking that was there. */
  readonly isAsking: boolean;
}

/** What was sent too often; undefined where nothing was. */
export function tooOften({ device, sent, days, jumps, renewed, came, isAsking }: SentToLiar): string | undefined {
  const again = renewed.find((day, at) => renewed.indexOf(day) !== at);
  if (again !== undefined) return `${device} took itself for set back twice on day ${again}`;
  const times = new Map<string, number[]>();
  let unplaced = 0;
  for (const { instance, place, atMs } of sent) {
    if (place === undefined) unplaced += 1;
    else times.set(`${instance} ${place}`, [...(times.get(`${instance} ${place}`) ?? []), atMs]);
  }
  for (const copies of times.values()) {
    const wrong = tooManyCopies(copies, jumps, isAsking);
    if (wrong !== undefined) return `${device} sent one content ${wrong}`;
  }
  const mostUnplaced = 2 * came + UNASKED_A_DAY * (days + jumps);
  return unplaced > mostUnplaced ? `${device} sent ${unplaced} marks for ${came} envelopes` : undefined;
}

/** What is wrong with the times at which one content left; undefined where nothing is. */
function tooManyCopies(copies: readonly number[], jumps: number, isAsking: boolean): string | undefined {
  const spanMs = (copies.at(-1) ?? 0) - (copies[0] ?? 0);
  const more = COPIES_A_JUMP * jumps;
  const most = isAsking ? copiesWithin(spanMs) : copiesWithin(DAY_MS) * (spanMs / DAY_MS + 2);
  if (copies.length > most + more) return `${copies.length} times within ${Math.round(spanMs / 3_600_000)} hours`;
  const inWindow = Math.max(...copies.map((atMs) => copies.filter((other) => other >= atMs && other <= atMs + WINDOW_MS).length));
  return isAsking && inWindow > copiesWithin(WINDOW_MS) + more ? `${inWindow} times within two days` : undefined;
}

/** How often one content may leave within a time. */
function copiesWithin(spanMs: number): number {
  let count = AT_ONCE;
  let atMs = 0;
  for (let waitMs = FIRST_WAIT_MS; atMs + waitMs <= spanMs; waitMs = Math.min(2 * waitMs, DAY_MS)) {
    atMs += waitMs;
    count += 1;
  }
  return count;
}
