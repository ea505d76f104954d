// A PostgreSQL of its own on a free port, in a temporary folder: it starts in a second or two and ends with the tests.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { chown } from "node:fs/promises";
import { dirname, join } from "node:path";
import pg from "pg";
import { endWithTests } from "../host/end-with-tests.ts";
import { pollUntil } from "../host/poll-until.ts";
import { createTemporaryFolder } from "../host/temporary-folder.ts";
import { findFreePort } from "../nodes/free-port.ts";
import { postgresBinaries } from "./postgres-binaries.ts";

/** It refuses to run as root: nobody and nogroup. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };
const IS_ROOT = process.getuid?.() === 0;
const IDENTITY = IS_ROOT ? UNPRIVILEGED : {};

/** A database server. */
export interface TestPostgres extends AsyncDisposable {
  readonly port: number;
  /** Makes an empty database and gives its address. */
  createDatabase(): Promise<string>;
  /** Ends it with SIGKILL, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again after that. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** How a server runs. */
export interface TestPostgresOptions {
  /** Waits for the disk, as in use; tests kill processes, not machines, and need not. */
  readonly isDurable?: boolean;
}

/** Starts a server. @throws Error where this machine has no PostgreSQL. */
export async function startTestPostgres({ isDurable = false }: TestPostgresOptions = {}): Promise<TestPostgres> {
  const folder = await createTemporaryFolder("parley-postgres-");
  if (IS_ROOT) await chown(folder.path, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  const programs = usable(postgresBinaries(), folder.path);
  const data = join(folder.path, "data");
  initialise(programs, data, folder.path);
  const port = await findFreePort();
  const flags = Object.entries({
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    fsync: isDurable ? "on" : "off",
    max_connections: 100,
    shared_buffers: "64MB",
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const addressOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const start = async (): Promise<ChildProcess> => {
    const child = endWithTests(
      spawn(join(programs, "postgres"), ["-D", data, ...flags], { cwd: folder.path, stdio: ["ignore", "ignore", "pipe"], ...IDENTITY }),
    );
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4_000);
    });
    await pollUntil(
      () => {
        if (child.exitCode !== null) throw new Error(`postgres ended: ${said}`);
        return runStatement(addressOf("postgres"), "SELECT 1").then(() => true);
      },
      { what: "PostgreSQL to start" },
    );
    return child;
  };
  let child = await start();
  let databases = 0;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  const stop = async (): Promise<void> => {
    await end("SIGINT");
    await folder.remove();
  };
  return {
    port,
    async createDatabase(): Promise<string> {
      databases += 1;
      const name = `test_${databases}`;
      await runStatement(addressOf("postgres"), `CREATE DATABASE ${name}`);
      return addressOf(name);
    },
    kill: () => end("SIGKILL"),
    async restart(): Promise<void> {
      child = await start();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Runs one statement over a connection of its own and gives its rows. */
export async function runStatement(address: string, statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 2_000 });
  // Without a listener the end of the server would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The programs, or a copy where the user that runs them may not reach the folder of the project, as below root's own. */
function usable(programs: string, folder: string): string {
  if (!IS_ROOT || spawnSync(join(programs, "postgres"), ["--version"], { cwd: folder, ...IDENTITY }).status === 0) return programs;
  const copy = join(folder, "programs");
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, "bin");
}

function initialise(programs: string, data: string, cwd: string): void {
  const flags = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync", "--no-instructions"];
  const { status, stderr, error } = spawnSync(join(programs, "initdb"), flags, { cwd, encoding: "utf8", ...IDENTITY });
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`);
}
