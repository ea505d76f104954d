// Boxes and who watches them, in typed arrays: 57 bytes a row, so that a keeper remembers two million of them. What else is known of a row has
// arrays of its own, by the row's number.
import { randomBytes } from "node:crypto";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { HashChains } from "./hash-chains.ts";

const BOX_BYTES = 32;
const SECRET_BYTES = 16;
/** Rows for which there is room at first; then twice as many each time. */
const FIRST_ROWS = 1_024;
const PROVEN = 1;

/** Rows of one owner, in the order in which they were added, those that are proven apart. */
interface Owner {
  readonly firsts: [unproven: number, proven: number];
  readonly lasts: [unproven: number, proven: number];
  readonly counts: [unproven: number, proven: number];
}

/** Rows, numbered from 1. Owners are numbers from 1 that the caller gives. */
export class WatchRows {
  /** Part of hashes that no one else knows, with room for a box behind it. */
  readonly #hashed = new Uint8Array(SECRET_BYTES + BOX_BYTES);
  readonly #owners = new Map<number, Owner>();
  #capacity = FIRST_ROWS;
  #boxes = Buffer.alloc((FIRST_ROWS + 1) * BOX_BYTES);
  #ownerOf = new Uint32Array(FIRST_ROWS + 1);
  #before = new Uint32Array(FIRST_ROWS + 1);
  #after = new Uint32Array(FIRST_ROWS + 1);
  #flags = new Uint8Array(FIRST_ROWS + 1);
  readonly #byBox = new HashChains(FIRST_ROWS);
  /** The first row that is free, and was used before; further ones are in `#after`. */
  #free = 0;
  #used = 0;
  #size = 0;

  constructor() {
    this.#hashed.set(randomBytes(SECRET_BYTES));
  }

  /** Rows that there are. */
  get size(): number {
    return this.#size;
  }

  /** The highest number of a row that there can be without more room. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Memory of all rows that there is room for, in bytes, without their owners. */
  get bytes(): number {
    const arrays = [this.#boxes, this.#ownerOf, this.#before, this.#after, this.#flags];
    return this.#byBox.bytes + arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Adds a row and gives its number. */
  add(box: X25519KeyHex, owner: number, isProven: boolean): number {
    const row = this.#take();
    const kind = isProven ? PROVEN : 0;
    this.#boxes.write(box, row * BOX_BYTES, "hex");
    this.#ownerOf[row] = owner;
    this.#flags[row] = kind;
    this.#byBox.add(row, this.#hashOf(box));
    const known = this.#owners.get(owner) ?? { firsts: [0, 0], lasts: [0, 0], counts: [0, 0] };
    this.#owners.set(owner, known);
    const last = known.lasts[kind];
    this.#before[row] = last;
    this.#after[row] = 0;
    if (last === 0) known.firsts[kind] = row;
    else this.#after[last] = row;
    known.lasts[kind] = row;
    known.counts[kind] += 1;
    this.#size += 1;
    return row;
  }

  /** Removes a row; one that there is no more stays so. */
  remove(row: number): void {
    const owner = this.#owners.get(this.#ownerOf[row] ?? 0);
    if (owner === undefined) return;
    const kind = this.isProven(row) ? PROVEN : 0;
    const [before = 0, after = 0] = [this.#before[row], this.#after[row]];
    if (before === 0) owner.firsts[kind] = after;
    else this.#after[before] = after;
    if (after === 0) owner.lasts[kind] = before;
    else this.#before[after] = before;
    owner.counts[kind] -= 1;
    if (owner.counts[0] + owner.counts[1] === 0) this.#owners.delete(this.ownerOf(row));
    this.#ownerOf[row] = 0;
    this.#byBox.remove(row);
    this.#after[row] = this.#free;
    this.#free = row;
    this.#size -= 1;
  }

  /** Numbers of the rows of a box, the latest first. */
  ofBox(box: X25519KeyHex): readonly number[] {
    return [...this.#byBox.of(this.#hashOf(box))].filter((row) => this.boxOf(row) === box);
  }

  /** The oldest rows of an owner, as many as asked for at most. */
  oldestOf(owner: number, most: number, isProven: boolean): readonly number[] {
    const rows: number[] = [];
    const first = this.#owners.get(owner)?.firsts[isProven ? PROVEN : 0] ?? 0;
    for (let row = first; row !== 0 && rows.length < most; row = this.#after[row] ?? 0) rows.push(row);
    return rows;
  }

  /** How many rows an owner has. */
  countOf(owner: number): { readonly unproven: number; readonly proven: number } {
    const [unproven, proven] = this.#owners.get(owner)?.counts ?? [0, 0];
    return { unproven, proven };
  }

  boxOf(row: number): X25519KeyHex {
    return this.#boxes.toString("hex", row * BOX_BYTES, (row + 1) * BOX_BYTES);
  }

  ownerOf(row: number): number {
    return this.#ownerOf[row] ?? 0;
  }

  isProven(row: number): boolean {
    return this.#flags[row] === PROVEN;
  }

  #take(): number {
    const free = this.#free;
    if (free !== 0) {
      this.#free = this.#after[free] ?? 0;
      return free;
    }
    if (this.#used >= this.#capacity) this.#grow();
    this.#used += 1;
    return this.#used;
  }

  #grow(): void {
    this.#capacity *= 2;
    const rows = this.#capacity + 1;
    const boxes = Buffer.alloc(rows * BOX_BYTES);
    boxes.set(this.#boxes);
    this.#boxes = boxes;
    this.#ownerOf = enlarged(this.#ownerOf, rows);
    this.#before = enlarged(this.#before, rows);
    this.#after = enlarged(this.#after, rows);
    const flags = new Uint8Array(rows);
    flags.set(this.#flags);
    this.#flags = flags;
    this.#byBox.grow(this.#capacity);
  }

  #hashOf(box: X25519KeyHex): number {
    const hashed = Buffer.from(this.#hashed.buffer);
    hashed.write(box, SECRET_BYTES, "hex");
    const [a = 0, b = 0, c = 0, d = 0] = nativeSha256(this.#hashed);
    return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  }
}

/** The same numbers, with room for more. */
export function enlarged(values: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(length);
  larger.set(values);
  return larger;
}
