// What passes through a relay of calls: data of clients to the addresses that they named, and back, within the rates of each and of all.
import { TokenBucket } from "../../flow/token-bucket.ts";
import { CALL_RELAY_LIMITS } from "../rules/call-relay-limits.ts";
import { type PeerRules, plainAddress } from "../rules/peer-rules.ts";
import { ATTRIBUTES, attributeOf, CLASSES, METHODS, parseStun, writeStun } from "../wire/stun-message.ts";
import { type Endpoint, writeXorAddress } from "../wire/stun-values.ts";
import type { Allocation } from "./allocation.ts";
import type { AllocationTable } from "./allocation-table.ts";

const DAY_MS = 86_400_000;
const CHANNEL_HEAD_BYTES = 4;
export const CHANNEL_NUMBERS = { first: 0x4000, last: 0x4fff } as const;

/** Why a packet was not passed on. */
export type Dropped = "rate" | "day" | "address";

/** How far a day is: bytes that have passed, and milliseconds that are left of it. */
export interface RelayDay {
  readonly bytes: number;
  readonly leftMs: number;
}

export interface TrafficOptions {
  readonly table: AllocationTable;
  readonly rules: PeerRules;
  /** Address of IPv4 at which allocations are reached. */
  readonly address: string;
  /** Bytes a day. */
  readonly dailyBytes: number;
  /** A day that has begun; a new one where it is left out. */
  readonly day?: RelayDay;
  readonly randomBytes: (count: number) => Uint8Array;
}

interface Packet {
  readonly bytes: Buffer;
  readonly nowMs: number;
}

export class Traffic {
  readonly #options: TrafficOptions;
  readonly #total: TokenBucket;
  readonly dropped: Record<Dropped, number> = { rate: 0, day: 0, address: 0 };
  #bytes = 0;
  #dayBytes = 0;
  #dayEndMs: number;

  constructor(options: TrafficOptions, nowMs: number) {
    this.#options = options;
    this.#total = new TokenBucket(CALL_RELAY_LIMITS.totalBytes, nowMs);
    const { bytes, leftMs } = options.day ?? { bytes: 0, leftMs: DAY_MS };
    this.#dayBytes = bytes;
    this.#dayEndMs = nowMs + leftMs;
  }

  day(nowMs: number): RelayDay {
    return { bytes: this.#dayBytes, leftMs: Math.max(0, this.#dayEndMs - nowMs) };
  }

  /** Bytes since the start. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether what may pass in a day has passed. */
  isDaySpent(nowMs: number): boolean {
    if (nowMs >= this.#dayEndMs) {
      this.#dayBytes = 0;
      this.#dayEndMs = nowMs + DAY_MS;
    }
    return this.#dayBytes >= this.#options.dailyBytes;
  }

  /** Data of a channel, as a client sends it. */
  fromChannel(allocation: Allocation, frame: Buffer, nowMs: number): void {
    if (frame.length < CHANNEL_HEAD_BYTES) return;
    const peer = allocation.peerOf(frame.readUInt16BE(0), nowMs);
    const size = frame.readUInt16BE(2);
    // Over UDP there may be something after the data that fills it up.
    if (peer === undefined || frame.length < CHANNEL_HEAD_BYTES + size) return;
    this.toPeer(allocation, peer, { bytes: frame.subarray(CHANNEL_HEAD_BYTES, CHANNEL_HEAD_BYTES + size), nowMs });
  }

  /** Sends to an address that the allocation has named; what it has not, is dropped. */
  toPeer(allocation: Allocation, peer: Endpoint, { bytes, nowMs }: Packet): void {
    const { table, rules, address } = this.#options;
    const neighbour = peer.address === address ? table.at(peer.port) : undefined;
    const isNamed = allocation.permits(peer.address, nowMs) && rules.isPort(peer.port);
    // Another allocation of this relay gets it here: nothing is sent to this machine for it.
    if (!isNamed || (neighbour === undefined && !rules.isAllowed(peer.address, nowMs))) {
      this.dropped.address += 1;
      return;
    }
    if (!this.#take(allocation, bytes.length, nowMs)) return;
    if (neighbour === undefined) allocation.socket.send(bytes, peer);
    else this.fromPeer(neighbour, { address, port: allocation.socket.port }, { bytes, nowMs });
  }

  /** What came to the address of an allocation. */
  fromPeer(allocation: Allocation, source: Endpoint, packet: Packet): void {
    const { bytes, nowMs } = packet;
    const peer = { address: plainAddress(source.address), port: source.port };
    if (bytes.length > CALL_RELAY_LIMITS.packetBytes || !this.#mayEnter(allocation, peer, packet)) {
      this.dropped.address += 1;
      return;
    }
    if (!this.#take(allocation, bytes.length, nowMs)) return;
    const channel = allocation.channelTo(peer, nowMs);
    allocation.client.send(channel === undefined ? this.#indication(peer, bytes) : channelData(channel, bytes));
  }

  /**
   * From addresses that the allocation has named; from others checks of connectivity alone, and few. So a device is found whose network the
   * client cannot know: behind a router, and without a relay of its own. What is in a check the client verifies itself.
   */
  #mayEnter(allocation: Allocation, peer: Endpoint, { bytes, nowMs }: Packet): boolean {
    const { rules, address } = this.#options;
    if (allocation.permits(peer.address, nowMs)) return true;
    if (!isCheck(bytes) || !rules.isPort(peer.port)) return false;
    return (peer.address === address || rules.isAllowed(peer.address, nowMs)) && allocation.checks.take(1, nowMs);
  }

  #take(allocation: Allocation, length: number, nowMs: number): boolean {
    const count = Math.max(length, CALL_RELAY_LIMITS.leastBytes);
    if (this.isDaySpent(nowMs)) {
      this.dropped.day += 1;
      return false;
    }
    if (!allocation.bytes.has(count, nowMs) || !this.#total.take(count, nowMs)) {
      this.dropped.rate += 1;
      return false;
    }
    allocation.bytes.take(count, nowMs);
    this.#bytes += length;
    this.#dayBytes += count;
    return true;
  }

  #indication({ address, port }: Endpoint, bytes: Buffer): Buffer {
    const transaction = this.#options.randomBytes(12);
    const peer = writeXorAddress(Uint8Array.from(address.split("."), Number), port, transaction);
    return writeStun({ method: METHODS.data, class: CLASSES.indication, transaction }, [
      [ATTRIBUTES.peerAddress, peer],
      [ATTRIBUTES.data, bytes],
    ]);
  }
}

/** A check of connectivity of ICE: a request of binding with a name. */
function isCheck(bytes: Buffer): boolean {
  const message = parseStun(bytes);
  if (message === undefined || message.method !== METHODS.binding || message.class !== CLASSES.request) return false;
  return attributeOf(message, ATTRIBUTES.username) !== undefined && attributeOf(message, ATTRIBUTES.integrity) !== undefined;
}

function channelData(number: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(CHANNEL_HEAD_BYTES);
  head.writeUInt16BE(number, 0);
  head.writeUInt16BE(bytes.length, 2);
  return Buffer.concat([head, bytes]);
}
