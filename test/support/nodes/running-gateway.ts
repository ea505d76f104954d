// A process of `parley gateway`.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createNodeClient, type HttpFetch, type NodeClient } from "#shared/api/client.ts";
import { endWithTests } from "../host/end-with-tests.ts";
import { pollUntil } from "../host/poll-until.ts";
import { findFreePort } from "./free-port.ts";
import { nodeProgram } from "./node-program.ts";
import { cleanEnvironment, projectRoot } from "./run-program.ts";

/** A gateway. */
export interface RunningGateway extends AsyncDisposable {
  readonly baseUrl: string;
  readonly port: number;
  readonly client: NodeClient;
  /** Its process now. */
  readonly child: ChildProcess;
  log(): string;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  restart(): Promise<void>;
}

/** What it serves. */
export interface GatewayOptions {
  readonly databases: readonly string[];
  readonly nodes: readonly string[];
  readonly tokenFile: string;
}

/** Starts a gateway and waits until it serves. */
export async function startGateway({ databases, nodes, tokenFile }: GatewayOptions): Promise<RunningGateway> {
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const args = [
    ...databases.flatMap((address) => ["--database", address]),
    ...nodes.flatMap((address) => ["--node", address]),
    ...["--node-token-file", tokenFile, "--listen", `127.0.0.1:${port}`],
  ];
  let log = "";
  const client = createNodeClient({ baseUrl, fetch: fetch as unknown as HttpFetch });
  const start = async (): Promise<ChildProcess> => {
    const env = cleanEnvironment();
    const child = spawn(process.execPath, [nodeProgram(), "gateway", ...args], {
      cwd: projectRoot,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    endWithTests(child);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
    const isServing = async (): Promise<boolean> =>
      child.exitCode !== null || (await fetch(`${baseUrl}/metrics`).then((response) => response.ok));
    await pollUntil(isServing, { what: `the gateway to serve: ${log}` });
    if (child.exitCode !== null) throw new Error(`The gateway ended: ${log}`);
    return child;
  };
  let child = await start();
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return {
    baseUrl,
    port,
    client,
    get child(): ChildProcess {
      return child;
    },
    log: () => log,
    kill,
    async restart(): Promise<void> {
      child = await start();
    },
    [Symbol.asyncDispose]: kill,
  };
}
