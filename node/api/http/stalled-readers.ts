// Ends connections whose readers take nothing, or next to nothing, of what waits for them: what is written for them would stay in memory.
import type { Server, Socket } from "node:net";

/** How long a reader may stand still. */
export interface StallLimits {
  /** Time in which a reader has to take something, ms. */
  readonly stallMs: number;
  /** What it has to take in this time, or all that waits if that is less. */
  readonly stallBytes: number;
}

interface Progress {
  /** What the reader will have taken when it has taken enough. */
  dueBytes: number;
  /** Monotonic time since which it is due, ms. */
  sinceMs: number;
}

/** Looks in one such time. */
const LOOKS = 6;

/** Watches all connections of a server from now on; returns the way to stop. */
export function endStalledReaders(server: Server, limits: StallLimits, monotonicMs: () => number): () => void {
  const { stallMs } = limits;
  const sockets = new Map<Socket, Progress>();
  server.on("connection", (socket: Socket) => {
    sockets.set(socket, { dueBytes: 0, sinceMs: monotonicMs() });
    socket.once("close", () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    const nowMs = monotonicMs();
    for (const [socket, progress] of sockets) if (hasStalled(socket, progress, nowMs, limits)) socket.destroy();
  }, stallMs / LOOKS).unref();
  return () => clearInterval(timer);
}

function hasStalled(socket: Socket, progress: Progress, nowMs: number, { stallMs, stallBytes }: StallLimits): boolean {
  const waiting = socket.writableLength;
  const takenBytes = socket.bytesWritten - waiting;
  if (waiting === 0 || takenBytes >= progress.dueBytes) {
    progress.dueBytes = takenBytes + Math.min(Math.max(waiting, 1), stallBytes);
    progress.sinceMs = nowMs;
    return false;
  }
  // One look less than the whole time: the next one would come too late.
  return nowMs - progress.sinceMs >= stallMs - stallMs / LOOKS;
}
