// A node as the desktop's shell starts it, on the stand-in for Electron, with the process for contracts that the shell starts for it.
import { fileURLToPath } from "node:url";
import { startNodeProcess } from "#electron/main/processes/node-process.ts";
import { createNodeClient, type HttpFetch, type NodeClient } from "#shared/api/client.ts";
import { DEFAULT_DESKTOP_SETTINGS, type DesktopSettings } from "#shared/desktop/desktop-settings.ts";
import { MessageChannelMain } from "#test/electron/stand-in/message-channel.ts";
import { runningProcesses, utilityProcess } from "#test/electron/stand-in/utility-process.ts";
import { pollUntil } from "../host/poll-until.ts";
import { nodeProgram, workerFile } from "./node-program.ts";

const TOKEN = "secret-of-this-launch";

/** What a test may choose. */
export interface DesktopNodeOptions {
  readonly dataFolder: string;
  readonly port: number;
  readonly settings?: Partial<DesktopSettings>;
  readonly flags?: readonly string[];
}

/** A running node. */
export interface DesktopNode {
  readonly client: NodeClient;
  /** Exit codes; empty while it runs. */
  readonly exits: readonly (number | null)[];
  stop(): Promise<void>;
}

/** Starts the node and waits until it serves. */
export async function startDesktopNode({ dataFolder, port, settings = {}, flags = [] }: DesktopNodeOptions): Promise<DesktopNode> {
  let log = "";
  const exits: (number | null)[] = [];
  const node = startNodeProcess({
    utilityProcess,
    createChannel: () => new MessageChannelMain(),
    entry: nodeProgram(),
    contractsEntry: fileURLToPath(workerFile("node/composition/reads/contract-reader.ts")),
    environment: {},
    settings: { ...DEFAULT_DESKTOP_SETTINGS, ...settings },
    isCopied: false,
    dataFolder,
    port,
    apiToken: TOKEN,
    flags: [...flags],
    log: (text) => {
      log += text;
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  node.onMessage((message) => {
    if (typeof message === "object" && message !== null && "type" in message && message.type === "ready") resolve();
  });
  node.onExit((code) => {
    exits.push(code);
    reject(new Error(`the node ended: ${log}`));
  });
  await promise;
  const client = createNodeClient({
    baseUrl: `http://127.0.0.1:${port}`,
    token: TOKEN,
    fetch: (url, init) => fetch(url, init as RequestInit) as ReturnType<HttpFetch>,
  });
  const stop = async (): Promise<void> => {
    node.postMessage({ type: "stop" });
    await pollUntil(() => exits.length > 0, { what: "the node to stop" });
  };
  return { client, exits, stop };
}

/** Ids of the processes of a name that the shell has started and that run. */
export function shellProcesses(name: string): readonly (number | undefined)[] {
  return runningProcesses().flatMap((running) => (running.name === name ? [running.pid] : []));
}
