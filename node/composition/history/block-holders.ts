// Whether old blocks may go: while a connected node says that it has them all. What is fetched from nowhere is not dropped, however large the
// folder grows.
import type { ChainStatus } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";

/** How often it is looked for such a node while blocks wait, ms. */
const LOOK_MS = 1_000;
/** So long they wait before the log says so, ms: after a start no one is connected yet. */
const QUIET_MS = 60_000;

export interface BlockHoldersDependencies {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  readonly log: Pick<Log, "info" | "warn">;
  /** Called while blocks wait. */
  readonly onLook: () => void;
}

/** Which blocks are to go. */
export interface DueBlocks {
  readonly first: Height;
  readonly last: Height;
}

/** Waits for nodes that hold what is to go. */
export class BlockHolders {
  readonly #dependencies: BlockHoldersDependencies;
  #waitingSinceMs: number | undefined;
  #isSaid = false;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(dependencies: BlockHoldersDependencies) {
    this.#dependencies = dependencies;
  }

  /** Blocks would go, and wait. */
  get isWaiting(): boolean {
    return this.#waitingSinceMs !== undefined;
  }

  /** True where a connected node has all of these blocks. Otherwise it is looked again soon. */
  have(statuses: readonly (ChainStatus | null)[], { first, last }: DueBlocks): boolean {
    const isHeld = statuses.some((status) => status !== null && status.firstHeight <= Math.max(1, first) && status.height >= last);
    if (isHeld) this.#resume(first);
    else this.#wait(first);
    return isHeld;
  }

  /** Nothing is to go. */
  rest(): void {
    this.#waitingSinceMs = undefined;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  stop(): void {
    this.#isStopped = true;
    this.rest();
  }

  #resume(first: Height): void {
    if (this.#isSaid) this.#dependencies.log.info({ from_height: first }, "A connected node has the oldest blocks: they are dropped here");
    this.#isSaid = false;
    this.rest();
  }

  #wait(first: Height): void {
    const { clock, timers, log, onLook } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    this.#waitingSinceMs ??= nowMs;
    if (!this.#isSaid && nowMs - this.#waitingSinceMs >= QUIET_MS) {
      this.#isSaid = true;
      log.warn({ from_height: first }, "Old blocks are not dropped: no connected node has them, and they could not be fetched again");
    }
    if (this.#isStopped) return;
    this.#cancel ??= timers.setTimer(LOOK_MS, () => {
      this.#cancel = undefined;
      onLook();
    });
  }
}
