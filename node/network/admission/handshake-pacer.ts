// Handshakes of strangers, at a bounded rate: one costs milliseconds, and a peer id nothing. The address that waited longest is next; those
// of peers that the chain needs come before all others. A socket that says nothing has no turn: it costs nothing.
import { LRUCache } from "lru-cache";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { TokenBucket } from "../flow/token-bucket.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { PEER_LIMITS } from "../peer-limits.ts";

/** A socket that waits for its handshake. */
export interface WaitingSocket {
  /** The system's socket, a member of the library's that its interface does not name. */
  readonly socket?: {
    readonly destroyed: boolean;
    once(event: "data", listener: () => void): unknown;
    pause(): unknown;
    resume(): unknown;
  };
  addEventListener(event: "close", listener: () => void): void;
}

export interface HandshakePacerDependencies {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
}

interface Waiting {
  readonly socket: WaitingSocket;
  readonly resolve: (isDenied: boolean) => void;
}

/** Lets them begin. How many wait is bounded by the sockets that may be in their handshake. */
export class HandshakePacer {
  readonly #dependencies: HandshakePacerDependencies;
  readonly #rate: TokenBucket;
  /** Addresses of peers that are not strangers. */
  readonly #known = new LRUCache<string, true>({ max: PEER_LIMITS.probationEntries });
  /** When an address had its last turn, ms: who waited longest is next, so that one that knocks without a pause delays no other. */
  readonly #turns = new LRUCache<string, number>({ max: PEER_LIMITS.probationEntries });
  readonly #waiting = new Map<string, Waiting[]>();
  #isTurnSet = false;

  constructor(dependencies: HandshakePacerDependencies) {
    this.#dependencies = dependencies;
    this.#rate = new TokenBucket(NETWORK_LIMITS.handshakes, dependencies.clock.monotonicMs());
  }

  /** Sockets that wait. */
  get waiting(): number {
    let count = 0;
    for (const sockets of this.#waiting.values()) count += sockets.length;
    return count;
  }

  /** An address is that of a peer which the chain needs, or the operator named. */
  know(host: string): void {
    this.#known.set(host, true);
  }

  /** False when the handshake may begin; true when its socket ended before its turn came. Until then only its first bytes are read. */
  deny(socket: WaitingSocket, host: string): boolean | Promise<boolean> {
    if (this.#known.get(host) === true || socket.socket === undefined) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting: Waiting = { socket, resolve };
    socket.socket.once("data", () => this.#knock(waiting, host));
    socket.addEventListener("close", () => {
      this.#remove(host, waiting);
      resolve(true);
    });
    return promise;
  }

  /** A socket has begun to speak. */
  #knock(waiting: Waiting, host: string): void {
    const nowMs = this.#dependencies.clock.monotonicMs();
    if (this.#waiting.size === 0 && this.#rate.take(1, nowMs)) {
      this.#turns.set(host, nowMs);
      waiting.resolve(false);
      return;
    }
    this.#waiting.set(host, [...(this.#waiting.get(host) ?? []), waiting]);
    waiting.socket.socket?.pause();
    this.#setTurn();
  }

  #setTurn(): void {
    if (this.#isTurnSet || this.#waiting.size === 0) return;
    this.#isTurnSet = true;
    this.#dependencies.timers.setTimer(1_000 / NETWORK_LIMITS.handshakes.perSecond, () => {
      this.#isTurnSet = false;
      this.#serve();
      this.#setTurn();
    });
  }

  #serve(): void {
    const nowMs = this.#dependencies.clock.monotonicMs();
    for (const [host, [first]] of [...this.#waiting].sort(([a], [b]) => this.#turnOf(a) - this.#turnOf(b))) {
      if (first === undefined || !this.#rate.take(1, nowMs)) return;
      this.#remove(host, first);
      this.#turns.set(host, nowMs);
      if (first.socket.socket?.destroyed === false) first.socket.socket.resume();
      first.resolve(false);
    }
  }

  #turnOf(host: string): number {
    return this.#turns.get(host) ?? Number.NEGATIVE_INFINITY;
  }

  #remove(host: string, waiting: Waiting): void {
    const left = (this.#waiting.get(host) ?? []).filter((each) => each !== waiting);
    if (left.length === 0) this.#waiting.delete(host);
    else this.#waiting.set(host, left);
  }
}
