// Work that one process at a time does, of all that share a database.
import type { PostgresSession } from "./client-session.ts";
import type { PostgresDatabase } from "./postgres-database.ts";
import { statement } from "./statement-batch.ts";

const TRY_LOCK = statement("try_lock", "SELECT pg_try_advisory_xact_lock($1) AS is_mine");

/** Runs work in one transaction that holds the lock of a key; undefined where another process does so. */
export async function alone<T>(
  database: PostgresDatabase,
  key: number,
  work: (session: PostgresSession) => Promise<T>,
): Promise<T | undefined> {
  return await database.transaction(async (session) => {
    const [lock] = await session.run<{ readonly is_mine: boolean }>(TRY_LOCK, [key]);
    return lock?.is_mine === true ? await work(session) : undefined;
  });
}
