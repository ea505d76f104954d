// What passes between the database and the network of nodes: notices that wait for a node, and how far each node's mail has been taken in.
// One process at a time does either, and another one goes on when it ends.

import type { FeedPosition } from "../../mail-feed.ts";
import { alone } from "../alone.ts";
import type { PostgresDatabase } from "../postgres-database.ts";
import { statement } from "../statement-batch.ts";
import type { Notice } from "../view/view-changes.ts";
import { type Refusal, type RoomAside, setAside } from "./refused-notices.ts";

/** Keys of the locks. */
const NOTICE_LOCK = 0x50_52_4c_04;
const FEED_LOCK = 0x50_52_4c_05;

const NOTICES = statement("notices", "SELECT n, kind, body, client FROM outgoing WHERE n > $1 AND n <= $2 ORDER BY n LIMIT $3");
const LAST = statement("last_notice", "SELECT coalesce(max(n), 0) AS n FROM outgoing");
const REMOVE = statement("remove_notices", "DELETE FROM outgoing WHERE n = ANY($1::bigint[])");
// Sizes as stored: bodies that lie apart are not read.
const WAITING = statement(
  "waiting_notices",
  "SELECT count(*) AS count, coalesce(sum(pg_column_size(body)), 0)::bigint AS bytes FROM outgoing",
);
const POSITION = statement("feed_position", "SELECT envelopes, deletions FROM feeds WHERE node = $1");
const SET_POSITION = statement(
  "set_feed_position",
  `INSERT INTO feeds (node, envelopes, deletions) VALUES ($1, $2, $3)
    ON CONFLICT (node) DO UPDATE SET envelopes = excluded.envelopes, deletions = excluded.deletions`,
);

/** A notice in its place. */
export interface WaitingNotice extends Notice {
  readonly n: number;
}

/** How many of them, at what time, and how much may wait aside. */
export interface HandOverOptions extends NoticeRange {
  readonly limit: number;
  readonly nowSec: number;
  readonly room?: RoomAside | undefined;
}

/** Part of what waits: behind `after`, up to `until`; without it up to what is the last one now. */
export interface NoticeRange {
  readonly after: number;
  readonly until: number | undefined;
}

/** What came of notices: numbers of those that a node has, and what one refused. All others are to be handed over again. */
export interface NoticeOutcomes {
  readonly done: readonly number[];
  readonly refused: readonly Refusal[];
}

/**
 * Notices of a range that were found, how many of them wait no more, how many a node refused that have no room aside and wait still, and the
 * last that belongs to the range.
 */
export interface HandedOver {
  readonly found: readonly WaitingNotice[];
  readonly done: number;
  readonly left: number;
  readonly until: number;
}

/**
 * Hands the oldest notices of a range over; those that a node refused wait aside from then on, where there is room. Undefined where another
 * process does it. A range is read in order of numbers, and one that is committed late has no later one of its mailbox within the same range.
 */
export async function handOver(
  database: PostgresDatabase,
  { after, until, limit, nowSec, room }: HandOverOptions,
  send: (notices: readonly WaitingNotice[]) => Promise<NoticeOutcomes>,
): Promise<HandedOver | undefined> {
  return await alone(database, NOTICE_LOCK, async (session) => {
    const last = until ?? (await session.run<{ readonly n: number }>(LAST))[0]?.n ?? 0;
    const found = await session.run<WaitingNotice>(NOTICES, [after, last, limit]);
    const { done, refused } = found.length === 0 ? { done: [], refused: [] } : await send(found);
    if (done.length > 0) await session.run(REMOVE, [done]);
    const moved = refused.length > 0 ? (await setAside(session, refused, { nowSec, room })).size : 0;
    return { found, done: done.length + moved, left: refused.length - moved, until: last };
  });
}

/** How many notices wait, and their bytes. */
export interface WaitingNotices {
  readonly count: number;
  readonly bytes: number;
}

/** Notices that wait. */
export async function countNotices(database: PostgresDatabase): Promise<WaitingNotices> {
  return (await database.run<WaitingNotices>(WAITING))[0] ?? { count: 0, bytes: 0 };
}

/** Takes the next mail of a node in: `take` makes it durable and gives the position behind it. Nothing where another process does it. */
export async function follow(
  database: PostgresDatabase,
  node: string,
  take: (position: FeedPosition) => Promise<FeedPosition>,
): Promise<void> {
  await alone(database, FEED_LOCK, async (session) => {
    const [known] = await session.run<{ readonly envelopes: number; readonly deletions: number }>(POSITION, [node]);
    const before = { after: known?.envelopes ?? 0, deletionsAfter: known?.deletions ?? 0 };
    const { after, deletionsAfter } = await take(before);
    if (after !== before.after || deletionsAfter !== before.deletionsAfter) await session.run(SET_POSITION, [node, after, deletionsAfter]);
  });
}

/** Up to where the mail of a node has been taken in. */
export async function feedPosition(database: PostgresDatabase, node: string): Promise<number> {
  const [known] = await database.run<{ readonly envelopes: number }>(POSITION, [node]);
  return known?.envelopes ?? 0;
}
