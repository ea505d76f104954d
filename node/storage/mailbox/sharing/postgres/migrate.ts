// Brings a database up to date. A migration first adds what the new program needs, and what older ones use goes with a later release: so
// processes of two releases run side by side.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PostgresDatabase } from "./postgres-database.ts";
import { statement } from "./statement-batch.ts";

/** A step of the schema. */
export interface Migration {
  /** Versions count up from 1. */
  readonly version: number;
  /** The oldest version of the schema whose programs still run beside this one. */
  readonly oldestProgram: number;
  readonly sql: string;
}

/** Key of the lock under which one process migrates while others wait. */
const MIGRATION_LOCK = 0x50_52_4c_01;

const VERSIONS = statement(
  "versions",
  "SELECT coalesce(max(version), 0)::int AS version, coalesce(max(oldest_program), 0)::int AS oldest FROM schema_versions",
);
const ADD_VERSION = statement("add_version", "INSERT INTO schema_versions (version, oldest_program) VALUES ($1, $2)");

/** Runs the migrations that the database lacks. @throws CodedError STORAGE_NEWER when this program is too old for it. */
export async function migrate(database: PostgresDatabase, migrations: readonly Migration[]): Promise<void> {
  await database.transaction(async (session) => {
    await session.exec(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await session.exec("CREATE TABLE IF NOT EXISTS schema_versions (version int PRIMARY KEY, oldest_program int NOT NULL)");
    const [known] = await session.run<{ readonly version: number; readonly oldest: number }>(VERSIONS);
    const { version, oldest } = known ?? { version: 0, oldest: 0 };
    if (oldest > (migrations.at(-1)?.version ?? 0))
      throw new CodedError("STORAGE_NEWER", "The database was migrated by a newer version, which this one cannot run beside: install that");
    for (const step of migrations) {
      if (step.version <= version) continue;
      await session.exec(step.sql);
      await session.run(ADD_VERSION, [step.version, step.oldestProgram]);
    }
  });
}
