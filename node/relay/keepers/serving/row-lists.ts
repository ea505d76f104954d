// Lists of rows in typed arrays: nine bytes a row, which is in one list at most. Any row leaves its list at once.
import { enlarged } from "./watch-rows.ts";

/** Rows are numbered from 1: no row. */
const NONE = 0;

/** One list, as who owns it remembers it. */
export interface RowList {
  first: number;
  last: number;
  count: number;
}

export class RowLists {
  #before: Uint32Array;
  #after: Uint32Array;
  #isIn: Uint8Array;

  /** `rows`: the highest number of a row. */
  constructor(rows: number) {
    this.#before = new Uint32Array(rows + 1);
    this.#after = new Uint32Array(rows + 1);
    this.#isIn = new Uint8Array(rows + 1);
  }

  /** Room for rows up to this number. */
  grow(rows: number): void {
    if (rows < this.#isIn.length) return;
    this.#before = enlarged(this.#before, rows + 1);
    this.#after = enlarged(this.#after, rows + 1);
    const isIn = new Uint8Array(rows + 1);
    isIn.set(this.#isIn);
    this.#isIn = isIn;
  }

  /** Puts a row at the end, unless it is in the list. */
  add(list: RowList, row: number): void {
    if (this.#isIn[row] === 1) return;
    this.#isIn[row] = 1;
    this.#before[row] = list.last;
    this.#after[row] = NONE;
    if (list.last === NONE) list.first = row;
    else this.#after[list.last] = row;
    list.last = row;
    list.count += 1;
  }

  /** Takes a row out of its list; one that is in none stays so. */
  remove(list: RowList, row: number): void {
    if (this.#isIn[row] !== 1) return;
    this.#isIn[row] = 0;
    const [before = NONE, after = NONE] = [this.#before[row], this.#after[row]];
    if (before === NONE) list.first = after;
    else this.#after[before] = after;
    if (after === NONE) list.last = before;
    else this.#before[after] = before;
    list.count -= 1;
  }

  /** Takes the first rows out of a list, as many as asked for at most. */
  take(list: RowList, most: number): readonly number[] {
    const rows: number[] = [];
    while (list.first !== NONE && rows.length < most) {
      rows.push(list.first);
      this.remove(list, list.first);
    }
    return rows;
  }
}
