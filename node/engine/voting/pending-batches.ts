// Batches of decided blocks that wait for their turn: while earlier ones are made durable, they are executed on top of those.

import type { Timers } from "#shared/util/clock.ts";
import type { BlockApplication } from "../execution/block-application.ts";
import type { DecidedBlock, FollowOutcome } from "../execution/decided-block.ts";

/** What pending batches work with. */
export interface PendingBatchesDependencies {
  readonly application: BlockApplication;
  readonly timers: Timers;
  /** True while blocks are made durable. */
  isStoring(): boolean;
  /** Execution found that this node must stop. */
  fail(error: unknown): void;
}

/** Batches in the order of their arrival. */
export class PendingBatches {
  readonly #dependencies: PendingBatchesDependencies;
  readonly #outcomes = new Map<readonly DecidedBlock[], (outcome: FollowOutcome) => void>();
  readonly #waiting = new Set<readonly DecidedBlock[]>();

  constructor(dependencies: PendingBatchesDependencies) {
    this.#dependencies = dependencies;
  }

  /** @returns what became of the batch, once that is known. */
  add(batch: readonly DecidedBlock[]): Promise<FollowOutcome> {
    const { promise, resolve } = Promise.withResolvers<FollowOutcome>();
    this.#outcomes.set(batch, resolve);
    this.#waiting.add(batch);
    this.executeSoon();
    return promise;
  }

  /** The turn of a batch has come. */
  take(batch: readonly DecidedBlock[]): void {
    this.#waiting.delete(batch);
  }

  end(batch: readonly DecidedBlock[], outcome: FollowOutcome): void {
    this.#outcomes.get(batch)?.(outcome);
    this.#outcomes.delete(batch);
  }

  endAll(outcome: FollowOutcome): void {
    for (const batch of this.#outcomes.keys()) this.end(batch, outcome);
  }

  /** Executes what waits, unless nothing is being stored then: what comes after this call has its turn first. */
  executeSoon(): void {
    const { application, timers, isStoring, fail } = this.#dependencies;
    if (this.#waiting.size === 0) return;
    timers.setTimer(0, () => {
      if (!isStoring()) return;
      try {
        for (const batch of this.#waiting) application.executeSpeculatively(batch);
      } catch (error) {
        fail(error);
      }
    });
  }
}
