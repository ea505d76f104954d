// Supervises the node as a process of its own: ordered stop, restart with back-off, last exit and its reason known.
import type { NodeProcessState } from "#shared/desktop/desktop-api.ts";
import type { NodeEndpoint } from "#shared/desktop/local-endpoint.ts";
import type { Timers } from "#shared/util/clock.ts";
import { decideRestart } from "./restart-policy.ts";

/** A started process, as utilityProcess and child_process both offer it. */
export interface HostedProcess {
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: (code: number | null) => void): void;
  postMessage(message: unknown): void;
  kill(): void;
  /** The last line that the process wrote about itself, or nothing. */
  stderrTail(): string;
}

/** States of the node as the shell shows them. */
export type NodeHostState = NodeProcessState;

/** A node that serves, and what opens it to programs of its user. The interface does not get this. */
export interface ServingNode extends NodeEndpoint {
  readonly chainId: string;
}

export interface NodeHostOptions {
  readonly start: () => HostedProcess;
  readonly onState: (state: NodeHostState) => void;
  /** Called with each start that serves, and with undefined when it does no longer. */
  readonly onServing: (node: ServingNode | undefined) => void;
  readonly timers: Timers;
}

/** Time for an ordered stop before the process is killed, ms. */
const STOP_LIMIT_MS = 10_000;
/** A node that served this long was well: an end after it counts from one again, ms. */
const SETTLED_MS = 60_000;

/** The supervisor. Messages of the node: `{ type: "ready", port, url, chain_id, secret }`; to the node: `{ type: "stop" }`. */
export class NodeHost {
  readonly #options: NodeHostOptions;
  #process: HostedProcess | undefined;
  #state: NodeHostState = { kind: "stopped", exitCode: null };
  #failures = 0;
  #hasServed = false;
  #isStopping = false;
  #cancelTimer: () => void = () => undefined;
  #stopped: Promise<void> | undefined;
  #resolveStopped: () => void = () => undefined;
  #restarts = 0;
  #serving: ServingNode | undefined;

  constructor(options: NodeHostOptions) {
    this.#options = options;
  }

  /** What the node does now. */
  get state(): NodeHostState {
    return this.#state;
  }

  /** The node while it serves. */
  get serving(): ServingNode | undefined {
    return this.#serving;
  }

  /** Starts after unexpected ends since the shell started. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Starts the node unless it runs. */
  start(): void {
    if (this.#process !== undefined) return;
    this.#isStopping = false;
    this.#hasServed = false;
    this.#cancelTimer();
    this.#change({ kind: "starting" });
    const hosted = this.#options.start();
    this.#process = hosted;
    hosted.onMessage((message) => this.#receive(message));
    hosted.onExit((code) => this.#exited(hosted, code));
  }

  /** Asks the node to end in order and waits; kills it after ten seconds. Safe to call twice. */
  stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancelTimer();
    const hosted = this.#process;
    if (hosted === undefined) return Promise.resolve();
    if (this.#stopped !== undefined) return this.#stopped;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stopped = promise;
    this.#resolveStopped = resolve;
    this.#cancelTimer = this.#options.timers.setTimer(STOP_LIMIT_MS, () => hosted.kill());
    hosted.postMessage({ type: "stop" });
    return promise;
  }

  /** Stops in order and starts again; also leaves the state in which starting was given up. */
  async restart(): Promise<void> {
    await this.stop();
    this.#failures = 0;
    this.start();
  }

  #receive(message: unknown): void {
    if (typeof message !== "object" || message === null || !("type" in message) || message.type !== "ready") return;
    if (!("port" in message) || typeof message.port !== "number" || this.#isStopping) return;
    this.#hasServed = true;
    this.#cancelTimer = this.#options.timers.setTimer(SETTLED_MS, () => {
      this.#failures = 0;
    });
    this.#setServing(servingNode(message));
    this.#change({ kind: "ready", port: message.port });
  }

  #exited(hosted: HostedProcess, exitCode: number | null): void {
    this.#process = undefined;
    this.#cancelTimer();
    this.#setServing(undefined);
    if (this.#isStopping) {
      this.#change({ kind: "stopped", exitCode });
      this.#stopped = undefined;
      this.#resolveStopped();
      return;
    }
    this.#failures += 1;
    const decision = decideRestart({ failures: this.#failures, hasServed: this.#hasServed, exitCode });
    const reason = hosted.stderrTail();
    if (decision.kind === "giveUp") {
      this.#change({ kind: "failed", exitCode, reason });
      return;
    }
    this.#cancelTimer = this.#options.timers.setTimer(decision.delayMs, () => {
      this.#restarts += 1;
      this.start();
    });
    this.#change({ kind: "crashed", exitCode, restartInMs: decision.delayMs, reason });
  }

  #setServing(node: ServingNode | undefined): void {
    this.#serving = node;
    this.#options.onServing(node);
  }

  #change(state: NodeHostState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}

function servingNode(message: object): ServingNode | undefined {
  const { url, chain_id: chainId, secret } = message as Readonly<Record<string, unknown>>;
  return typeof url === "string" && typeof chainId === "string" && typeof secret === "string" ? { url, chainId, secret } : undefined;
}
