// Sender chains between devices, in memory as in the store: sequence numbers of what this device sends, and what has come from others.
import type { StreamPosition } from "#shared/content/content.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { StreamRecord } from "../model/records.ts";

/** Sequence numbers assigned so far, under one key of the store. */
export interface SendStreamRecord {
  /** Hex of 8 random bytes, drawn with the store. */
  readonly stream: string;
  readonly last: Readonly<Record<X25519KeyHex, number>>;
}

/** Received chains of one device: a program begins one with each new store. Those that changed longest ago make room. */
export const MAX_STREAMS_OF_DEVICE = 8;
/** Of all. */
export const MAX_STREAMS = 4_096;

/**
 * Received chains that are to be forgotten: those of people one does not know, those for which there is no room, and those that changed last
 * before a time while their device has a later one.
 */
export function crowdedStreams(
  all: readonly StreamRecord[],
  isKnown: (person: PublicKeyHex) => boolean,
  beforeMs = Number.NEGATIVE_INFINITY,
): readonly StreamRecord[] {
  const counts = new Map<X25519KeyHex, number>();
  let total = 0;
  const latestFirst = all.toSorted((a, b) => (b.seenAt ?? 0) - (a.seenAt ?? 0) || b.upTo - a.upTo);
  return latestFirst.filter(({ peer, device, seenAt = Number.POSITIVE_INFINITY }) => {
    const count = counts.get(device) ?? 0;
    const isAged = count > 0 && seenAt < beforeMs;
    if (!isKnown(peer) || isAged || count >= MAX_STREAMS_OF_DEVICE || total >= MAX_STREAMS) return true;
    counts.set(device, count + 1);
    total += 1;
    return false;
  });
}

/** Contents that one device gets again within an hour: one that asks for more asks again later. */
export const MAX_AGAIN_PER_HOUR = 2_048;
const HOUR_MS = 3_600_000;

/** Key of a received sender chain. */
export function streamKey(device: X25519KeyHex, stream: string): string {
  return `${device} ${stream}`;
}

/** Sender chains of one device of one's own. */
export class Streams {
  #sending: SendStreamRecord;
  readonly #received = new Map<string, StreamRecord>();
  /** What was sent again in the running hour, by device, and when that began. */
  readonly #again = new Map<X25519KeyHex, number>();
  #againSinceMs = Number.NEGATIVE_INFINITY;

  constructor(sending: SendStreamRecord, received: readonly StreamRecord[]) {
    this.#sending = sending;
    for (const record of received) this.set(record);
  }

  get sending(): SendStreamRecord {
    return this.#sending;
  }

  setSending(record: SendStreamRecord): void {
    this.#sending = record;
  }

  get(peer: PublicKeyHex, device: X25519KeyHex, { stream }: Pick<StreamPosition, "stream">): StreamRecord {
    return this.#received.get(streamKey(device, stream)) ?? { peer, device, stream, upTo: 0, ahead: [], gap: null };
  }

  set(record: StreamRecord): void {
    this.#received.set(streamKey(record.device, record.stream), record);
  }

  has({ device, stream }: Pick<StreamRecord, "device" | "stream">): boolean {
    return this.#received.has(streamKey(device, stream));
  }

  /** Some were stored, others are forgotten. */
  follow(stored: Iterable<StreamRecord>, gone: Iterable<StreamRecord>): void {
    for (const record of stored) this.set(record);
    for (const { device, stream } of gone) this.#received.delete(streamKey(device, stream));
  }

  /** All that are followed. */
  get received(): readonly StreamRecord[] {
    return [...this.#received.values()];
  }

  /** How many contents a device may still get again in this hour. */
  roomAgain(device: X25519KeyHex, nowMs: number): number {
    if (Math.abs(nowMs - this.#againSinceMs) >= HOUR_MS) {
      this.#again.clear();
      this.#againSinceMs = nowMs;
    }
    return Math.max(0, MAX_AGAIN_PER_HOUR - (this.#again.get(device) ?? 0));
  }

  /** Counts a content that a device gets again. */
  noteAgain(device: X25519KeyHex): void {
    this.#again.set(device, (this.#again.get(device) ?? 0) + 1);
  }

  /** Sender chains with something missing. */
  get withGap(): readonly StreamRecord[] {
    return [...this.#received.values()].filter(({ gap }) => gap !== null);
  }
}

/** The record after the next sequence number of each device was assigned; takes effect by {@link Streams.setSending}, once stored. */
export function withNextSequenceNumbers(record: SendStreamRecord, devices: readonly X25519KeyHex[]): SendStreamRecord {
  if (devices.length === 0) return record;
  const last = { ...record.last };
  for (const device of devices) last[device] = (last[device] ?? 0) + 1;
  return { ...record, last };
}
