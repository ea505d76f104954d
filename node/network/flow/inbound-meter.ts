// Bytes that connections bring in. They are decrypted, put together and hashed before anything can be known of them, so what is beyond a rate is
// not read: it waits at its sender. Small frames cost far more than their bytes, so the time that a chunk took counts too. Peers that brought
// something of use have a rate of their own, which no stranger can use up.
import { LRUCache } from "lru-cache";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { PeerName } from "../peer-network.ts";
import { TokenBucket } from "./token-bucket.ts";

/** A connection below its encryption. */
export interface MeteredConnection {
  /** The system's socket, a member of the library's that its interface does not name; relayed connections have none. */
  readonly socket?: MeteredSocket;
  addEventListener(event: "close", listener: () => void): void;
}

export interface MeteredSocket {
  readonly destroyed: boolean;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  prependListener(event: "data", listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

export interface InboundMeterDependencies {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  /** Processor time of this thread, ms. */
  readonly workedMs: () => number;
  /** Peers that the chain needs, or the operator named: they are never slowed. */
  readonly isExempt: (peer: PeerName) => boolean;
  /** Peers that brought something of use lately. */
  readonly isUseful: (peer: PeerName) => boolean;
}

interface Source {
  readonly host: string;
  readonly socket: MeteredSocket;
  /** Of its address. */
  readonly share: TokenBucket;
  /** Undefined during the handshake. */
  peer: PeerName | undefined;
  /** Bytes that are paid for and have not come. */
  paid: number;
}

/** Counts what comes in, and reads on when it is a connection's turn: addresses are served in turn. */
export class InboundMeter {
  readonly #dependencies: InboundMeterDependencies;
  readonly #strangers: TokenBucket;
  readonly #useful: TokenBucket;
  readonly #shares = new LRUCache<string, TokenBucket>({ max: NETWORK_LIMITS.inboundSources });
  readonly #sources = new WeakMap<MeteredConnection, Source>();
  /** Connections that are not read, by address; the one whose turn it is comes first. */
  readonly #waiting = new Map<string, Source[]>();
  #isTurnSet = false;

  constructor(dependencies: InboundMeterDependencies) {
    this.#dependencies = dependencies;
    const nowMs = dependencies.clock.monotonicMs();
    this.#strangers = new TokenBucket(NETWORK_LIMITS.inboundBytes.strangers, nowMs);
    this.#useful = new TokenBucket(NETWORK_LIMITS.inboundBytes.useful, nowMs);
  }

  /** Connections that are not read at the moment. */
  get waiting(): number {
    let count = 0;
    for (const sources of this.#waiting.values()) count += sources.length;
    return count;
  }

  /** Begins to count a connection of an address. */
  add(connection: MeteredConnection, host: string, peer?: PeerName): void {
    const { socket } = connection;
    if (socket === undefined) return;
    const source: Source = { host, socket, share: this.#shareOf(host), peer, paid: 0 };
    this.#sources.set(connection, source);
    // In between, the library decrypts the chunk and takes its frames apart.
    let beganMs = 0;
    socket.prependListener("data", () => {
      beganMs = this.#dependencies.workedMs();
    });
    socket.on("data", ({ length }) => {
      const workMs = this.#dependencies.workedMs() - beganMs;
      this.#receive(source, Math.max(length, Math.round(workMs * NETWORK_LIMITS.inboundBytesPerMs)));
    });
    connection.addEventListener("close", () => this.#stopWaiting(source));
  }

  /** The handshake showed who it is. */
  identify(connection: MeteredConnection, peer: PeerName): void {
    const source = this.#sources.get(connection);
    if (source === undefined) return;
    source.peer = peer;
    if (this.#dependencies.isExempt(peer) && this.#stopWaiting(source)) source.socket.resume();
  }

  /** Bytes of a connection were requested, or of use: they do not count. */
  credit(connection: MeteredConnection, bytes: number): void {
    const source = this.#sources.get(connection);
    if (source === undefined) return;
    source.share.giveBack(bytes);
    this.#potOf(source).giveBack(bytes);
  }

  #receive(source: Source, bytes: number): void {
    const { clock, isExempt } = this.#dependencies;
    if (source.peer !== undefined && isExempt(source.peer)) return;
    const nowMs = clock.monotonicMs();
    const unpaid = bytes - source.paid;
    source.paid = Math.max(0, -unpaid);
    if (unpaid <= 0) {
      // Its turn is over, when others wait for theirs.
      if (source.paid === 0 && this.#waiting.size > 0) this.#wait(source);
      return;
    }
    const isInShare = source.share.spend(unpaid, nowMs);
    if (!this.#potOf(source).spend(unpaid, nowMs) || !isInShare) this.#wait(source);
  }

  #wait(source: Source): void {
    source.socket.pause();
    const sources = this.#waiting.get(source.host) ?? [];
    if (!sources.includes(source)) sources.push(source);
    this.#waiting.set(source.host, sources);
    this.#setTurn();
  }

  #setTurn(): void {
    if (this.#isTurnSet || this.#waiting.size === 0) return;
    this.#isTurnSet = true;
    this.#dependencies.timers.setTimer(NETWORK_LIMITS.inboundTurnMs, () => {
      this.#isTurnSet = false;
      while (this.#serve());
      this.#setTurn();
    });
  }

  /** Lets one connection of each address read, as far as the bytes last. @returns whether there was one */
  #serve(): boolean {
    let hasServed = false;
    const nowMs = this.#dependencies.clock.monotonicMs();
    const bytes = NETWORK_LIMITS.inboundTurnBytes;
    for (const [host, sources] of [...this.#waiting]) {
      const source = sources.find((each) => each.share.has(bytes, nowMs) && this.#potOf(each).has(bytes, nowMs));
      if (source === undefined) continue;
      source.share.take(bytes, nowMs);
      this.#potOf(source).take(bytes, nowMs);
      source.paid += bytes;
      this.#stopWaiting(source);
      hasServed = true;
      // The next turn begins with another address.
      const left = this.#waiting.get(host);
      if (left !== undefined && this.#waiting.delete(host)) this.#waiting.set(host, left);
      if (!source.socket.destroyed) source.socket.resume();
    }
    return hasServed;
  }

  #stopWaiting(source: Source): boolean {
    const sources = this.#waiting.get(source.host);
    const at = sources?.indexOf(source) ?? -1;
    if (sources === undefined || at === -1) return false;
    sources.splice(at, 1);
    if (sources.length === 0) this.#waiting.delete(source.host);
    return true;
  }

  #potOf({ peer }: Source): TokenBucket {
    return peer !== undefined && this.#dependencies.isUseful(peer) ? this.#useful : this.#strangers;
  }

  #shareOf(host: string): TokenBucket {
    const known = this.#shares.get(host);
    if (known !== undefined) return known;
    const share = new TokenBucket(NETWORK_LIMITS.inboundBytes.address, this.#dependencies.clock.monotonicMs());
    this.#shares.set(host, share);
    return share;
  }
}
