// Which of several databases the others have followed last. PostgreSQL counts a timeline up with each promotion: a primary that comes back
// after its standby took over has a lower one.
import pg from "pg";

/** Time for an answer of a database that is looked at, ms. */
const LOOK_TIMEOUT_MS = 2_000;

/** The number of the timeline, null of a standby. */
export const TIMELINE = `CASE WHEN pg_is_in_recovery() THEN NULL
  ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`;

/** Asked of each new connection. */
export const ASK_PLACE = `SELECT ${TIMELINE}, pg_backend_pid() AS pid`;

/** What {@link ASK_PLACE} gives: the number of the timeline, which a standby does not have, and that of the serving process. */
export interface PlaceRow {
  readonly timeline: number | null;
  readonly pid: number;
}

/** The timeline of a database; undefined when it is away, or a standby. */
export async function timelineAt(address: string): Promise<number | undefined> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: LOOK_TIMEOUT_MS,
    query_timeout: LOOK_TIMEOUT_MS,
    application_name: "parley-look",
  });
  // Its end is nothing to report here, at whatever moment it comes.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query<PlaceRow>(ASK_PLACE)).rows[0]?.timeline ?? undefined;
  } catch {
    return undefined;
  } finally {
    void client.end().catch(() => undefined);
  }
}
