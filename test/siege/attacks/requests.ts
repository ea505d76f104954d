// Requests of attackers: whole ones at the rate that a peer may have, and streams that never come to one.
import { setTimeout as delay } from "node:timers/promises";
import type { Rate } from "#node/network/network-limits.ts";
import { readFrames, writeFrame } from "#node/network/wire/frames.ts";
import type { RudePeer } from "../../support/nodes/rude-peer.ts";
import type { Turn } from "../attack.ts";

/** A request as it is sent. */
export interface Shot {
  readonly protocol: string;
  readonly frame: Uint8Array;
  /** Learns a frame of the response. */
  readonly onFrame?: (frame: Uint8Array) => void;
}

const MOST_BYTES = 16_777_216;
/** Part of a rate that is used, so that it is kept. */
const SPARE = 0.9;

/** Sends a request and reads what comes; resolves at the end of the exchange, however that ends. */
export async function ask(
  peer: RudePeer,
  { protocol, frame }: Shot,
  onFrame: (frame: Uint8Array) => void = (): void => undefined,
): Promise<void> {
  const stream = await peer.open(protocol);
  const ended = new Promise<void>((resolve) => readFrames(stream, { maxBytes: MOST_BYTES, onFrame, onEnd: () => resolve() }));
  writeFrame(stream, frame);
  await stream.close();
  await ended;
}

/** Asks again and again, so many requests under way at once: as many as a peer may ask at once, and then as fast as it may. */
export async function askAll(peer: RudePeer, turn: Turn, { shots, atOnce, rate, onBytes }: Asking): Promise<void> {
  const startMs = performance.now();
  let n = 0;
  const sent = async (shot: Shot): Promise<void> => {
    try {
      await ask(peer, shot, (frame) => {
        onBytes?.(frame.length);
        shot.onFrame?.(frame);
      });
      turn.count("requests");
      turn.count("KiB", Math.round(shot.frame.length / 1_024));
    } catch {
      turn.count("refused");
    }
  };
  const one = async (): Promise<void> => {
    while (peer.isConnected && !turn.signal.aborted) {
      const shot = shots();
      n += 1;
      const dueMs = startMs + ((n - rate.burst * SPARE) * 1_000) / (rate.perSecond * SPARE);
      await Promise.all([sent(shot), delay(Math.max(0, dueMs - performance.now()))]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

interface Asking {
  readonly shots: () => Shot;
  readonly atOnce: number;
  /** Beyond which a peer floods. */
  readonly rate: Rate;
  /** Learns what came of a request. */
  readonly onBytes?: (bytes: number) => void;
}
