// A connection whose request was refused for its rate is not read for a moment: what it sends on waits at its sender, instead of being read,
// parsed and refused again. A client that honours Retry-After notices nothing.
import { Socket } from "node:net";
import type { Timers } from "#shared/util/clock.ts";
import type { ApiLimits } from "../limits.ts";

export interface RefusalPauseDependencies {
  readonly limits: Pick<ApiLimits, "refusedPauseMs" | "refusedRequests">;
  readonly timers: Timers;
  /** Addresses of proxies, whose connections carry the requests of many. */
  readonly trustedProxies: readonly string[];
}

/** Pauses connections. */
export class RefusalPause {
  readonly #dependencies: RefusalPauseDependencies;
  /** Requests that were refused in the pause of each connection. */
  readonly #refused = new Map<Socket, number>();

  constructor(dependencies: RefusalPauseDependencies) {
    this.#dependencies = dependencies;
  }

  /** Connections that are not read. */
  get size(): number {
    return this.#refused.size;
  }

  /** A request of this connection was refused. One that had sent many more by then is ended. */
  begin(socket: unknown): void {
    const { limits, timers, trustedProxies } = this.#dependencies;
    if (!(socket instanceof Socket) || socket.destroyed || trustedProxies.includes(socket.remoteAddress ?? "")) return;
    const refused = (this.#refused.get(socket) ?? 0) + 1;
    if (refused === 1) {
      const cancel = timers.setTimer(limits.refusedPauseMs, () => {
        this.#refused.delete(socket);
        if (!socket.destroyed) socket.resume();
      });
      socket.once("close", () => {
        cancel();
        this.#refused.delete(socket);
      });
    }
    this.#refused.set(socket, refused);
    if (refused > limits.refusedRequests) socket.destroy();
    // Once a request has been read, the server reads on: this comes after.
    else setImmediate(() => this.#pause(socket));
  }

  #pause(socket: Socket): void {
    if (this.#refused.has(socket) && !socket.destroyed) socket.pause();
  }
}
