// The relay of calls that a node offers: its thread, and the credentials with which the node's owner uses it.
import { Worker } from "node:worker_threads";
import type { Log } from "#node/observability/log.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { CancelTimer, Clock, RandomBytes, Timers } from "#shared/util/clock.ts";
import { TokenBucket } from "../flow/token-bucket.ts";
import { CALL_RELAY_LIMITS } from "./rules/call-relay-limits.ts";
import { issueCredential } from "./rules/credentials.ts";
import type { CallRelayFigures } from "./serving/requests.ts";
import type { CallRelaySettings } from "./serving/serve.ts";
import type { RelayDay } from "./serving/traffic.ts";

const SECRET_BYTES = 32;
const ID_BYTES = 8;
/** Heap of the thread, MiB: its tables are small. */
const HEAP_MIB = 64;
/** Doublings after which the wait is the longest, in any case. */
const MAX_DOUBLINGS = 16;

/** What the thread says. */
export type RelayThreadMessage =
  | { readonly type: "listening"; readonly port: number }
  | { readonly type: "figures"; readonly figures: CallRelayFigures; readonly day: RelayDay }
  | { readonly type: "failed"; readonly reason: string };

/** How the node's owner reaches the relay for a call. */
export interface RelayAccess {
  /** As WebRTC takes them. */
  readonly urls: readonly string[];
  readonly username: string;
  readonly credential: string;
  /** Until when new allocations can be made, Unix seconds. */
  readonly expiresSec: number;
}

export interface CallRelayDependencies {
  readonly clock: Clock;
  readonly timers: Timers;
  /** {@link openRelayThread} where it is left out. */
  readonly open?: OpenRelayThread;
  readonly random: RandomBytes;
  readonly log: Log;
}

/** Before anything came. */
export const NO_FIGURES: CallRelayFigures = {
  allocations: 0,
  allocated: 0,
  bytes: 0,
  dropped: { rate: 0, day: 0, address: 0 },
  refused: { credential: 0, quota: 0, peer: 0, rate: 0 },
};

/** Opens the thread of a relay. */
export type OpenRelayThread = (settings: CallRelaySettings) => Worker;

/** The thread as it is shipped. */
export const openRelayThread: OpenRelayThread = (settings) => {
  const file = import.meta.url.endsWith(".ts") ? "./call-relay-worker.ts" : "./call-relay-worker.mjs";
  return new Worker(new URL(file, import.meta.url), {
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
};

/** Starts the thread. @throws CodedError CONFIG_INVALID where it cannot listen */
export async function startCallRelay(given: Omit<CallRelaySettings, "secret">, dependencies: CallRelayDependencies): Promise<CallRelay> {
  const settings = { ...given, secret: dependencies.random(SECRET_BYTES) };
  const worker = (dependencies.open ?? openRelayThread)(settings);
  const port = await listening(worker, settings);
  dependencies.log.info({ address: settings.address, port }, "Offers a relay of calls");
  return new CallRelay(worker, { ...settings, port }, dependencies);
}

function listening(worker: Worker, { host, port }: Pick<CallRelaySettings, "host" | "port">): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      void worker.terminate();
      reject(new CodedError("CONFIG_INVALID", `The relay of calls cannot listen at ${host}:${port}: ${reason}`));
    };
    const onExit = (): void => fail("its thread has ended");
    worker.once("error", (error) => fail(error instanceof Error ? error.message : String(error)));
    worker.once("exit", onExit);
    worker.once("message", (message: RelayThreadMessage) => {
      worker.removeAllListeners("error");
      worker.off("exit", onExit);
      if (message.type === "listening") resolve(message.port);
      else fail(message.type === "failed" ? message.reason : "its thread did not start");
    });
  });
}

/** A relay, whose thread is started again where it ends by itself: at the same port, so that what was issued stays good. */
export class CallRelay {
  readonly #settings: CallRelaySettings;
  readonly #dependencies: CallRelayDependencies;
  readonly #issued: TokenBucket;
  /** The thread that serves; undefined while it has failed. */
  #worker: Worker | undefined;
  #exited: Promise<void> = Promise.resolve();
  #restarting: Promise<void> = Promise.resolve();
  #cancelRestart: CancelTimer | undefined;
  #startedMs = 0;
  /** Ends of the thread in a row, each soon after its start. */
  #failures = 0;
  #isStopped = false;
  /** Of the thread that serves, and of those before it. */
  #figures = NO_FIGURES;
  #before = NO_FIGURES;
  #day: RelayDay | undefined;

