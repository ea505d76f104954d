// Notices that a node refused although a client had been acknowledged: they wait aside, are tried again at growing pauses, and are given up
// once all nodes have refused them for a week. Where there is no room aside they stay among those that wait, so that nothing acknowledged is lost for want of it.
import { ERROR_CODES } from "#shared/errors/codes.ts";
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
/** A notice is given up when all nodes refuse it after so long, s: since some of them could not be asked last. */
export const REFUSED_KEPT_S = 7 * 86_400;
/** Refused notices that wait aside, and their bytes. */
export const REFUSED_NOTICES = 16_384;
export const REFUSED_BYTES = 268_435_456;
/** Refused notices that one round tries again. */
export const RETRIES_A_ROUND = 64;
const MOST_DOUBLINGS = 7;
/** Statuses of refusals because of what a client's network has there already. */
const NO_ROOM = [ERROR_CODES.RATE_LIMITED, ERROR_CODES.RELAY_FULL];
const ERROR_CHARS = 400;

const SET_ASIDE = statement(
  "set_aside",
  `WITH held AS (SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM refused_notices),
      sized AS (SELECT n, row_number() OVER fair AS count, sum(octet_length(body)) OVER fair AS bytes
        FROM outgoing WHERE n = ANY($1::bigint[]) WINDOW fair AS (ORDER BY n ROWS UNBOUNDED PRECEDING)),
      fitting AS (SELECT sized.n FROM sized, held WHERE held.count + sized.count <= $7 AND held.bytes + sized.bytes <= $8),
      moved AS (DELETE FROM outgoing WHERE n IN (SELECT n FROM fitting) RETURNING n, kind, body, client)
    INSERT INTO refused_notices (n, refused_at, due_at, tries, status, bytes, mailbox, kind, body, error, client)
      SELECT n, $5, $6, 1, status, octet_length(body), mailbox, kind, body, error, client
      FROM moved JOIN unnest($1::bigint[], $2::text[], $3::int[], $4::text[]) AS why (n, mailbox, status, error) USING (n)
      RETURNING n`,
);
const DUE = statement("due_refused", "SELECT n, kind, body, client FROM refused_notices WHERE due_at <= $1 ORDER BY due_at, n LIMIT $2");
const REMOVE = statement("remove_refused", "DELETE FROM refused_notices WHERE n = ANY($1::bigint[])");
const PUT_OFF = statement(
  "put_off_refused",
  `UPDATE refused_notices SET tries = tries + 1, status = why.status, error = why.error,
      refused_at = CASE WHEN why.uncertain THEN $4::bigint ELSE refused_at END,
      due_at = $4::bigint + least($5::bigint, $6::bigint << least(tries, ${MOST_DOUBLINGS}))
    FROM unnest($1::bigint[], $2::int[], $3::text[], $7::boolean[]) AS why (n, status, error, uncertain) WHERE refused_notices.n = why.n`,
);
const GIVE_UP_OLD = statement(
  "give_up_old",
  "DELETE FROM refused_notices WHERE refused_at < $1 AND n = ANY($2::bigint[]) RETURNING n, kind, status, error",
);
const MAILBOXES = statement("refused_mailboxes", "SELECT DISTINCT mailbox FROM refused_notices WHERE kind = 'envelope'");
const CLIENTS = statement(
  "refused_clients",
  "SELECT DISTINCT client FROM refused_notices WHERE client IS NOT NULL AND status = ANY($1::int[])",
);
const COUNT = statement("count_refused", "SELECT count(*) AS count, coalesce(sum(bytes), 0)::bigint AS bytes FROM refused_notices");
const HURRY = statement("hurry_refused", "UPDATE refused_notices SET due_at = 0 WHERE mailbox = $1");

/** Why a node did not take a notice. */
export interface Refusal {
  readonly n: number;
  readonly mailbox: string;
  readonly status: number;
  /** What the node said. */
  readonly error: string;
  /** Other nodes could not be asked. */
  readonly isUncertain: boolean;
}

/** A notice that is tried again. */
export interface DueNotice extends Notice {
  readonly n: number;
}

