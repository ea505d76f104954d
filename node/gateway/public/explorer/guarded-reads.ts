// Reads of the explorer as long as its database answers: few wait at once, one that is away is left alone for a moment, and what is older than
// clients know is no answer.
import type { ExplorerState } from "#node/storage/mailbox/sharing/postgres/explorer/beside.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock } from "#shared/util/clock.ts";
import { EXPLORER_LAG_MS, EXPLORER_PAUSE_MS, EXPLORER_READS, RETRY_AFTER_S } from "../gateway-limits.ts";
import { ElsewhereError } from "./elsewhere-error.ts";

export interface GuardedReadsDependencies {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly onError: (error: unknown) => void;
}

/** What was found, with how the blocks stood then. */
export interface Stated {
  readonly state: ExplorerState | undefined;
}

/** Something of an explorer that is not empty. */
export type Held<T extends Stated> = T & { readonly state: ExplorerState };

/** Guards reads. */
export class GuardedReads {
  readonly #dependencies: GuardedReadsDependencies;
  #shown: Height = 0;
  #waiting = 0;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;
  #height = 0;

  constructor(dependencies: GuardedReadsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The newest block as a read saw it last. */
  get height(): Height {
    return this.#height;
  }

  /** The newest block that clients of this process heard of. */
  get shown(): Height {
    return this.#shown;
  }

  /** Clients know of this block: what is older is no answer to them. */
  noteShown(height: Height): void {
    this.#shown = Math.max(this.#shown, height);
  }

  /** @throws ElsewhereError where the node may have a newer block */
  assertCurrent({ height, ageMs }: ExplorerState): void {
    if (ageMs > EXPLORER_LAG_MS || height < this.#shown) throw new ElsewhereError();
  }

  /** Runs one work at the database, which may be several reads. @throws ElsewhereError; CodedError UNAVAILABLE where too many wait */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.isPaused) throw new ElsewhereError();
    if (this.#waiting >= EXPLORER_READS)
      throw new CodedError("UNAVAILABLE", "Too many reads wait for the database of this service: try again in a moment", {
        details: { retryAfterS: RETRY_AFTER_S },
      });
    this.#waiting += 1;
    try {
      return await work();
    } catch (error) {
      if (!isCodedError(error, "UNAVAILABLE")) throw error;
      this.pause(error);
      throw new ElsewhereError();
    } finally {
      this.#waiting -= 1;
    }
  }

  /** @throws ElsewhereError where the explorer is empty, or has other blocks than the node */
  held<T extends Stated>(found: T): Held<T> {
    const { state } = found;
    if (state === undefined || state.hasConflict) throw new ElsewhereError();
    this.#height = state.height;
    return { ...found, state };
  }

  get isPaused(): boolean {
    return this.#dependencies.clock.monotonicMs() < this.#pausedUntilMs;
  }

  /** A database that is away is left alone for a moment: looking for it takes longer than asking the node. */
  pause(error: unknown): void {
    const { clock, onError } = this.#dependencies;
    const nowMs = clock.monotonicMs();
    if (nowMs >= this.#pausedUntilMs) onError(error);
    this.#pausedUntilMs = nowMs + EXPLORER_PAUSE_MS;
  }
}
