// Sends a response frame by frame, each when the one before has left. A reader that stands still is dropped: its response takes up memory.
import type { Connection, Stream } from "@libp2p/interface";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { backlogOf } from "../wire/connection-backlog.ts";
import { writeFrame } from "../wire/frames.ts";

/** Where a response goes. */
export interface ResponseTarget {
  readonly stream: Stream;
  readonly connection: Connection;
  readonly clock: Clock;
  /** The peer took something: so many bytes have left the stream by now. */
  readonly onProgress: (takenBytes: number) => void;
}

interface Mark {
  readonly atMs: number;
  /** Bytes in the stream. */
  readonly left: number;
  /** Bytes below it, of all streams. */
  readonly waiting: number;
  readonly sent: number;
}

/** Buffers below the streams may hold this much without the response waiting for them. */
const BACKLOG_BYTES = 1_048_576;
/** Some buffers become empty without an event. */
const POLL_MS = 50;

/** Sends the frames and ends the stream. @throws CodedError when the peer went away, or took less than `stallBytes` in `stallMs`. */
export async function sendResponse(target: ResponseTarget, frames: Iterable<Uint8Array>): Promise<void> {
  let written = 0;
  for (const frame of frames) {
    writeFrame(target.stream, frame);
    written += frame.length;
    await untilSent(target, written);
  }
  await target.stream.close({ signal: AbortSignal.timeout(NETWORK_LIMITS.served.stallMs) });
}

async function untilSent(target: ResponseTarget, written: number): Promise<void> {
  const { stream, onProgress } = target;
  let mark = markOf(target);
  for (let now = mark; now.left > 0 || now.waiting > BACKLOG_BYTES; now = markOf(target)) {
    if (stream.status !== "open") throw new CodedError("UPSTREAM_FAILED", "The stream ended");
    if (hasMoved(mark, now)) {
      mark = now;
      onProgress(written - now.left);
    } else if (now.atMs - mark.atMs >= NETWORK_LIMITS.served.stallMs) {
      throw new CodedError("UPSTREAM_FAILED", "The peer does not take the response");
    }
    await change(stream);
  }
}

function markOf({ stream, connection, clock }: ResponseTarget): Mark {
  return { atMs: clock.monotonicMs(), left: stream.writeBufferLength, ...backlogOf(connection) };
}

/** True when enough has left the stream, and enough of the connection's bytes have left this machine. */
function hasMoved(before: Mark, now: Mark): boolean {
  const { stallBytes } = NETWORK_LIMITS.served;
  const hasLeftStream = now.left === 0 || before.left - now.left >= stallBytes;
  const hasLeft = now.sent - before.sent >= stallBytes || before.waiting - now.waiting >= stallBytes;
  return hasLeftStream && (now.waiting <= BACKLOG_BYTES || hasLeft);
}

/** Resolves when something happens to the stream, or a moment later. */
function change(stream: Stream): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      stream.removeEventListener("drain", finish);
      stream.removeEventListener("close", finish);
      resolve();
    };
    const timer = setTimeout(finish, POLL_MS);
    stream.addEventListener("drain", finish);
    stream.addEventListener("close", finish);
  });
}