/** A notice that no node gets any more. */
export interface LostNotice extends Omit<Refusal, "mailbox" | "isUncertain"> {
  readonly kind: Notice["kind"];
}

/** What one round did: how many were due, and what was given up. */
export interface RetriedNotices {
  readonly due: number;
  readonly lost: readonly LostNotice[];
}

/** Room for what waits aside. */
export interface RoomAside {
  readonly count: number;
  readonly bytes: number;
}

const ROOM: RoomAside = { count: REFUSED_NOTICES, bytes: REFUSED_BYTES };

/** Moves notices that a node refused out of those that wait, as many as there is room for; gives their numbers. */
export async function setAside(
  session: PostgresSession,
  refused: readonly Refusal[],
  { nowSec, room = ROOM }: { readonly nowSec: number; readonly room?: RoomAside | undefined },
): Promise<ReadonlySet<number>> {
  const values = [refused.map(({ n }) => n), refused.map(({ mailbox }) => mailbox), refused.map(({ status }) => status), errorsOf(refused)];
  const times = [nowSec, nowSec + FIRST_RETRY_S];
  const moved = await session.run<{ readonly n: number }>(SET_ASIDE, [...values, ...times, room.count, room.bytes]);
  return new Set(moved.map(({ n }) => n));
}

/**
 * Tries what is due again, and gives up what all refuse once more after too long. Undefined where another process does it.
 * @param send Gives the numbers of what a node has, and what it refused once more.
 */
export async function retryRefused(
  database: PostgresDatabase,
  nowSec: number,
  send: (notices: readonly DueNotice[]) => Promise<{ readonly done: readonly number[]; readonly refused: readonly Refusal[] }>,
): Promise<RetriedNotices | undefined> {
  return await alone(database, REFUSED_LOCK, async (session) => {
    const due = await session.run<DueNotice>(DUE, [nowSec, RETRIES_A_ROUND]);
    const { done, refused } = due.length === 0 ? { done: [], refused: [] } : await send(due);
    if (done.length > 0) await session.run(REMOVE, [done]);
    if (refused.length > 0) {
      const values = [refused.map(({ n }) => n), refused.map(({ status }) => status), errorsOf(refused)];
      const times = [nowSec, LONGEST_RETRY_S, FIRST_RETRY_S];
      await session.run(PUT_OFF, [...values, ...times, refused.map(({ isUncertain }) => isUncertain)]);
    }
    const lost =
      refused.length === 0 ? [] : await session.run<LostNotice>(GIVE_UP_OLD, [nowSec - REFUSED_KEPT_S, refused.map(({ n }) => n)]);
    return { due: due.length, lost };
  });
}

/** Mailboxes for which nodes refused envelopes that wait aside, clients of whom they took no more, and how much waits. */
export interface RefusedMail extends RoomAside {
  readonly mailboxes: ReadonlySet<string>;
  readonly clients: readonly string[];
}

/** What waits aside. */
export async function readRefused(database: Pick<PostgresDatabase, "run">): Promise<RefusedMail> {
  const [{ count, bytes } = { count: 0, bytes: 0 }] = await database.run<RoomAside>(COUNT);
  if (count === 0) return { mailboxes: new Set(), clients: [], count, bytes };
  const rows = await database.run<{ readonly mailbox: string }>(MAILBOXES);
  const clients = await database.run<{ readonly client: string }>(CLIENTS, [NO_ROOM]);
  return { mailboxes: new Set(rows.map(({ mailbox }) => mailbox)), clients: clients.map(({ client }) => client), count, bytes };
}

/** A node takes mail of this mailbox again: what waits aside is due. */
export async function hurryRefused(database: Pick<PostgresDatabase, "run">, mailbox: string): Promise<void> {
  await database.run(HURRY, [mailbox]);
}

function errorsOf(refused: readonly Refusal[]): readonly string[] {
  // PostgreSQL has no text with a zero.
  return refused.map(({ error }) => error.replaceAll("\0", "").slice(0, ERROR_CHARS));
}
