// Supervises a process of its own: ordered stop, restart with back-off, last exit and its reason known.
import type { FolderUpdate } from "#shared/desktop/desktop-api.ts";
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

/** What a process does now; `Shown` is known once it serves. */
export type ProcessState<Shown extends object> =
  | { readonly kind: "stopped"; readonly exitCode: number | null }
  | { readonly kind: "starting"; readonly updating?: FolderUpdate }
  | ({ readonly kind: "ready" } & Shown)
  | { readonly kind: "crashed"; readonly exitCode: number | null; readonly restartInMs: number; readonly reason: string }
  | { readonly kind: "failed"; readonly exitCode: number | null; readonly reason: string };

/** What a message of the process says about its start. */
export type StartReport<Shown extends object, Served> =
  | { readonly kind: "ready"; readonly shown: Shown; readonly served: Served | undefined }
  /** It works on its folder before it serves. */
  | { readonly kind: "updating"; readonly updating: FolderUpdate }
  /** It cannot serve, and says why; it is ended and started again like one that died. */
  | { readonly kind: "failed"; readonly reason: string };

/** How one kind of process is supervised. */
export interface ProcessHostOptions<Shown extends object, Served> {
  readonly start: () => HostedProcess;
  readonly parse: (message: unknown) => StartReport<Shown, Served> | undefined;
  readonly onState: (state: ProcessState<Shown>) => void;
  /** Called with each start that serves, and with undefined when it does no longer. What it gets is part of no state. */
  readonly onServing: (served: Served | undefined) => void;
  readonly timers: Timers;
}

/** Time for an ordered stop before the process is killed, ms. */
const STOP_LIMIT_MS = 10_000;
/** A process that served this long was well: an end after it counts from one again, ms. */
const SETTLED_MS = 60_000;

/** The supervisor. It posts `{ type: "stop" }` for an ordered end. */
export class ProcessHost<Shown extends object, Served> {
  readonly #options: ProcessHostOptions<Shown, Served>;
  #process: HostedProcess | undefined;
  #state: ProcessState<Shown> = { kind: "stopped", exitCode: null };
  #failures = 0;
  #hasServed = false;
  #isStopping = false;
  /** Why the process said that it cannot serve. */
  #failure: string | undefined;
  #cancelTimer: () => void = () => undefined;
  #stopped: Promise<void> | undefined;
  #resolveStopped: () => void = () => undefined;
  #restarts = 0;
  #serving: Served | undefined;

  constructor(options: ProcessHostOptions<Shown, Served>) {
    this.#options = options;
  }

  /** What the process does now. */
  get state(): ProcessState<Shown> {
    return this.#state;
  }

  /** What it serves, while it does. */
  get serving(): Served | undefined {
    return this.#serving;
  }

  /** Starts after unexpected ends since the shell started. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Starts the process unless it runs. */
  start(): void {
    if (this.#process !== undefined) return;
    this.#isStopping = false;
    this.#hasServed = false;
    this.#failure = undefined;
    this.#cancelTimer();
    this.#change({ kind: "starting" });
    const hosted = this.#options.start();
    this.#process = hosted;
    hosted.onMessage((message) => this.#receive(message));
    hosted.onExit((code) => this.#exited(hosted, code));
  }

  /** Posts to the process while it runs. */
  post(send: (hosted: HostedProcess) => void): void {
    if (this.#process !== undefined && !this.#isStopping) send(this.#process);
  }

  /** Asks the process to end in order and waits; kills it after ten seconds. Safe to call twice. */
  stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancelTimer();
    const hosted = this.#process;
    if (hosted === undefined) {
      if (this.#state.kind !== "stopped") this.#change({ kind: "stopped", exitCode: null });
      return Promise.resolve();
    }
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
    const report = this.#options.parse(message);
    if (report === undefined || this.#isStopping) return;
    if (report.kind === "failed") {
      this.#failure = report.reason;
      this.#process?.kill();
      return;
    }
    if (report.kind === "updating") {
      if (!this.#hasServed) this.#change({ kind: "starting", updating: report.updating });
      return;
    }
    this.#hasServed = true;
    this.#cancelTimer = this.#options.timers.setTimer(SETTLED_MS, () => {
      this.#failures = 0;
    });
    this.#setServing(report.served);
    this.#change({ kind: "ready", ...report.shown });
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
    const reason = this.#failure ?? hosted.stderrTail();
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

  #setServing(served: Served | undefined): void {
    this.#serving = served;
    this.#options.onServing(served);
  }

  #change(state: ProcessState<Shown>): void {
    this.#state = state;
    this.#options.onState(state);
  }
}
