// Rows by the hash of what they are looked up by, in typed arrays: eight bytes a row, and no object for it.

/** No row: rows are numbered from 1. */
const NONE = 0;

/** Chains of rows. Hashes are those of a secret of this run: who chooses what is looked up cannot have all of it in one chain. */
export class HashChains {
  #heads: Uint32Array;
  #next: Uint32Array;
  #hashes: Uint32Array;

  /** `rows`: a power of two. */
  constructor(rows: number) {
    this.#heads = new Uint32Array(rows);
    this.#next = new Uint32Array(rows + 1);
    this.#hashes = new Uint32Array(rows + 1);
  }

  /** Memory, in bytes. */
  get bytes(): number {
    return this.#heads.byteLength + this.#next.byteLength + this.#hashes.byteLength;
  }

  /** Room for rows up to this number, a power of two. */
  grow(rows: number): void {
    const [next, hashes] = [new Uint32Array(rows + 1), new Uint32Array(rows + 1)];
    hashes.set(this.#hashes);
    const heads = new Uint32Array(rows);
    for (const first of this.#heads)
      for (let row = first; row !== NONE; row = this.#next[row] ?? NONE) {
        const at = (hashes[row] ?? 0) & (rows - 1);
        next[row] = heads[at] ?? NONE;
        heads[at] = row;
      }
    [this.#heads, this.#next, this.#hashes] = [heads, next, hashes];
  }

  /** Adds a row that is in no chain; `hash` has 32 bits. */
  add(row: number, hash: number): void {
    const at = (hash >>> 0) & (this.#heads.length - 1);
    this.#hashes[row] = hash >>> 0;
    this.#next[row] = this.#heads[at] ?? NONE;
    this.#heads[at] = row;
  }

  remove(row: number): void {
    const at = (this.#hashes[row] ?? 0) & (this.#heads.length - 1);
    let before = NONE;
    for (let each = this.#heads[at] ?? NONE; each !== NONE; each = this.#next[each] ?? NONE) {
      if (each === row) {
        if (before === NONE) this.#heads[at] = this.#next[row] ?? NONE;
        else this.#next[before] = this.#next[row] ?? NONE;
        return;
      }
      before = each;
    }
  }

  /** Rows of a hash, the latest first. Nothing is added or removed meanwhile. */
  *of(hash: number): Generator<number> {
    const whole = hash >>> 0;
    for (let row = this.#heads[whole & (this.#heads.length - 1)] ?? NONE; row !== NONE; row = this.#next[row] ?? NONE)
      if (this.#hashes[row] === whole) yield row;
  }
}
