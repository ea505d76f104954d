// Finds connections whose peers do not read: what is sent to them stays in this node's memory.
import type { Clock } from "#shared/util/clock.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { ConnectionBacklog } from "../wire/connection-backlog.ts";

export interface SendWatchDependencies<C> {
  readonly clock: Clock;
  readonly backlogOf: (connection: C) => ConnectionBacklog;
  /** The connection has to end. */
  readonly onStalled: (connection: C) => void;
}

interface Mark extends ConnectionBacklog {
  readonly atMs: number;
}

/** Watches what waits to be sent; call {@link SendWatch.poll} once a second. */
export class SendWatch<C extends object> {
  readonly #dependencies: SendWatchDependencies<C>;
  readonly #marks = new WeakMap<C, Mark>();
  #polledAtMs = Number.NEGATIVE_INFINITY;
  #bytes = 0;

  constructor(dependencies: SendWatchDependencies<C>) {
    this.#dependencies = dependencies;
  }

  /** Bytes that waited at the last poll. */
  get bytes(): number {
    return this.#bytes;
  }

  poll(connections: readonly C[]): void {
    const { clock, backlogOf, onStalled } = this.#dependencies;
    const { stallMs, connectionBytes, backlogBytes } = NETWORK_LIMITS.served;
    const nowMs = clock.monotonicMs();
    // While this node itself was suspended, no peer could have read.
    const wasAway = nowMs - this.#polledAtMs > stallMs / 2;
    this.#polledAtMs = nowMs;
    let left = 0;
    const kept: { readonly connection: C; readonly waiting: number }[] = [];
    for (const connection of connections) {
      const backlog = backlogOf(connection);
      const mark = this.#marks.get(connection);
      const hasMoved = mark === undefined || backlog.waiting === 0 || backlog.sent > mark.sent || backlog.waiting < mark.waiting;
      const since = hasMoved || wasAway ? { ...backlog, atMs: nowMs } : mark;
      this.#marks.set(connection, since);
      if (nowMs - since.atMs >= stallMs || backlog.waiting > connectionBytes) {
        onStalled(connection);
        continue;
      }
      left += backlog.waiting;
      kept.push({ connection, waiting: backlog.waiting });
    }
    for (const { connection, waiting } of kept.sort((a, b) => b.waiting - a.waiting)) {
      if (left <= backlogBytes) break;
      left -= waiting;
      onStalled(connection);
    }
    this.#bytes = left;
  }
}
