// Weeks of envelopes and of deletions, each a partition: what is too old goes with its week, and not row by row.
import type { PostgresSession } from "../client-session.ts";
import type { PostgresDatabase } from "../postgres-database.ts";
import { statement } from "../statement-batch.ts";
import { DAY_S, dayOf } from "../view/mail-rows.ts";

/** Key of the lock that all share who change mail, and that one has alone who takes mail of other mailboxes away. */
export const ROOM_LOCK = 0x50_52_4c_00;
/** Key of the lock under which partitions are made and dropped. */
const WEEK_LOCK = 0x50_52_4c_02;
const WEEK_DAYS = 7;
/** Weeks that are made before they begin. */
const WEEKS_AHEAD = 2;
/** Mailboxes that are put right in one transaction when a week goes. */
const BOXES_A_TURN = 2_000;
const TABLES = ["envelopes", "deleted_envelopes"] as const;
type Table = (typeof TABLES)[number];

const LIST = statement(
  "list_weeks",
  `SELECT relname AS name, pg_get_expr(relpartbound, oid) IS NOT NULL AS attached FROM pg_class
    WHERE relkind = 'r' AND pg_table_is_visible(oid) AND relname ~ ('^' || $1 || '_w[0-9]+$')`,
);

/** Makes the weeks around a time; the process that comes first does it, and others wait. */
export async function makeWeeks(database: PostgresDatabase, nowSec: number): Promise<void> {
  const first = weekOf(dayOf(nowSec));
  await alone(database, async (session) => {
    for (const table of TABLES) {
      const known = new Set((await list(session, table)).map(({ name }) => name));
      for (let week = first - 1; week <= first + WEEKS_AHEAD; week += 1) {
        const name = `${table}_w${week}`;
        if (known.has(name)) continue;
        const bounds = `FROM (${week * WEEK_DAYS}) TO (${(week + 1) * WEEK_DAYS})`;
        // Attached, and not made as a partition: whoever reads or writes need not wait.
        await session.exec(
          `CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING STORAGE);
          ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES ${bounds}`,
        );
      }
    }
  });
}

/** Drops the weeks that were over before these times, unix seconds; gives how many of envelopes. */
export async function dropWeeks(
  database: PostgresDatabase,
  { envelopesBeforeSec, deletedBeforeSec }: { readonly envelopesBeforeSec: number; readonly deletedBeforeSec: number },
): Promise<number> {
  for (const { name } of await old(database, "deleted_envelopes", deletedBeforeSec))
    await alone(database, (session) => session.exec(`SET LOCAL lock_timeout = '2s'; DROP TABLE IF EXISTS ${name}`));
  const weeks = await old(database, "envelopes", envelopesBeforeSec);
  for (const { name, attached } of weeks) {
    if (attached)
      await alone(database, (session) => session.exec(`SET LOCAL lock_timeout = '2s'; ALTER TABLE envelopes DETACH PARTITION ${name}`));
    while ((await takeOut(database, name)) > 0);
    await alone(database, (session) => session.exec(`DROP TABLE IF EXISTS ${name}`));
  }
  return weeks.length;
}

/** Takes some mailboxes of a week out of the figures; what is out is no more in the week, so nothing counts twice. */
async function takeOut(database: PostgresDatabase, week: string): Promise<number> {
  return await alone(database, async (session) => {
    // In the order of those that write mail.
    await session.exec(`SELECT pg_advisory_xact_lock_shared(${ROOM_LOCK}); SELECT 1 FROM lanes WHERE lane = 0 FOR UPDATE`);
    const [row] = await session.run<{ readonly boxes: number }>(
      statement(
        `take_out_${week}`,
        `WITH chosen AS (SELECT DISTINCT mailbox FROM ${week} ORDER BY mailbox LIMIT ${BOXES_A_TURN}),
          locked AS (SELECT mailbox FROM mailboxes WHERE mailbox IN (SELECT mailbox FROM chosen) ORDER BY mailbox FOR UPDATE),
          gone AS (DELETE FROM ${week} WHERE mailbox IN (SELECT mailbox FROM chosen) AND (SELECT count(*) FROM locked) >= 0
            RETURNING mailbox, bytes, room, is_hidden, party, tag),
          sums AS (SELECT mailbox, count(*) AS n, sum(bytes) AS bytes, count(*) FILTER (WHERE is_hidden) AS hidden FROM gone GROUP BY mailbox),
          boxes AS (UPDATE mailboxes SET envelope_count = envelope_count - n, bytes = mailboxes.bytes - sums.bytes,
            hidden_count = hidden_count - hidden FROM sums WHERE mailboxes.mailbox = sums.mailbox RETURNING 1),
          of_sources AS (SELECT party, tag, coalesce(sum(bytes) FILTER (WHERE room IN (0, 1)), 0) AS waiting,
            coalesce(sum(bytes) FILTER (WHERE room = 2), 0) AS opened FROM gone GROUP BY party, tag),
          less AS (INSERT INTO sources (party, tag, lane, waiting_bytes, open_bytes)
            SELECT party, tag, -1, -waiting, -opened FROM of_sources ORDER BY party, tag ON CONFLICT (party, tag, lane) DO UPDATE
            SET waiting_bytes = sources.waiting_bytes + excluded.waiting_bytes, open_bytes = sources.open_bytes + excluded.open_bytes),
          lane AS (UPDATE lanes SET envelope_count = envelope_count - (SELECT count(*) FROM gone),
            bytes = bytes - (SELECT coalesce(sum(bytes), 0) FROM gone),
            open_bytes = open_bytes - (SELECT coalesce(sum(bytes) FILTER (WHERE room = 2), 0) FROM gone) WHERE lane = 0)
        SELECT count(*) AS boxes FROM chosen`,
      ),
    );
    return row?.boxes ?? 0;
  });
}

async function old(
  database: PostgresDatabase,
  table: Table,
  beforeSec: number,
): Promise<readonly { readonly name: string; readonly attached: boolean }[]> {
  const first = weekOf(Math.floor(beforeSec / DAY_S));
  return (await list(database, table)).filter(({ name }) => Number(name.slice(`${table}_w`.length)) < first);
}

async function list(
  session: Pick<PostgresSession, "run">,
  table: Table,
): Promise<readonly { readonly name: string; readonly attached: boolean }[]> {
  return await session.run(LIST, [table]);
}

async function alone<T>(database: PostgresDatabase, work: (session: PostgresSession) => Promise<T>): Promise<T> {
  return await database.transaction(async (session) => {
    await session.exec(`SELECT pg_advisory_xact_lock(${WEEK_LOCK})`);
    return await work(session);
  });
}

function weekOf(day: number): number {
  return Math.floor(day / WEEK_DAYS);
}
