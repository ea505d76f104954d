// Disk space of the long chain by table.
import { statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import { round, table } from "../measure/statistics.ts";
import type { Bench } from "./bench.ts";
import { sealedDisk } from "./sealed-disk.ts";

const SHOWN_TABLES = 12;

/** Bytes of chain.db for one transaction, and where they are; then with all that can be in files of their own. */
export async function diskSuite(bench: Bench): Promise<void> {
  const { path, recipe } = bench.chain();
  const file = join(path, CHAIN_FILE);
  const total = statSync(file).size;
  const database = new Database(file, { readonly: true });
  const parts = database
    .prepare<[], { name: string; bytes: number }>("SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY bytes DESC")
    .all();
  const free = database.prepare<[], number>("SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size").pluck().get();
  database.close();
  const row = (name: string, bytes: number): readonly string[] => [
    name,
    round(bytes / 1_048_576),
    round(bytes / recipe.transactions),
    `${((100 * bytes) / total).toFixed(1)} %`,
  ];
  const rest = parts.slice(SHOWN_TABLES).reduce((sum, { bytes }) => sum + bytes, 0);
  bench.print(
    table(
      `Disk: chain.db with ${recipe.transactions.toLocaleString("en")} transactions and ${recipe.accounts.toLocaleString("en")} accounts`,
      ["table or index", "MiB", "bytes per transaction", "share"],
      [
        row("all", total),
        ...parts.slice(0, SHOWN_TABLES).map(({ name, bytes }) => row(name, bytes)),
        row("others", rest),
        row("free pages", free ?? 0),
      ],
    ),
  );
  await sealedDisk(bench);
}
