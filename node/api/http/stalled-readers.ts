// Ends connections whose readers take nothing of what waits for them: what is written for them would stay in memory.
import type { Server, Socket } from "node:net";

/** How long a reader may stand still. */
export interface StallLimits {
  /** Time without a byte taken, ms. */
  readonly stallMs: number;
}

interface Progress {
  takenBytes: number;
  /** Monotonic time of the last byte taken, or of the first look at what waits, ms. */
  sinceMs: number;
}

/** Looks in one such time. */
const LOOKS = 6;

/** Watches all connections of a server from now on; returns the way to stop. */
export function endStalledReaders(server: Server, { stallMs }: StallLimits, monotonicMs: () => number): () => void {
  const sockets = new Map<Socket, Progress>();
  server.on("connection", (socket: Socket) => {
    sockets.set(socket, { takenBytes: 0, sinceMs: monotonicMs() });
    socket.once("close", () => sockets.delete(socket));
  });
  const timer = setInterval(() => {
    const nowMs = monotonicMs();
    for (const [socket, progress] of sockets) if (hasStalled(socket, progress, nowMs, stallMs)) socket.destroy();
  }, stallMs / LOOKS).unref();
  return () => clearInterval(timer);
}

function hasStalled(socket: Socket, progress: Progress, nowMs: number, stallMs: number): boolean {
  const waiting = socket.writableLength;
  const takenBytes = socket.bytesWritten - waiting;
  if (waiting === 0 || takenBytes !== progress.takenBytes) {
    progress.takenBytes = takenBytes;
    progress.sinceMs = nowMs;
    return false;
  }
  // One look less than the whole time: the next one would come too late.
  return nowMs - progress.sinceMs >= stallMs - stallMs / LOOKS;
}
