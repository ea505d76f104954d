// utilityProcess over real child processes. Their side of the port is set up by utility-child.ts before their program runs.
import { type ChildProcess, fork } from "node:child_process";
import { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import type * as Electron from "electron";
import type { StandInPort } from "./ports.ts";
import { APP_ORIGIN, NODE_CLOCK_AHEAD_MS, PAGE_ORIGIN } from "./settings.ts";

const SHIFTED_CLOCK = new URL("../../support/host/shifted-clock.ts", import.meta.url).href;
const CHILD_SETUP = new URL("./utility-child.ts", import.meta.url).href;
const running = new Set<StandInUtilityProcess>();

/** Messages between both sides. */
export type ChildMessage =
  | { readonly kind: "message"; readonly data: unknown; readonly ports: readonly number[] }
  | { readonly kind: "port"; readonly id: number; readonly data: unknown };

class StandInUtilityProcess extends EventEmitter {
  readonly #child: ChildProcess;
  readonly #ports = new Map<number, StandInPort>();
  readonly serviceName: string;

  constructor(entry: string, args: readonly string[], options: Electron.ForkOptions) {
    super();
    this.serviceName = options.serviceName ?? "";
    this.#child = fork(entry, args, {
      serialization: "advanced",
      execArgv: ["--import", CHILD_SETUP, ...(NODE_CLOCK_AHEAD_MS === undefined ? [] : ["--import", SHIFTED_CLOCK])],
      // The browser's origin stands for the app's wherever the node compares it.
      env: {
        ...Object.fromEntries(Object.entries(options.env ?? {}).map(([name, value]) => [name, value?.replaceAll(APP_ORIGIN, PAGE_ORIGIN)])),
        ...(NODE_CLOCK_AHEAD_MS !== undefined && { TEST_CLOCK_AHEAD_MS: NODE_CLOCK_AHEAD_MS }),
        ...(process.env.NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      },
      stdio: options.stdio === "pipe" ? ["ignore", "pipe", "pipe", "ipc"] : ["ignore", "ignore", "ignore", "ipc"],
    });
    running.add(this);
    this.#child.on("message", (message) => this.#receive(message as ChildMessage));
    this.#child.on("exit", (code) => {
      running.delete(this);
      this.emit("exit", code ?? 1);
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stdout(): Readable | null {
    return this.#child.stdout;
  }

  get stderr(): Readable | null {
    return this.#child.stderr;
  }

  postMessage(data: unknown, ports: readonly StandInPort[] = []): void {
    const ids = ports.map((port) => {
      const id = this.#ports.size + 1;
      this.#ports.set(id, port);
      port.transfer((message) => this.#send({ kind: "port", id, data: message }));
      return id;
    });
    this.#send({ kind: "message", data, ports: ids });
  }

  kill(): boolean {
    return this.#child.kill("SIGKILL");
  }

  #send(message: ChildMessage): void {
    // Like the system's, what is posted to a process that is ending goes nowhere.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #receive(message: ChildMessage): void {
    if (message.kind === "message") this.emit("message", message.data);
    else this.#ports.get(message.id)?.postMessage(message.data);
  }
}

/** Stands for `utilityProcess`. */
export const utilityProcess: Pick<typeof Electron.utilityProcess, "fork"> = {
  fork: (entry, args = [], options = {}) => new StandInUtilityProcess(entry, args, options) as unknown as Electron.UtilityProcess,
};

/** Names and process ids of what runs. */
export function runningProcesses(): readonly { readonly name: string; readonly pid: number | undefined }[] {
  return [...running].map(({ serviceName, pid }) => ({ name: serviceName, pid }));
}
