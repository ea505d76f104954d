// Starts a real node process on a free port and waits until it serves.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createNodeClient, type HttpFetch, type NodeClient } from "#shared/api/client.ts";
import { assertDocumented } from "../api/documented-response.ts";
import { endWithTests } from "../host/end-with-tests.ts";
import { pollUntil } from "../host/poll-until.ts";
import { findFreePort } from "./free-port.ts";
import { nodeProgram } from "./node-program.ts";
import { cleanEnvironment, projectRoot } from "./run-program.ts";

/** A start takes a second of processor time; on a machine under load many share each second. */
const START_MS = 90_000;

/** How to start a node. */
export interface StartNodeOptions {
  readonly dataDir: string;
  /** Port of the API; a free one by default. */
  readonly port?: number;
  /** Further flags; `["--dev"]` by default. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Token that the client sends. */
  readonly token?: string;
  /** Flags of the runtime, before the program. */
  readonly runtimeFlags?: readonly string[];
}

/** A node process. */
export interface RunningNode extends AsyncDisposable {
  readonly baseUrl: string;
  readonly port: number;
  readonly dataDir: string;
  readonly client: NodeClient;
  readonly child: ChildProcess;
  /** What it wrote to standard error so far. */
  log(): string;
  /** Ends it with SIGTERM and gives its exit code (null when a signal ended it). */
  stop(): Promise<number | null>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
}

/** A node that answers `/api/netstats` with 200. @throws Error with the node's log when it ends or does not serve in time. */
export async function startNode(options: StartNodeOptions): Promise<RunningNode> {
  const port = options.port ?? (await findFreePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const args = ["node", ...(options.args ?? ["--dev"]), "--data-dir", options.dataDir, "--stats-addr", `127.0.0.1:${port}`];
  const child = spawn(process.execPath, [...(options.runtimeFlags ?? []), nodeProgram(), ...args], {
    cwd: projectRoot,
    env: { ...cleanEnvironment(), ...options.env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  endWithTests(child);
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, "exit");
      child.kill(signal);
      await exit;
    }
    return child.exitCode;
  };
  const client = createNodeClient({
    baseUrl,
    fetch: checkedFetch,
    ...(options.token === undefined ? {} : { token: options.token }),
  });
  const node: RunningNode = {
    baseUrl,
    port,
    dataDir: options.dataDir,
    client,
    child,
    log: () => log,
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
    [Symbol.asyncDispose]: async () => void (await end("SIGKILL")),
  };
  await serving(node);
  return node;
}

/** A fetch whose responses are held to the OpenAPI document. */
const checkedFetch: HttpFetch = async (url, init) => {
  const response = await fetch(url, init as RequestInit);
  const body = await response.text();
  const contentType = response.headers.get("content-type") ?? "";
  assertDocumented({ method: init.method, url, status: response.status, contentType, body });
  return { status: response.status, text: () => Promise.resolve(body) };
};

async function serving(node: RunningNode): Promise<void> {
  const { child } = node;
  const isServing = async (): Promise<boolean> =>
    child.exitCode !== null ||
    child.signalCode !== null ||
    (await node.client.getNetstats({}).then(
      () => true,
      () => false,
    ));
  await pollUntil(isServing, { timeoutMs: START_MS, what: "the node to serve" }).catch(async (error: unknown) => {
    await node.kill();
    throw new Error(`The node did not serve in time. Its log:\n${node.log()}`, { cause: error });
  });
  if (child.exitCode !== null || child.signalCode !== null)
    throw new Error(`The node ended with ${child.exitCode ?? child.signalCode}. Its log:\n${node.log()}`);
}
