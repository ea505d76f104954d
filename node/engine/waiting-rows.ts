// Rows of decided blocks that wait until earlier ones are durable: meanwhile they are executed on top of those.
import type { BlockApplication } from "./block-application.ts";
import type { DecidedBlock } from "./decided-block.ts";
import type { Timers } from "./timers.ts";

/** What waiting rows work with. */
export interface WaitingRowsParts {
  readonly application: BlockApplication;
  readonly timers: Timers;
  /** True while blocks are made durable. */
  isStoring(): boolean;
  /** Execution found that this node cannot go on. */
  fail(error: unknown): void;
}

/** Rows in the order of their arrival. */
export class WaitingRows {
  readonly #parts: WaitingRowsParts;
  readonly #rows = new Set<readonly DecidedBlock[]>();
  /** Those of which something may be executed already. */
  readonly #begun = new WeakSet<readonly DecidedBlock[]>();

  constructor(parts: WaitingRowsParts) {
    this.#parts = parts;
  }

  add(row: readonly DecidedBlock[]): void {
    this.#rows.add(row);
    this.executeSoon();
  }

  /** Its turn has come. @returns whether something of it may be executed already. */
  take(row: readonly DecidedBlock[]): boolean {
    this.#rows.delete(row);
    return this.#begun.has(row);
  }

  /** Executes what waits, unless nothing is being stored then: what comes after this call has its turn first. */
  executeSoon(): void {
    const { application, timers } = this.#parts;
    if (this.#rows.size === 0 || application.executeAhead === undefined) return;
    timers.setTimer(0, () => {
      if (!this.#parts.isStoring()) return;
      try {
        for (const row of this.#rows) {
          this.#begun.add(row);
          application.executeAhead?.(row);
        }
      } catch (error) {
        this.#parts.fail(error);
      }
    });
  }
}
