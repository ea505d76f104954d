// PgBouncer in front of a test's PostgreSQL, where PARLEY_TEST_POOLER names a pooling mode.
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { endWithTests } from "../host/end-with-tests.ts";
import { findFreePort } from "../nodes/free-port.ts";

export interface PoolerOptions {
  readonly folder: string;
  readonly serverPort: number;
  /** Who runs it: it refuses root. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
}

/** The port that tests connect to: the server's own, or that of a pooler, which ends with the tests. */
export async function pooledPort({ folder, serverPort, identity }: PoolerOptions): Promise<number> {
  const mode = process.env.PARLEY_TEST_POOLER;
  if (mode === undefined) return serverPort;
  const port = await findFreePort();
  const file = join(folder, `pooler-${port}.ini`);
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: mode,
    server_login_retry: 1,
    ignore_startup_parameters: "extra_float_digits",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  await writeFile(file, `[databases]\n* = host=127.0.0.1 port=${serverPort} user=postgres\n[pgbouncer]\n${lines.join("\n")}\n`);
  endWithTests(spawn("pgbouncer", ["-q", file], { cwd: folder, stdio: "ignore", ...identity }));
  return port;
}
