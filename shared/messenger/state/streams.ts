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
