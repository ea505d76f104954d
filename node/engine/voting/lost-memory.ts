// A validator without any memory of its signatures (a new folder, or one that was emptied) may have signed anything up to the height
// that its network was at when it was lost. It votes again after it has seen a height decided that it cannot have signed: one whose
// block was made after this start. What its former self signed was of that height at most, and the next one had not begun.

import type { Height } from "#shared/protocol/chain/header.ts";
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import type { ChainTip } from "../execution/block-application.ts";
import { MAX_ROUND } from "../execution/final-block.ts";
import type { SignedRecord } from "../log/sign-guard.ts";
import { CLOCK_PRECISION_MS } from "./proposal-time.ts";

/** A block's time may be ahead of honest clocks, and those apart from the own one, ms each. */
const MARGIN_MS = 2 * CLOCK_PRECISION_MS;
/** A network whose genesis is older than this has probably decided blocks, ms. */
const YOUNG_NETWORK_MS = 600_000;
/** So long a node without blocks waits for those of an older network before it votes on the first one, ms. */
export const HISTORY_WAIT_MS = 30_000;

/** Judges blocks by the time at which this node started. */
export class LostMemory {
  readonly #clock: Clock;
  readonly #startedMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedMs = clock.monotonicMs();
  }

  /** True for the time of a block that was certainly made after the start. The start is dated by the clock as it is now: it may have been set. */
  isAfterStart(blockTimeMs: number): boolean {
    const nowMs = this.#clock.nowMs();
    const startMs = nowMs - (this.#clock.monotonicMs() - this.#startedMs);
    return blockTimeMs > startMs + MARGIN_MS && blockTimeMs <= nowMs + MARGIN_MS;
  }

  /** True for a genesis after which blocks of others may have been decided, of which this node has none yet. */
  isOldNetwork(genesisTimeMs: number): boolean {
    return this.#clock.nowMs() - genesisTimeMs > YOUNG_NETWORK_MS;
  }
}

/** Blocks of an old network may be on their way to a node that has none: its key may have signed what it would vote on. */
export class HistoryWait {
  readonly #memory: LostMemory;
  readonly #timers: Timers;
  readonly #onOver: () => void;
  #isNewNetwork = false;
  #isWaiting = false;
  #cancel: CancelTimer = () => undefined;

  constructor(memory: LostMemory, timers: Timers, onOver: () => void) {
    this.#memory = memory;
    this.#timers = timers;
    this.#onOver = onOver;
  }

  /** True while votes wait. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** True for a node that began without a memory on a network too young to have blocks. */
  get isNewNetwork(): boolean {
    return this.#isNewNetwork;
  }

  /** A node without a memory starts on a tip. A validator that is alone waits for no one; a key in a signer may be older than the folder. */
  begin({ height, timeMs, nextValidators }: ChainTip, isKeyElsewhere: boolean): void {
    if (height > 0) return;
    this.#isNewNetwork = !this.#memory.isOldNetwork(timeMs);
    if ((this.#isNewNetwork && !isKeyElsewhere) || nextValidators.length === 1) return;
    this.#isWaiting = true;
    this.#cancel = this.#timers.setTimer(HISTORY_WAIT_MS, () => {
      this.#isWaiting = false;
      this.#onOver();
    });
  }

  /** The node has seen a height that its key cannot have signed: what comes after it need not be waited for. */
  end(): void {
    this.#isWaiting = false;
    this.#cancel();
  }

  cancel(): void {
    this.#cancel();
  }
}

/** What the sign guard remembers of a key that has signed nothing above a height. */
export function nothingSignedAbove(height: Height): SignedRecord {
  return { position: { height, round: MAX_ROUND, step: "precommit" }, signBytes: new Uint8Array(), signature: new Uint8Array(64) };
}
