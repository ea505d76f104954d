// What all processes of a database share: its chain, and the key of its mailboxes.
import { CodedError } from "#shared/errors/coded-error.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { migrate } from "../migrate.ts";
import type { PostgresDatabase } from "../postgres-database.ts";
import { statement } from "../statement-batch.ts";
import { MAIL_MIGRATIONS } from "./mail-migrations.ts";

const ADD = statement("add_setting", "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING");
const READ = statement("read_setting", "SELECT value FROM settings WHERE name = $1");

/**
 * Brings the database up to date and gives the X25519 secret of its mailboxes, which the first process makes.
 * @throws CodedError STORAGE_FOREIGN for a database of another chain, STORAGE_NEWER, UNAVAILABLE
 */
export async function prepareMail(database: PostgresDatabase, chainId: string, newSecret: Uint8Array): Promise<Uint8Array> {
  await migrate(database, MAIL_MIGRATIONS);
  const chain = await setting(database, "chain_id", chainId);
  if (chain !== chainId) throw new CodedError("STORAGE_FOREIGN", `The database belongs to the chain ${chain}, and the node to ${chainId}`);
  return fromHex(await setting(database, "mailbox_secret", toHex(newSecret)));
}

/** The chain of a database; undefined of one that no gateway has used. */
export async function chainOf(database: Pick<PostgresDatabase, "run">): Promise<string | undefined> {
  return (await database.run<{ readonly value: string }>(READ, ["chain_id"]))[0]?.value;
}

/** The value that holds: the one that was there, else this one. */
async function setting(database: PostgresDatabase, name: string, value: string): Promise<string> {
  await database.run(ADD, [name, value]);
  const [row] = await database.run<{ readonly value: string }>(READ, [name]);
  return row?.value ?? value;
}
