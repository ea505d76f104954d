// The memory of a plain machine: bytes put together one by one.
import { I32, INSTRUCTIONS } from "#node/vm/module/opcodes.ts";
import { PlainTrap, type PlainValue } from "./plain-numbers.ts";

const PAGE_BYTES = 65_536;

/** Bytes of an access, and whether a load is signed; by the opcode. */
const ACCESSES: ReadonlyMap<number, readonly [bytes: number, isSigned: boolean]> = new Map([
  [0x28, [4, true]],
  [0x29, [8, true]],
  [0x2c, [1, true]],
  [0x2d, [1, false]],
  [0x2e, [2, true]],
  [0x2f, [2, false]],
  [0x30, [1, true]],
  [0x31, [1, false]],
  [0x32, [2, true]],
  [0x33, [2, false]],
  [0x34, [4, true]],
  [0x35, [4, false]],
  [0x36, [4, true]],
  [0x37, [8, true]],
  [0x3a, [1, true]],
  [0x3b, [2, true]],
  [0x3c, [1, true]],
  [0x3d, [2, true]],
  [0x3e, [4, true]],
]);

export class PlainMemory {
  readonly #most: number;
  bytes: Uint8Array;

  constructor({ initial, most }: { readonly initial: number; readonly most: number }) {
    this.#most = most;
    this.bytes = new Uint8Array(initial * PAGE_BYTES);
  }

  get pages(): number {
    return this.bytes.length / PAGE_BYTES;
  }

  canGrow(pages: number): boolean {
    return this.pages + pages <= this.#most;
  }

  /** Pages before, or -1. */
  grow(pages: number): number {
    const before = this.pages;
    if (!this.canGrow(pages)) return -1;
    const grown = new Uint8Array((before + pages) * PAGE_BYTES);
    grown.set(this.bytes);
    this.bytes = grown;
    return before;
  }

  load(op: number, address: number): PlainValue {
    const [length, isSigned] = ACCESSES.get(op) ?? [0, false];
    this.#check(address, length);
    let value = 0n;
    for (let index = length - 1; index >= 0; index -= 1) value = value * 256n + BigInt(this.bytes[address + index] ?? 0);
    const read = isSigned ? BigInt.asIntN(8 * length, value) : value;
    return INSTRUCTIONS[op]?.pushes === I32 ? Number(read) : read;
  }

  store(op: number, address: number, value: PlainValue): void {
    const [length] = ACCESSES.get(op) ?? [0];
    this.#check(address, length);
    let rest = BigInt.asUintN(8 * length, BigInt(value));
    for (let index = 0; index < length; index += 1, rest /= 256n) this.bytes[address + index] = Number(rest % 256n);
  }

  copy(target: number, source: number, length: number): void {
    this.#check(target, length);
    this.#check(source, length);
    this.bytes.set(this.bytes.slice(source, source + length), target);
  }

  fill(target: number, value: number, length: number): void {
    this.#check(target, length);
    for (let index = 0; index < length; index += 1) this.bytes[target + index] = value & 0xff;
  }

  /** What the host leaves. */
  write(address: number, bytes: Uint8Array): void {
    if (bytes.length > 0) this.bytes.set(bytes, address);
  }

  #check(address: number, length: number): void {
    if (address + length > this.bytes.length) throw new PlainTrap();
  }
}
