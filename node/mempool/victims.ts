// What goes from a full pool to make room, with what it occupies.
import type { PendingTransaction } from "./pending-transaction.ts";

/** Each entry once. */
export class Victims {
  readonly #entries = new Set<PendingTransaction>();
  #bytes = 0;
  #largeBytes = 0;

  get entries(): ReadonlySet<PendingTransaction> {
    return this.#entries;
  }

  /** Sum of their encoded sizes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Sum of what they count as large transactions. */
  get largeBytes(): number {
    return this.#largeBytes;
  }

  add(entry: PendingTransaction): void {
    if (this.#entries.has(entry)) return;
    this.#entries.add(entry);
    this.#bytes += entry.sizeBytes;
    this.#largeBytes += entry.largeBytes;
  }
}
