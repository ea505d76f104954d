// Entries of own accounts go into the table `kept` before their blocks go, in transactions that are short: others write blocks meanwhile. A
// crash in between leaves entries that are there twice, and the next attempt continues behind them.
import { inImmediateTransaction, type SqliteDatabase } from "../../sqlite-database.ts";
import type { NamedSegment } from "../segments/segment-file.ts";
import type { KeptEntry } from "./drop-segments.ts";

/** Entries, and their bytes, that one transaction stores at most. */
export const KEPT_AT_ONCE = 256;
export const KEPT_BYTES_AT_ONCE = 1_048_576;

/** What a segment has to keep. */
export interface KeptReads {
  /** The accounts as they are now. */
  own(): readonly string[];
  entries(
    segment: NamedSegment,
    accounts: readonly string[],
    keptTo: (publicKey: string, first: number, last: number) => number,
  ): Iterable<KeptEntry>;
}

/** Called behind each transaction with the number of entries of the segment that are kept; may throw to end the work. */
export type OnKept = (segment: NamedSegment, entries: number) => void;

/** Stores entries through a connection. */
export class KeptRows {
  readonly #database: SqliteDatabase;
  readonly #reads: KeptReads;
  readonly #onKept: OnKept;
  readonly #keep;
  readonly #extend;
  readonly #keptTo;
  /** The segment of which all is kept, and of which accounts. */
  #done: { readonly first: number; readonly accounts: string } | undefined;

  constructor(database: SqliteDatabase, reads: KeptReads, onKept: OnKept = () => undefined) {
    this.#database = database;
    this.#reads = reads;
    this.#onKept = onKept;
    this.#keep = database.prepare<[string, number, number, string | null, Uint8Array]>(
      "INSERT INTO kept (pub, number, seq, id_key, entry) VALUES (unhex(?), ?, ?, unhex(?), ?) ON CONFLICT DO NOTHING",
    );
    this.#extend = database.prepare<{ readonly publicKey: string; readonly number: number }>(
      `INSERT INTO kept_ranges (pub, first, last) VALUES (unhex(@publicKey), @number, @number) ON CONFLICT DO UPDATE SET
        first = CASE WHEN last + 1 < @number THEN @number ELSE first END, last = MAX(last, @number)`,
    );
    this.#keptTo = database
      .prepare<[string, number, number], number | null>("SELECT MAX(number) FROM kept WHERE pub = unhex(?) AND number >= ? AND number <= ?")
      .pluck();
  }

  /** Stores what is to be kept of a segment. */
  keep(segment: NamedSegment): void {
    const accounts = this.#reads.own();
    let batch: KeptEntry[] = [];
    let [bytes, entries] = [0, 0];
    const flush = (): void => {
      if (batch.length === 0) return;
      inImmediateTransaction(this.#database, () => {
        for (const { publicKey, number, seq, key, entry } of batch) {
          this.#keep.run(publicKey, number, seq, key, entry);
          this.#extend.run({ publicKey, number });
        }
      });
      entries += batch.length;
      [batch, bytes] = [[], 0];
      this.#onKept(segment, entries);
    };
    // What one pass stored is stored in the order of the numbers: what follows the highest one is not.
    const keptTo = (publicKey: string, first: number, last: number): number => this.#keptTo.get(publicKey, first, last) ?? first - 1;
    for (const entry of this.#reads.entries(segment, accounts, keptTo)) {
      batch.push(entry);
      bytes += entry.entry.length;
      if (batch.length >= KEPT_AT_ONCE || bytes >= KEPT_BYTES_AT_ONCE) flush();
    }
    flush();
    this.#done = { first: segment.first, accounts: accounts.join() };
  }

  /** True while all of a segment is kept that has to be, by the accounts as they are now: to be asked in the transaction that drops it. */
  hasKept({ first }: Pick<NamedSegment, "first">): boolean {
    return this.#done?.first === first && this.#done.accounts === this.#reads.own().join();
  }
}
