// Supervises the node as a process of its own: ordered stop, restart with back-off, last exit known.

/** A started process, as utilityProcess and child_process both offer it. */
export interface HostedProcess {
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: (code: number | null) => void): void;
  postMessage(message: unknown): void;
  kill(): void;
}

/** States of the node as the shell shows them. */
export type NodeHostState =
  | { readonly kind: "stopped"; readonly exitCode: number | null }
  | { readonly kind: "starting" }
  | { readonly kind: "ready"; readonly port: number }
  | { readonly kind: "crashed"; readonly exitCode: number | null; readonly restartInMs: number };

/** What the host needs. */
export interface NodeHostOptions {
  readonly start: () => HostedProcess;
  readonly onState: (state: NodeHostState) => void;
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
}

const FIRST_RESTART_MS = 500;
const LAST_RESTART_MS = 30_000;
const STOP_LIMIT_MS = 10_000;

/** The supervisor. Messages of the node: `{ type: "ready", port }`; to the node: `{ type: "stop" }`. */
export class NodeHost {
  readonly #options: NodeHostOptions;
  #process: HostedProcess | undefined;
  #failures = 0;
  #isStopping = false;
  #cancelRestart: (() => void) | undefined;
  #stopped: (() => void) | undefined;

  constructor(options: NodeHostOptions) {
    this.#options = options;
  }

  /** Starts the node unless it runs. */
  start(): void {
    if (this.#process !== undefined) return;
    this.#isStopping = false;
    this.#options.onState({ kind: "starting" });
    const hosted = this.#options.start();
    this.#process = hosted;
    hosted.onMessage((message) => this.#receive(message));
    hosted.onExit((code) => this.#exited(code));
  }

  /** Asks the node to end in order and waits; kills it after ten seconds. */
  stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancelRestart?.();
    const hosted = this.#process;
    if (hosted === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#options.setTimer(() => hosted.kill(), STOP_LIMIT_MS);
      this.#stopped = (): void => {
        cancel();
        resolve();
      };
      hosted.postMessage({ type: "stop" });
    });
  }

  #receive(message: unknown): void {
    if (typeof message !== "object" || message === null || !("type" in message) || message.type !== "ready") return;
    if (!("port" in message) || typeof message.port !== "number") return;
    this.#failures = 0;
    this.#options.onState({ kind: "ready", port: message.port });
  }

  #exited(exitCode: number | null): void {
    this.#process = undefined;
    if (this.#isStopping) {
      this.#options.onState({ kind: "stopped", exitCode });
      this.#stopped?.();
      return;
    }
    const restartInMs = Math.min(LAST_RESTART_MS, FIRST_RESTART_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#options.onState({ kind: "crashed", exitCode, restartInMs });
    this.#cancelRestart = this.#options.setTimer(() => this.start(), restartInMs);
  }
}
