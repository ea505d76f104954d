// The relay of calls that a node offers: its thread, and the credentials with which the node's owner uses it.
import { Worker } from "node:worker_threads";
import type { Log } from "#node/observability/log.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import { TokenBucket } from "../flow/token-bucket.ts";
import { CALL_RELAY_LIMITS } from "./rules/call-relay-limits.ts";
import { issueCredential } from "./rules/credentials.ts";
import type { CallRelayFigures } from "./serving/requests.ts";
import type { CallRelaySettings } from "./serving/serve.ts";

const SECRET_BYTES = 32;
const ID_BYTES = 8;
/** Heap of the thread, MiB: its tables are small. */
const HEAP_MIB = 64;

/** What the thread says. */
export type RelayThreadMessage =
  | { readonly type: "listening"; readonly port: number }
  | { readonly type: "figures"; readonly figures: CallRelayFigures }
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

/** Starts the thread. @throws CodedError CONFIG_INVALID where it cannot listen */
export async function startCallRelay(settings: Omit<CallRelaySettings, "secret">, dependencies: CallRelayDependencies): Promise<CallRelay> {
  const secret = dependencies.random(SECRET_BYTES);
  const file = import.meta.url.endsWith(".ts") ? "./call-relay-worker.ts" : "./call-relay-worker.mjs";
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: { ...settings, secret } satisfies CallRelaySettings,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  const port = await listening(worker, settings);
  dependencies.log.info({ address: settings.address, port }, "Offers a relay of calls");
  return new CallRelay({ worker, secret, url: `turn:${settings.address}:${port}` }, dependencies);
}

function listening(worker: Worker, { host, port }: Pick<CallRelaySettings, "host" | "port">): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      void worker.terminate();
      reject(new CodedError("CONFIG_INVALID", `The relay of calls cannot listen at ${host}:${port}: ${reason}`));
    };
    worker.once("error", (error) => fail(error instanceof Error ? error.message : String(error)));
    worker.once("message", (message: RelayThreadMessage) => {
      worker.removeAllListeners("error");
      if (message.type === "listening") resolve(message.port);
      else fail(message.type === "failed" ? message.reason : "its thread did not start");
    });
  });
}

/** A running relay. */
export class CallRelay {
  readonly #worker: Worker;
  readonly #secret: Uint8Array;
  readonly #url: string;
  readonly #dependencies: CallRelayDependencies;
  readonly #issued: TokenBucket;
  readonly #exited: Promise<void>;
  #figures = NO_FIGURES;
  #hasEnded = false;

  constructor(
    { worker, secret, url }: { readonly worker: Worker; readonly secret: Uint8Array; readonly url: string },
    dependencies: CallRelayDependencies,
  ) {
    this.#worker = worker;
    this.#secret = secret;
    this.#url = url;
    this.#dependencies = dependencies;
    this.#issued = new TokenBucket(CALL_RELAY_LIMITS.credentials, dependencies.clock.monotonicMs());
    worker.on("message", (message: RelayThreadMessage) => {
      if (message.type === "figures") this.#figures = message.figures;
    });
    worker.on("error", (error) => dependencies.log.error({ err: error }, "the relay of calls failed: calls through it end"));
    this.#exited = new Promise((resolve) => {
      worker.once("exit", () => {
        this.#hasEnded = true;
        resolve();
      });
    });
  }

  /** A credential for one call. @throws CodedError UNAVAILABLE where the relay has failed, RATE_LIMITED */
  issue(): RelayAccess {
    if (this.#hasEnded) throw new CodedError("UNAVAILABLE", "The relay of calls of this node has failed: start the node again");
    const { clock, random } = this.#dependencies;
    if (!this.#issued.take(1, clock.monotonicMs()))
      throw new CodedError("RATE_LIMITED", "Too many credentials for the relay of calls were asked for: wait a minute");
    const issued = issueCredential(this.#secret, random(ID_BYTES), Math.floor(clock.nowMs() / 1_000));
    return {
      urls: [`${this.#url}?transport=udp`, `${this.#url}?transport=tcp`],
      username: issued.username,
      credential: issued.password,
      expiresSec: issued.expiresSec,
    };
  }

  /** As they were within the last two seconds. */
  figures(): CallRelayFigures {
    return this.#figures;
  }

  /** Ends all calls through it. */
  async stop(): Promise<void> {
    if (!this.#hasEnded) this.#worker.postMessage("stop");
    await this.#exited;
  }
}
