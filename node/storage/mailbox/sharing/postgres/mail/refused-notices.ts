// Notices that a node refused although a client had been acknowledged: they wait aside, are tried again at growing pauses, and are given up
// after a week or for want of room.
import { alone } from "../alone.ts";
import type { PostgresSession } from "../client-session.ts";
import type { PostgresDatabase } from "../postgres-database.ts";
import { statement } from "../statement-batch.ts";
import type { Notice } from "../view/view-changes.ts";

/** Key of the lock. */
const REFUSED_LOCK = 0x50_52_4c_07;

/** First pause before a refused notice is tried again, s: doubled with each try. */
export const FIRST_RETRY_S = 30;
export const LONGEST_RETRY_S = 3_600;
/** A notice is given up once it was refused for so long, s. */
export const REFUSED_KEPT_S = 7 * 86_400;
/** Refused notices that are kept, and their bytes; beyond either, those of the mailbox with most go first, the oldest of it. */
export const REFUSED_NOTICES = 16_384;
export const REFUSED_BYTES = 268_435_456;
/** Refused notices that one round tries again. */
export const RETRIES_A_ROUND = 64;
const MOST_DOUBLINGS = 7;
const ERROR_CHARS = 400;

const SET_ASIDE = statement(
  "set_aside",
  `WITH moved AS (DELETE FROM outgoing WHERE n = ANY($1::bigint[]) RETURNING n, kind, body)
    INSERT INTO refused_notices (n, refused_at, due_at, tries, status, bytes, mailbox, kind, body, error)
      SELECT n, $5, $6, 1, status, octet_length(body), mailbox, kind, body, error
      FROM moved JOIN unnest($1::bigint[], $2::text[], $3::int[], $4::text[]) AS why (n, mailbox, status, error) USING (n)`,
);
const DUE = statement("due_refused", "SELECT n, kind, body FROM refused_notices WHERE due_at <= $1 ORDER BY due_at, n LIMIT $2");
const REMOVE = statement("remove_refused", "DELETE FROM refused_notices WHERE n = ANY($1::bigint[])");
const PUT_OFF = statement(
  "put_off_refused",
  `UPDATE refused_notices SET tries = tries + 1, status = why.status, error = why.error,
      due_at = $4::bigint + least($5::bigint, $6::bigint << least(tries, ${MOST_DOUBLINGS}))
    FROM unnest($1::bigint[], $2::int[], $3::text[]) AS why (n, status, error) WHERE refused_notices.n = why.n`,
);
const GIVE_UP_OLD = statement("give_up_old", "DELETE FROM refused_notices WHERE refused_at < $1 RETURNING n, kind, status, error");
const GIVE_UP_MORE = statement(
  "give_up_more",
  `WITH placed AS (SELECT n, bytes, row_number() OVER (PARTITION BY mailbox ORDER BY n DESC) AS place FROM refused_notices),
      counted AS (SELECT n, sum(bytes) OVER fair AS bytes, row_number() OVER fair AS count FROM placed
        WINDOW fair AS (ORDER BY place, n DESC ROWS UNBOUNDED PRECEDING))
    DELETE FROM refused_notices USING counted WHERE refused_notices.n = counted.n AND (count > $1 OR counted.bytes > $2)
      RETURNING refused_notices.n, kind, status, error`,
);
const MAILBOXES = statement("refused_mailboxes", "SELECT DISTINCT mailbox FROM refused_notices WHERE kind = 'envelope'");
const COUNT = statement("count_refused", "SELECT count(*) AS count FROM refused_notices");
const HURRY = statement("hurry_refused", "UPDATE refused_notices SET due_at = 0 WHERE mailbox = $1");

/** Why a node did not take a notice. */
export interface Refusal {
  readonly n: number;
  readonly mailbox: string;
  readonly status: number;
  /** What the node said. */
  readonly error: string;
}

/** A notice that is tried again. */
export interface DueNotice extends Notice {
  readonly n: number;
}

/** A notice that no node gets any more. */
export interface LostNotice extends Omit<Refusal, "mailbox"> {
  readonly kind: Notice["kind"];
}

/** What one round did: how many were due, and what was given up. */
export interface RetriedNotices {
  readonly due: number;
  readonly lost: readonly LostNotice[];
}

/** When, and how much is kept. */
export interface RetryOptions {
  readonly nowSec: number;
  readonly most?: { readonly count: number; readonly bytes: number };
}

/** Moves notices that a node refused out of those that wait. */
export async function setAside(session: PostgresSession, refused: readonly Refusal[], nowSec: number): Promise<void> {
  const values = [refused.map(({ n }) => n), refused.map(({ mailbox }) => mailbox), refused.map(({ status }) => status), errorsOf(refused)];
  await session.run(SET_ASIDE, [...values, nowSec, nowSec + FIRST_RETRY_S]);
}

/**
 * Tries what is due again, and gives up what was refused for too long or has no room. Undefined where another process does it.
 * @param send Gives the numbers of what a node has, and what it refused once more.
 */
export async function retryRefused(
  database: PostgresDatabase,
  { nowSec, most = { count: REFUSED_NOTICES, bytes: REFUSED_BYTES } }: RetryOptions,
  send: (notices: readonly DueNotice[]) => Promise<{ readonly done: readonly number[]; readonly refused: readonly Refusal[] }>,
): Promise<RetriedNotices | undefined> {
  return await alone(database, REFUSED_LOCK, async (session) => {
    const due = await session.run<DueNotice>(DUE, [nowSec, RETRIES_A_ROUND]);
    const { done, refused } = due.length === 0 ? { done: [], refused: [] } : await send(due);
    if (done.length > 0) await session.run(REMOVE, [done]);
    if (refused.length > 0) {
      const values = [refused.map(({ n }) => n), refused.map(({ status }) => status), errorsOf(refused)];
      await session.run(PUT_OFF, [...values, nowSec, LONGEST_RETRY_S, FIRST_RETRY_S]);
    }
    const old = await session.run<LostNotice>(GIVE_UP_OLD, [nowSec - REFUSED_KEPT_S]);
    return { due: due.length, lost: [...old, ...(await session.run<LostNotice>(GIVE_UP_MORE, [most.count, most.bytes]))] };
  });
}

/** Mailboxes for which nodes refused envelopes that wait aside, and how many notices do. */
export interface RefusedMail {
  readonly mailboxes: ReadonlySet<string>;
  readonly count: number;
}

/** What waits aside. */
export async function readRefused(database: Pick<PostgresDatabase, "run">): Promise<RefusedMail> {
  const [counted] = await database.run<{ readonly count: number }>(COUNT);
  if ((counted?.count ?? 0) === 0) return { mailboxes: new Set(), count: 0 };
  const rows = await database.run<{ readonly mailbox: string }>(MAILBOXES);
  return { mailboxes: new Set(rows.map(({ mailbox }) => mailbox)), count: counted?.count ?? 0 };
}

/** A node takes mail of this mailbox again: what waits aside is due. */
export async function hurryRefused(database: Pick<PostgresDatabase, "run">, mailbox: string): Promise<void> {
  await database.run(HURRY, [mailbox]);
}

function errorsOf(refused: readonly Refusal[]): readonly string[] {
  // PostgreSQL has no text with a zero.
  return refused.map(({ error }) => error.replaceAll("\0", "").slice(0, ERROR_CHARS));
}
