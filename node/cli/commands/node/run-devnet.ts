// The nodes of a development network as processes of their own: started together, stopped together.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** A node that does not end in this time after its signal is killed. */
const STOP_MS = 15_000;

export interface DevnetRun {
  readonly nodes: readonly { readonly dataDir: string }[];
  /** All nodes serve. */
  readonly onReady: () => void;
  /** A sentence for the person. */
  readonly say: (line: string) => void;
}

interface NodeProcess {
  readonly child: ChildProcess;
  readonly dataDir: string;
  readonly isReady: Promise<void>;
  readonly hasEnded: Promise<number | null>;
}

/** Runs the nodes until this process is stopped. @throws CodedError UNAVAILABLE when a node ends by itself; the others are stopped. */
export async function runDevnet({ nodes, onReady, say }: DevnetRun): Promise<void> {
  const wish = Promise.withResolvers<void>();
  const stop = (): void => wish.resolve();
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const running = nodes.map(({ dataDir }) => startNode(dataDir));
  const failure = Promise.race(running.map(endedByItself));
  try {
    const isReady = Promise.all(running.map((node) => node.isReady)).then(() => true);
    if ((await Promise.race([isReady, wish.promise.then(() => false), failure])) !== true) return;
    onReady();
    await Promise.race([wish.promise, failure]);
    say("Stopping the nodes");
  } finally {
    // Nodes that end from now on were stopped.
    failure.catch(() => undefined);
    await Promise.all(running.map(stopNode));
    for (const signal of STOP_SIGNALS) process.removeListener(signal, stop);
  }
}

/** A node that reports when it serves, and ends when this process does. */
function startNode(dataDir: string): NodeProcess {
  const log = openSync(join(dataDir, "node.log"), "a", 0o600);
  const args = [...process.execArgv, process.argv[1] ?? "", "node", "--data-dir", dataDir];
  // biome-ignore lint/style/noProcessEnv: the child's environment is this one's
  const env = { ...process.env, PARLEY_LAUNCHED: "1" };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", log, "ipc"], env });
  closeSync(log);
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number | null>();
  child.on("message", () => ready.resolve());
  child.on("error", () => ended.resolve(null));
  child.on("exit", (code) => ended.resolve(code));
  return { child, dataDir, isReady: ready.promise, hasEnded: ended.promise };
}

async function endedByItself({ dataDir, hasEnded }: NodeProcess): Promise<never> {
  const code = await hasEnded;
  throw new CodedError("UNAVAILABLE", `The node in ${dataDir} ended${code === null ? "" : ` with code ${code}`}: see node.log there`);
}

async function stopNode({ child, hasEnded }: NodeProcess): Promise<void> {
  if (child.connected) child.send({ type: "stop" });
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await hasEnded;
  clearTimeout(timer);
}
