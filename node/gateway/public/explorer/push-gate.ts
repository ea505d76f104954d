// Pushes about a block wait until the database has it: who hears of a block at any gateway finds it at all of them. While the database is
// behind the node, or away, they do not wait; reads are the node's answers then.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { HELD_PUSHES, PUSH_HOLD_MS, PUSH_LOOK_MS } from "../gateway-limits.ts";
import type { DatabaseExplorer } from "./database-explorer.ts";

export interface PushGateDependencies {
  readonly explorer: Pick<DatabaseExplorer, "currentHeight" | "noteShown">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
}

interface HeldPush {
  readonly height: Height;
  readonly sinceMs: number;
  readonly publish: () => void;
}

/** Lets pushes through in their order. */
export class PushGate {
  readonly #dependencies: PushGateDependencies;
  #held: HeldPush[] = [];
  /** The newest block of which pushes were let through. */
  #reached: Height = 0;
  #isLooking = false;
  #cancel: (() => void) | undefined;
  #isClosed = false;

  constructor(dependencies: PushGateDependencies) {
    this.#dependencies = dependencies;
  }

  /** Publishes now, or once the block is in the database. */
  pass(height: Height, publish: () => void): void {
    if (this.#held.length === 0 && height <= this.#reached) {
      publish();
      return;
    }
    this.#held.push({ height, sinceMs: this.#dependencies.clock.monotonicMs(), publish });
    if (this.#held.length > HELD_PUSHES) this.#release(Number.POSITIVE_INFINITY);
    else if (!this.#isLooking) void this.#look();
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    this.#held = [];
  }

  async #look(): Promise<void> {
    const { clock, timers } = this.#dependencies;
    this.#isLooking = true;
    const height = await this.#currentHeight();
    this.#isLooking = false;
    if (this.#isClosed) return;
    const [first] = this.#held;
    const isLate = first !== undefined && clock.monotonicMs() - first.sinceMs > PUSH_HOLD_MS;
    this.#release(height === undefined || isLate ? Number.POSITIVE_INFINITY : height);
    if (this.#held.length === 0) return;
    this.#isLooking = true;
    this.#cancel = timers.setTimer(PUSH_LOOK_MS, () => void this.#look());
  }

  /** Undefined also where the database does not say it in time. */
  async #currentHeight(): Promise<Height | undefined> {
    const { explorer, timers } = this.#dependencies;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const cancel = timers.setTimer(PUSH_HOLD_MS, () => resolve(undefined));
    const height = await Promise.race([explorer.currentHeight(), promise]);
    cancel();
    return height;
  }

  /** Lets through what is of blocks up to a height, in order. */
  #release(height: Height): void {
    while (this.#held[0] !== undefined && this.#held[0].height <= height) {
      const { height: shown, publish } = this.#held.shift() as HeldPush;
      this.#reached = Math.max(this.#reached, shown);
      this.#dependencies.explorer.noteShown(shown);
      publish();
    }
  }
}
