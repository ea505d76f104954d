// Starting programs of other people for a comparison, and ending them.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pollUntil } from "../../support/host/poll-until.ts";
import { findFreePort } from "../../support/nodes/free-port.ts";
import { cleanEnvironment, runProgram } from "../../support/nodes/run-program.ts";

/** Folder with the peers' own package file. */
export const PEERS_FOLDER: string = fileURLToPath(new URL(".", import.meta.url));

/** Loads a module of the peers' packages, which the project itself does not have. */
export const requirePeer: (name: string) => unknown = createRequire(`${PEERS_FOLDER}package.json`);

/** A peer that serves on a port of this machine. */
export interface PeerProcess extends AsyncDisposable {
  readonly port: number;
}

/** How to start a peer. */
export interface PeerCommand {
  readonly command: string;
  readonly args: (port: number) => readonly string[];
  /** True once it serves. */
  readonly isReady: (port: number) => Promise<boolean>;
}

/** Which programs this machine has for a comparison. */
export interface Peers {
  /** Those of the peers' own package file. */
  readonly hasPackages: boolean;
  /** NATS, which the system's package manager brings. */
  readonly hasNats: boolean;
}

export const NATS_PROGRAM = "nats-server";

const INSTALL_TIMEOUT_MS = 300_000;
const START_TIMEOUT_MS = 30_000;

/** Installs the peers' packages as their lock file says, unless they are there; tells what is missing in the end. */
export async function findPeers(say: (text: string) => void): Promise<Peers> {
  const problem = isInstalled() ? undefined : await install();
  if (problem !== undefined) say(`running without peers, which could not be installed:\n${problem}`);
  const hasPackages = problem === undefined;
  const hasNats = hasPackages && spawnSync(NATS_PROGRAM, ["--version"]).error === undefined;
  if (hasPackages && !hasNats) say(`running without NATS: this machine has no ${NATS_PROGRAM}`);
  return { hasPackages, hasNats };
}

async function install(): Promise<string | undefined> {
  const { code, stderr } = await runProgram("npm", ["ci"], { cwd: PEERS_FOLDER, timeoutMs: INSTALL_TIMEOUT_MS });
  return code === 0 ? undefined : stderr;
}

/** npm leaves a copy of the lock file in what it installed. */
function isInstalled(): boolean {
  const installed = statSync(join(PEERS_FOLDER, "node_modules", ".package-lock.json"), { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs >= statSync(join(PEERS_FOLDER, "package-lock.json")).mtimeMs;
}

/** Starts a peer on a free port and waits until it serves. */
export async function startPeer({ command, args, isReady }: PeerCommand): Promise<PeerProcess> {
  const port = await findFreePort();
  const child = spawn(command, [...args(port)], { cwd: PEERS_FOLDER, env: cleanEnvironment(), stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = `${log}${text}`.slice(-4_000);
  });
  const failed = once(child, "error").then(([error]) => Promise.reject(error as Error));
  const ready = pollUntil(() => isReady(port), { timeoutMs: START_TIMEOUT_MS, what: `${command} to serve` });
  await Promise.race([ready, failed]).catch(async (cause: unknown) => {
    await end(child);
    throw new Error(`${command} did not start:\n${log}`, { cause });
  });
  return { port, [Symbol.asyncDispose]: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

/** True when a port of this machine answers HTTP with a JSON-RPC result. */
export async function respondsToRpc(port: number): Promise<boolean> {
  return (await rpc<string>(port, "eth_chainId", [])) !== "";
}

/** Result of a JSON-RPC call. @throws Error with what the server said. */
export async function rpc<T>(port: number, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: rpcBody(method, params),
  });
  const { result, error } = (await response.json()) as { readonly result: T; readonly error?: { readonly message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Body of a JSON-RPC call. */
export function rpcBody(method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}
