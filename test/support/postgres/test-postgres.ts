// A PostgreSQL of its own on a free port, in a temporary folder: it starts in a second or two and ends with the tests.
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, rmSync, writeFileSync } from "node:fs";
import { chown } from "node:fs/promises";
import { dirname, join } from "node:path";
import pg from "pg";
import { endWithTests } from "../host/end-with-tests.ts";
import { pollUntil } from "../host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../host/temporary-folder.ts";
import { findFreePort } from "../nodes/free-port.ts";
import { postgresBinaries } from "./postgres-binaries.ts";
import { pooledPort } from "./test-pooler.ts";

/** It refuses to run as root: nobody and nogroup. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };
const IS_ROOT = process.getuid?.() === 0;
const IDENTITY = IS_ROOT ? UNPRIVILEGED : {};

/** A database server. */
export interface TestPostgres extends AsyncDisposable {
  readonly port: number;
  /** Its first process now; each connection has one below it. */
  readonly child: ChildProcess;
  /** Makes an empty database and gives its address. */
  createDatabase(): Promise<string>;
  /** Address of a database that is there. */
  addressOf(database: string): string;
  /** Ends it with SIGKILL, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again after that, with settings that differ from those before. */
  restart(settings?: Settings): Promise<void>;
  stop(): Promise<void>;
}

/** How a server runs. */
export interface TestPostgresOptions {
  /** Waits for the disk, as in use; tests kill processes, not machines, and need not. */
  readonly isDurable?: boolean;
}

/** A server and a synchronous standby, which has all that was committed. */
export interface TestPair {
  readonly primary: TestPostgres;
  readonly standby: TestPostgres;
  stop(): Promise<void>;
}

type Settings = Readonly<Record<string, string | number>>;

/** Starts a server. @throws Error where this machine has no PostgreSQL. */
export async function startTestPostgres({ isDurable = false }: TestPostgresOptions = {}): Promise<TestPostgres> {
  const place = await makePlace();
  return await startServer(place, "data", { fsync: isDurable ? "on" : "off" });
}

/** Starts both. @throws Error where this machine has no PostgreSQL. */
export async function startTestPair(): Promise<TestPair> {
  const place = await makePlace();
  const copy = join(place.folder.path, "standby");
  copyData(join(place.folder.path, "data"), copy);
  const signal = join(copy, "standby.signal");
  writeFileSync(signal, "");
  if (IS_ROOT) await chown(signal, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  const primary = await startServer(place, "data", { fsync: "off", synchronous_standby_names: "*" });
  const standby = await startServer(place, "standby", {
    fsync: "off",
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres`,
    wal_retrieve_retry_interval: "100ms",
  });
  return {
    primary,
    standby,
    async stop(): Promise<void> {
      await standby.kill();
      await primary.stop();
    },
  };
}

/** Programs and folders of servers. */
interface Place {
  readonly folder: TemporaryFolder;
  readonly programs: string;
}

/** What all servers of the files that share this process begin with. */
interface Beginning {
  /** Folder of the programs, which the user that runs them may reach. */
  readonly programs: string;
  /** Data of a server that was never started: to copy it takes a tenth of making it. */
  readonly data: string;
}

let beginning: Promise<Beginning> | undefined;

/** Makes a folder with an empty `data`. */
async function makePlace(): Promise<Place> {
  const folder = await createTemporaryFolder("parley-postgres-");
  if (IS_ROOT) await chown(folder.path, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  beginning ??= prepare();
  const { programs, data } = await beginning;
  copyData(data, join(folder.path, "data"));
  return { folder, programs };
}

async function prepare(): Promise<Beginning> {
  const { path } = await createTemporaryFolder("parley-postgres-");
  if (IS_ROOT) await chown(path, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
  process.once("exit", () => rmSync(path, { recursive: true, force: true }));
  const programs = usable(postgresBinaries(), path);
  const data = join(path, "data");
  initialise(programs, data, path);
  return { programs, data };
}

/** A copy with the owner and the rights that the server asks for. */
function copyData(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  if (IS_ROOT) spawnSync("chown", ["-R", `${UNPRIVILEGED.uid}:${UNPRIVILEGED.gid}`, to]);
  chmodSync(to, 0o700);
}

async function startServer({ folder, programs }: Place, name: string, settings: Settings): Promise<TestPostgres> {
  const port = await findFreePort();
  const clientPort = await pooledPort({ folder: folder.path, serverPort: port, identity: IDENTITY });
  const addressOf = (database: string, at = clientPort): string => `postgres://postgres@127.0.0.1:${at}/${database}`;
  const start = async (changed: Settings = {}): Promise<ChildProcess> => {
    const all = { listen_addresses: "127.0.0.1", port, unix_socket_directories: "", max_connections: 100, shared_buffers: "64MB" };
    const flags = Object.entries({ ...all, ...settings, ...changed }).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
    const options = { cwd: folder.path, stdio: ["ignore", "ignore", "pipe"], ...IDENTITY } satisfies SpawnOptions;
    const begin = (): { readonly child: ChildProcess; readonly said: () => string } => {
      const child = endWithTests(spawn(join(programs, "postgres"), ["-D", join(folder.path, name), ...flags], options));
      let said = "";
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-4_000);
      });
      return { child, said: () => said };
    };
    let begun = begin();
    await pollUntil(
      async () => {
        const { child, said } = begun;
        if (child.exitCode === null) return await runStatement(addressOf("postgres", port), "SELECT 1").then(() => true);
        // The processes of one that was killed end a moment after it, and with them its memory and its port: it does not start beside them.
        begun = begin();
        throw new Error(`postgres ended: ${said()}`);
      },
      { what: "PostgreSQL to start", intervalMs: 100 },
    );
    return begun.child;
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
    addressOf,
    get child(): ChildProcess {
      return child;
    },
    async createDatabase(): Promise<string> {
      databases += 1;
      const database = `test_${databases}`;
      await runStatement(addressOf("postgres", port), `CREATE DATABASE ${database}`);
      return addressOf(database);
    },
    kill: () => end("SIGKILL"),
    async restart(changed): Promise<void> {
      child = await start(changed);
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
