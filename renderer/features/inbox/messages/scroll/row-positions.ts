// Where the rows of a chat lie below each other, and which of them are in view. Pure.

/** Rows from `first` to before `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** What the place of a row is made of. */
export interface RowSizes {
  readonly keys: readonly string[];
  /** Pixels of the rows that were measured. */
  readonly measured: ReadonlyMap<string, number>;
  /** Pixels of a row that was not. */
  readonly estimate: (index: number) => number;
}

/** Positions of rows, in pixels from the top of the first. */
export class RowPositions {
  readonly keys: readonly string[];
  /** One more than there are rows: the last is where they end. */
  readonly #starts: Float64Array;
  readonly #indexes: ReadonlyMap<string, number>;
  /** Where the first row begins: 0, unless all rows are moved to keep one of them where it is. */
  readonly shift: number;

  private constructor(keys: readonly string[], starts: Float64Array, indexes: ReadonlyMap<string, number>, shift: number) {
    this.keys = keys;
    this.#starts = starts;
    this.#indexes = indexes;
    this.shift = shift;
  }

  /** @param indexes of the same keys, where they are known */
  static of({ keys, measured, estimate }: RowSizes, indexes?: ReadonlyMap<string, number>): RowPositions {
    const starts = new Float64Array(keys.length + 1);
    let start = 0;
    keys.forEach((key, index) => {
      start += measured.get(key) ?? estimate(index);
      starts[index + 1] = start;
    });
    return new RowPositions(keys, starts, indexes ?? new Map(keys.map((key, index) => [key, index])), 0);
  }

  /** The same rows with other sizes, from 0. */
  resized({ measured, estimate }: Omit<RowSizes, "keys">): RowPositions {
    return RowPositions.of({ keys: this.keys, measured, estimate }, this.#indexes);
  }

  /** The same rows, the first of which begins somewhere else. */
  shifted(shift: number): RowPositions {
    return shift === this.shift ? this : new RowPositions(this.keys, this.#starts, this.#indexes, shift);
  }

  get total(): number {
    return this.startOf(this.keys.length);
  }

  startOf(index: number): number {
    return (this.#starts[index] ?? 0) + this.shift;
  }

  /** Undefined for a row that is not there. */
  indexOf(key: string): number | undefined {
    return this.#indexes.get(key);
  }

  /** The row at a distance from the top; the first or the last beyond them. */
  rowAt(distance: number): number {
    let [low, high] = [0, Math.max(this.keys.length - 1, 0)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= distance) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The rows of which something lies between two distances from the top. */
  between(top: number, bottom: number): RowRange {
    if (this.keys.length === 0) return { first: 0, end: 0 };
    return { first: this.rowAt(top), end: this.rowAt(bottom) + 1 };
  }
}
