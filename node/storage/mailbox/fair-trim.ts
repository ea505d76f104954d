// Rows of a table of mailbox.db that parties share: where there are too many, each keeps its newest ones, as many as all get, and those who
// have less keep what they have.
import type { SqliteDatabase } from "../sqlite-database.ts";

/** A table with the columns `seq`, `party` and the one that is counted. */
export interface SharedTable {
  readonly name: "deleted_envelopes" | "signed_deletions";
  /** What a row weighs: SQL over its columns. */
  readonly weight: string;
  /** What all rows weigh at most. */
  readonly most: number;
  /** Rows that come between two looks, as a look goes through all. */
  readonly unlooked: number;
}

/** Trims one table, inside the transaction that adds to it. */
export class FairTrim {
  readonly #table: SharedTable;
  readonly #weights;
  readonly #trim;
  /** The first row makes it look: nothing is known of what is there. */
  #left = 0;

  constructor(database: SqliteDatabase, table: SharedTable) {
    const { name, weight } = table;
    this.#table = table;
    this.#weights = database.prepare<[], { readonly party: string; readonly weight: number }>(
      `SELECT party, sum(${weight}) AS weight FROM ${name} GROUP BY party`,
    );
    this.#trim = database.prepare<[string, number]>(
      `DELETE FROM ${name} WHERE seq IN (SELECT seq FROM
        (SELECT seq, sum(${weight}) OVER (ORDER BY seq DESC) AS newer FROM ${name} WHERE party = ?) WHERE newer > ?)`,
    );
  }

  /** A row has come. */
  note(): void {
    this.#left -= 1;
    if (this.#left > 0) return;
    this.#left = this.#table.unlooked;
    const parties = this.#weights.all();
    const share = fairShare(
      parties.map(({ weight }) => weight),
      this.#table.most,
    );
    for (const { party, weight } of parties) if (weight > share) this.#trim.run(party, share);
  }
}

/** The most that each may have, so that all together have no more than `most`. */
export function fairShare(weights: readonly number[], most: number): number {
  let left = most;
  let others = weights.length;
  for (const weight of weights.toSorted((a, b) => a - b)) {
    if (weight * others > left) return Math.floor(left / others);
    left -= weight;
    others -= 1;
  }
  return Number.POSITIVE_INFINITY;
}
