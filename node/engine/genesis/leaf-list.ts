// Changes of very many leaves of the state tree, in the order of their paths: taken in that order, each page of the tree is written about
// once, while the order of the records would touch most pages again and again. 76 bytes a leaf are in memory.
import type { StateChange } from "#node/ledger/state-view.ts";
import { type LeafChange, leafChanges } from "#node/state/state-tree.ts";

const HASH_BYTES = 32;
const LEAF_BYTES = 2 * HASH_BYTES;
/** Bytes of a path that are compared as one number. */
const NUMBER_BYTES = 6;
const FIRST_CAPACITY = 4_096;
/** The hash of a value that is deleted: no value has it. */
const DELETED = new Uint8Array(HASH_BYTES);

/** Leaves in any order. */
export class LeafList {
  #leaves: Buffer = Buffer.alloc(FIRST_CAPACITY * LEAF_BYTES);
  #count = 0;

  /** Adds what changes of records mean for the tree. Each record is added once. */
  add(changes: readonly StateChange[]): void {
    for (const { path, valueHash } of leafChanges(changes)) {
      if ((this.#count + 1) * LEAF_BYTES > this.#leaves.length) this.#leaves = Buffer.concat([this.#leaves], this.#leaves.length * 2);
      this.#leaves.set(path, this.#count * LEAF_BYTES);
      this.#leaves.set(valueHash ?? DELETED, this.#count * LEAF_BYTES + HASH_BYTES);
      this.#count += 1;
    }
  }

  /** All of them, ascending by path, in lists of at most `size`. */
  *inOrder(size: number): Generator<readonly LeafChange[]> {
    const order = this.#sorted();
    for (let start = 0; start < order.length; start += size)
      yield Array.from(order.subarray(start, start + size), (at) => this.#leafAt(at));
  }

  #sorted(): Uint32Array {
    const numbers = new Float64Array(this.#count);
    for (let at = 0; at < this.#count; at += 1) numbers[at] = this.#leaves.readUIntBE(at * LEAF_BYTES, NUMBER_BYTES);
    const order = Uint32Array.from(numbers, (_, at) => at);
    const pathOf = (at: number): Buffer => this.#leaves.subarray(at * LEAF_BYTES, at * LEAF_BYTES + HASH_BYTES);
    return order.sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || Buffer.compare(pathOf(a), pathOf(b)));
  }

  #leafAt(at: number): LeafChange {
    const start = at * LEAF_BYTES;
    const valueHash = Uint8Array.from(this.#leaves.subarray(start + HASH_BYTES, start + LEAF_BYTES));
    return {
      path: Uint8Array.from(this.#leaves.subarray(start, start + HASH_BYTES)),
      valueHash: Buffer.compare(valueHash, DELETED) === 0 ? undefined : valueHash,
    };
  }
}
