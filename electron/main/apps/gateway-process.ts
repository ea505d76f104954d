// The gateway for programs as a utility process of Electron.
import type { MessagePortMain, UtilityProcess, utilityProcess } from "electron";
import type { HostedProcess } from "../processes/process-host.ts";
import { createStderrTail } from "../processes/stderr-tail.ts";

/** What the gateway is started with. */
export interface GatewayProcessOptions {
  readonly utilityProcess: Pick<typeof utilityProcess, "fork">;
  /** File of the gateway's program. */
  readonly entry: string;
  /** Folder of the profile. */
  readonly profile: string;
  /** Folder of the person's session, where the system has one. */
  readonly sessionFolder: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly log: (text: string) => void;
}

/** The process, which takes ports beside messages. */
export interface HostedGateway extends HostedProcess {
  postPort(message: object, port: MessagePortMain): void;
}

export function startGatewayProcess(options: GatewayProcessOptions): HostedGateway {
  const child: UtilityProcess = options.utilityProcess.fork(options.entry, [options.profile, options.sessionFolder ?? ""], {
    serviceName: "Parley gateway",
    stdio: "pipe",
    env: { ...options.environment },
  });
  const stderr = createStderrTail(options.log);
  child.stderr?.on("data", (chunk: Buffer) => stderr.add(chunk.toString("utf8")));
  child.stdout?.on("data", (chunk: Buffer) => options.log(chunk.toString("utf8")));
  return {
    onMessage: (listener) => void child.on("message", listener),
    onExit: (listener) => void child.on("exit", listener),
    postMessage: (message) => child.postMessage(message),
    postPort: (message, port) => child.postMessage(message, [port]),
    kill: () => void child.kill(),
    stderrTail: () => stderr.text(),
  };
}
