// The node as a utility process of Electron, seen as the supervisor wants it.
import type { MessageChannelMain, UtilityProcess, utilityProcess } from "electron";
import type { DesktopSettings } from "#shared/desktop/desktop-settings.ts";
import { APP_ORIGIN } from "../security/trusted-url.ts";
import { ContractProcesses } from "./contract-processes.ts";
import type { HostedProcess } from "./process-host.ts";
import { createStderrTail } from "./stderr-tail.ts";

/** What a node process is started with. */
export interface NodeProcessOptions {
  readonly utilityProcess: Pick<typeof utilityProcess, "fork">;
  readonly createChannel: () => MessageChannelMain;
  /** File of the node's program. */
  readonly entry: string;
  /** File of the program that runs contracts for it. */
  readonly contractsEntry: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: DesktopSettings;
  /** The data folder may be one of two copies, and must not vote. */
  readonly isCopied: boolean;
  readonly dataFolder: string;
  /** Port of its interface on loopback. */
  readonly port: number;
  /** Secret of this launch: without it no other program on the machine can use the node's interface. */
  readonly apiToken: string;
  /** Further flags, from the command line of the app. */
  readonly flags: readonly string[];
  readonly log: (text: string) => void;
}

/** Arguments of the node for these settings. */
export function nodeArguments(options: Pick<NodeProcessOptions, "settings" | "isCopied" | "dataFolder" | "port" | "flags">): string[] {
  const { settings, isCopied, dataFolder, port, flags } = options;
  // Neither of these votes.
  const requested = isCopied && settings.nodeMode !== "light" ? "full" : settings.nodeMode;
  const mode = requested === "automatic" ? [] : ["--mode", requested];
  const { nodeCheckpoint } = settings;
  const checkpoint = requested === "light" && nodeCheckpoint !== null ? ["--checkpoint", nodeCheckpoint] : [];
  const chosen = [...mode, ...checkpoint, ...chosenArguments(settings)];
  return [
    "node",
    "--data-dir",
    dataFolder,
    "--stats-addr",
    `127.0.0.1:${port}`,
    "--log",
    "json",
    "--snapshots",
    "off",
    ...chosen,
    ...flags,
  ];
}

/** What the person chose of the node's work; the rest is left to its own configuration. */
function chosenArguments({ relayFeeUt, heartbeatMinutes, nodeRetain, updateSource }: DesktopSettings): readonly string[] {
  return [
    ...(relayFeeUt === null ? [] : ["--relay-fee", String(relayFeeUt)]),
    ...(heartbeatMinutes === null ? [] : ["--heartbeat", String(heartbeatMinutes)]),
    ...(nodeRetain === null ? [] : ["--retain", nodeRetain]),
    ...(updateSource === null ? [] : ["--update-url", updateSource]),
  ];
}

/** Starts the node, and the processes for contracts that it asks for. */
export function startNodeProcess(options: NodeProcessOptions): HostedProcess {
  const child: UtilityProcess = options.utilityProcess.fork(options.entry, nodeArguments(options), {
    serviceName: "Parley node",
    stdio: "pipe",
    env: {
      ...options.environment,
      SVC_ALLOWED_ORIGINS: APP_ORIGIN,
      SVC_DISABLE_UI: "true",
      SVC_API_TOKEN: options.apiToken,
      // Other programs of the machine read the chain; mailboxes and writing are for the page and what can read the data folder.
      SVC_API_OPEN: "chain",
      // It drops no block before it knows whose history stays: see NodeHost.setAccounts.
      SVC_OWN_FROM_PARENT: "true",
      ...(options.settings.apiPrivate && { SVC_API_PRIVATE: "true" }),
    },
  });
  const contracts = new ContractProcesses(child, { ...options, entry: options.contractsEntry });
  child.on("message", (message) => contracts.receive(message));
  child.on("exit", () => contracts.stop());
  const stderr = createStderrTail(options.log);
  child.stdout?.on("data", (chunk: Buffer) => options.log(chunk.toString("utf8")));
  child.stderr?.on("data", (chunk: Buffer) => stderr.add(chunk.toString("utf8")));
  return {
    onMessage: (listener) => void child.on("message", listener),
    onExit: (listener) => void child.on("exit", listener),
    postMessage: (message) => child.postMessage(message),
    kill: () => void child.kill(),
    stderrTail: () => stderr.text(),
  };
}
