// One allocation: an address of the relay that stands for a client, the addresses that it may hear and send to, and its channels to them.
import { TokenBucket } from "../../flow/token-bucket.ts";
import { CALL_RELAY_LIMITS } from "../rules/call-relay-limits.ts";
import { endpointKey } from "../rules/peer-rules.ts";
import type { Endpoint } from "../wire/stun-values.ts";

/** Who sends to the relay, from one address by one transport. */
export interface RelayClient {
  /** Names it among all. */
  readonly key: string;
  readonly source: Endpoint;
  /** Who it probably is: its address, or its /64. */
  readonly party: string;
  send(bytes: Buffer): void;
}

/** The socket of an allocation, whose port others send to. */
export interface RelaySocket {
  readonly port: number;
  send(bytes: Buffer, to: Endpoint): void;
  close(): void;
}

interface Channel {
  readonly peer: Endpoint;
  untilMs: number;
}

export interface AllocationOptions {
  readonly client: RelayClient;
  readonly username: string;
  /** Key of the credential: it keeps counting for this allocation after its end. */
  readonly key: Buffer;
  readonly socket: RelaySocket;
  /** The request that made it, hex: who repeats it gets the same answer. */
  readonly transaction: string;
  readonly lifetimeS: number;
}

export class Allocation {
  readonly client: RelayClient;
  readonly username: string;
  readonly key: Buffer;
  readonly socket: RelaySocket;
  readonly transaction: string;
  readonly bytes: TokenBucket;
  readonly requests: TokenBucket;
  /** Of packets from addresses that it has not named. */
  readonly checks: TokenBucket;
  readonly #permissions = new Map<string, number>();
  readonly #channels = new Map<number, Channel>();
  readonly #numbers = new Map<string, number>();
  readonly #endMs: number;
  #expiresMs = 0;

  constructor({ client, username, key, socket, transaction, lifetimeS }: AllocationOptions, nowMs: number) {
    this.client = client;
    this.username = username;
    this.key = key;
    this.socket = socket;
    this.transaction = transaction;
    this.bytes = new TokenBucket(CALL_RELAY_LIMITS.allocationBytes, nowMs);
    this.requests = new TokenBucket(CALL_RELAY_LIMITS.requests, nowMs);
    this.checks = new TokenBucket(CALL_RELAY_LIMITS.checks, nowMs);
    this.#endMs = nowMs + CALL_RELAY_LIMITS.totalS * 1_000;
    this.refresh(lifetimeS, nowMs);
  }

  /** It stays for so long; gives how long that is, seconds. */
  refresh(lifetimeS: number, nowMs: number): number {
    this.#expiresMs = Math.min(nowMs + lifetimeS * 1_000, this.#endMs);
    return this.lifetimeS(nowMs);
  }

  lifetimeS(nowMs: number): number {
    return Math.max(0, Math.round((this.#expiresMs - nowMs) / 1_000));
  }

  isOver(nowMs: number): boolean {
    return nowMs >= this.#expiresMs;
  }

  permits(address: string, nowMs: number): boolean {
    return (this.#permissions.get(address) ?? 0) > nowMs;
  }

  /** Names addresses, all or none; false where there would be too many. */
  permit(addresses: readonly string[], nowMs: number): boolean {
    forgetOver(this.#permissions, (untilMs) => untilMs, nowMs);
    const added = new Set(addresses.filter((address) => !this.#permissions.has(address)));
    if (this.#permissions.size + added.size > CALL_RELAY_LIMITS.permissions) return false;
    for (const address of addresses) this.#permissions.set(address, nowMs + CALL_RELAY_LIMITS.permissionS * 1_000);
    return true;
  }

  /** Binds a channel: `conflict` where number or endpoint has another one, `full` where there are too many. */
  bind(number: number, peer: Endpoint, nowMs: number): "bound" | "conflict" | "full" {
    this.#forgetChannels(nowMs);
    const key = endpointKey(peer);
    const bound = this.#channels.get(number);
    if ((bound !== undefined && endpointKey(bound.peer) !== key) || (this.#numbers.get(key) ?? number) !== number) return "conflict";
    if (bound === undefined && this.#channels.size >= CALL_RELAY_LIMITS.channels) return "full";
    if (!this.permit([peer.address], nowMs)) return "full";
    this.#channels.set(number, { peer, untilMs: nowMs + CALL_RELAY_LIMITS.channelS * 1_000 });
    this.#numbers.set(key, number);
    return "bound";
  }

  peerOf(number: number, nowMs: number): Endpoint | undefined {
    const channel = this.#channels.get(number);
    return channel !== undefined && channel.untilMs > nowMs ? channel.peer : undefined;
  }

  channelTo(peer: Endpoint, nowMs: number): number | undefined {
    const number = this.#numbers.get(endpointKey(peer));
    return number !== undefined && this.peerOf(number, nowMs) !== undefined ? number : undefined;
  }

  #forgetChannels(nowMs: number): void {
    for (const [number, { peer, untilMs }] of this.#channels)
      if (untilMs <= nowMs) {
        this.#channels.delete(number);
        this.#numbers.delete(endpointKey(peer));
      }
  }
}

function forgetOver<K, V>(entries: Map<K, V>, untilMs: (value: V) => number, nowMs: number): void {
  for (const [key, value] of entries) if (untilMs(value) <= nowMs) entries.delete(key);
}