  /** `settings` name the port at which the thread listens. */
  constructor(worker: Worker, settings: CallRelaySettings, dependencies: CallRelayDependencies) {
    this.#settings = settings;
    this.#dependencies = dependencies;
    this.#issued = new TokenBucket(CALL_RELAY_LIMITS.credentials, dependencies.clock.monotonicMs());
    this.#follow(worker);
  }

  /** A credential for one call. @throws CodedError UNAVAILABLE where the relay has failed, RATE_LIMITED */
  issue(): RelayAccess {
    if (this.#worker === undefined)
      throw new CodedError("UNAVAILABLE", "The relay of calls of this node has failed, and is started again: try again in a minute");
    const { clock, random } = this.#dependencies;
    if (!this.#issued.take(1, clock.monotonicMs()))
      throw new CodedError("RATE_LIMITED", "Too many credentials for the relay of calls were asked for: wait a minute");
    const { secret, address, port } = this.#settings;
    const issued = issueCredential(secret, random(ID_BYTES), Math.floor(clock.nowMs() / 1_000));
    const url = `turn:${address}:${port}`;
    return {
      urls: [`${url}?transport=udp`, `${url}?transport=tcp`],
      username: issued.username,
      credential: issued.password,
      expiresSec: issued.expiresSec,
    };
  }

  /** As they were within the last two seconds. */
  figures(): CallRelayFigures {
    return together(this.#before, this.#figures);
  }

  /** Ends all calls through it. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelRestart?.();
    await this.#restarting;
    this.#worker?.postMessage("stop");
    await this.#exited;
  }

  #follow(worker: Worker): void {
    const { clock, log } = this.#dependencies;
    this.#worker = worker;
    this.#startedMs = clock.monotonicMs();
    worker.on("message", (message: RelayThreadMessage) => {
      if (message.type !== "figures") return;
      this.#figures = message.figures;
      this.#day = message.day;
    });
    worker.on("error", (error) => log.error({ err: error }, "the relay of calls failed: calls through it end"));
    this.#exited = new Promise((resolve) => {
      worker.once("exit", () => {
        this.#onExit();
        resolve();
      });
    });
  }

  #onExit(): void {
    this.#worker = undefined;
    this.#before = together(this.#before, { ...this.#figures, allocations: 0 });
    this.#figures = NO_FIGURES;
    if (this.#isStopped) return;
    const wasSteady = this.#dependencies.clock.monotonicMs() - this.#startedMs >= CALL_RELAY_LIMITS.steadyMs;
    if (wasSteady) this.#failures = 0;
    this.#startLater();
  }

  /** Waits longer after each failure. */
  #startLater(): void {
    const { firstRestartMs, longestRestartMs } = CALL_RELAY_LIMITS;
    const { log, timers } = this.#dependencies;
    const delayMs = Math.min(firstRestartMs * 2 ** Math.min(this.#failures, MAX_DOUBLINGS), longestRestartMs);
    this.#failures += 1;
    log.warn({ delayMs }, "the relay of calls has ended, and is started again");
    this.#cancelRestart = timers.setTimer(delayMs, () => {
      this.#restarting = this.#startAgain();
    });
  }

  /** What passed on this day counts on: who makes the thread fail gets no more through by that. */
  async #startAgain(): Promise<void> {
    const settings = { ...this.#settings, ...(this.#day && { day: this.#day }) };
    try {
      // A machine that has no thread left throws here.
      const worker = (this.#dependencies.open ?? openRelayThread)(settings);
      await listening(worker, settings);
      this.#follow(worker);
    } catch (error) {
      this.#dependencies.log.error({ err: error }, "the relay of calls could not be started again");
      if (!this.#isStopped) this.#startLater();
    }
  }
}

/** Figures of two threads, one after the other. */
function together(one: CallRelayFigures, other: CallRelayFigures): CallRelayFigures {
  return {
    allocations: one.allocations + other.allocations,
    allocated: one.allocated + other.allocated,
    bytes: one.bytes + other.bytes,
    dropped: sums(one.dropped, other.dropped),
    refused: sums(one.refused, other.refused),
  };
}

function sums<Name extends string>(one: Readonly<Record<Name, number>>, other: Readonly<Record<Name, number>>): Record<Name, number> {
  const entries = (Object.keys(one) as Name[]).map((name) => [name, one[name] + other[name]] as const);
  return Object.fromEntries(entries) as Record<Name, number>;
}
