// Entries of one segment, before they are sorted: columns of numbers, for there may be some hundred thousand.

const FIRST_ROWS = 1_024;

/** Rows of as many numbers each as there are columns. */
export class EntryList {
  #rows: Float64Array[];
  #length = 0;

  constructor(columns: number) {
    this.#rows = Array.from({ length: columns }, () => new Float64Array(FIRST_ROWS));
  }

  get length(): number {
    return this.#length;
  }

  add(...values: readonly number[]): void {
    if (this.#length === this.#rows[0]?.length) this.#rows = this.#rows.map(doubled);
    for (const [column, value] of values.entries()) (this.#rows[column] as Float64Array)[this.#length] = value;
    this.#length += 1;
  }

  at(row: number, column: number): number {
    return this.#rows[column]?.[row] ?? 0;
  }

  /** Rows in ascending order of their columns, the first one first. */
  sorted(): Uint32Array {
    const order = Uint32Array.from({ length: this.#length }, (_, row) => row);
    return order.sort((a, b) => {
      for (const values of this.#rows) {
        const difference = (values[a] as number) - (values[b] as number);
        if (difference !== 0) return difference;
      }
      return 0;
    });
  }
}

function doubled(values: Float64Array): Float64Array {
  const larger = new Float64Array(2 * values.length);
  larger.set(values);
  return larger;
}
