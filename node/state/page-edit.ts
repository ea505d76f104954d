// Changes one page of the state tree in its bytes. Slots that stay are copied, and of the hashes above the slots only those are made again
// that have a changed slot below them: the others are remembered with the page.
import { assertInvariant } from "#shared/util/assert.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { sha256Into } from "./native-sha256.ts";
import { LEAF_BYTES, NODE_BYTES, PAGE_HEAD_BYTES, PAGE_SLOTS, type Slot } from "./page.ts";

/** Hashes above the slots: place 1 is the page's own, those below a place are at twice it and one more. */
const JOIN_BYTES = (PAGE_SLOTS - 1) * NODE_BYTES;
/** Slots in use from which on the hashes above are remembered: with fewer nearly all of them lie above any one slot. */
const LEAST_JOINED_SLOTS = 4;
/** Offset of the hash in a leaf, behind its path and the hash of its value. */
const LEAF_HASH = LEAF_BYTES - NODE_BYTES;
const ALL_SLOTS = 0xffff;

const EMPTY = new Uint8Array(NODE_BYTES);
/** Slots below each place, as a bitmap. */
const BELOW = Array.from({ length: 2 * PAGE_SLOTS }, (_, place) => slotsBelow(place));

/** Hashes above the slots of pages that were made here. */
const rememberedJoins = new WeakMap<Uint8Array, Uint8Array>();
/** The same of the page at hand, where they are not remembered. */
const scratchJoins = new Uint8Array(JOIN_BYTES);
/** What is hashed for a place: the byte of an inner node, then the hashes of both halves. */
const pair = new Uint8Array(1 + 2 * NODE_BYTES).fill(1, 0, 1);

/** Outcome of {@link PageEdit.finish}. */
export interface EditedPage {
  /** The subtree of all slots. */
  readonly subtree: Slot;
  /** Encoding of the slots: the page before itself where nothing changed. */
  readonly bytes: Uint8Array;
}

/** Bytes that a page takes in memory, with what is remembered of it. */
export function pageMemoryBytes(page: Uint8Array): number {
  return page.length + (rememberedJoins.has(page) ? JOIN_BYTES : 0);
}

/** The slots of one page while some are replaced. */
export class PageEdit {
  readonly #before: Uint8Array | undefined;
  readonly #leavesBefore: number;
  readonly #nodesBefore: number;
  #leaves: number;
  #nodes: number;
  /** Bitmap of the slots that differ from those before. */
  #changed = 0;
  readonly #replaced: Slot[] = [];

  /** @throws CodedError INVARIANT when the page is damaged in its shape. */
  constructor(before: Uint8Array | undefined) {
    this.#before = before;
    assertInvariant(before === undefined || before.length >= PAGE_HEAD_BYTES, "A page of the state tree is shorter than its header");
    this.#leavesBefore = before === undefined ? 0 : bitmapAt(before, 0);
    this.#nodesBefore = before === undefined ? 0 : bitmapAt(before, 2);
    this.#leaves = this.#leavesBefore;
    this.#nodes = this.#nodesBefore;
    const isWhole = before === undefined || before.length === offsetOf(PAGE_SLOTS, this.#leaves, this.#nodes);
    assertInvariant(isWhole && (this.#leaves & this.#nodes) === 0, "A page of the state tree is damaged");
  }

  /** A slot as it was before. */
  slot(index: number): Slot {
    return this.#before === undefined ? undefined : slotAt(this.#before, index);
  }

  /** Replaces a slot, once. */
  replace(index: number, before: Slot, slot: Slot): void {
    if (before?.kind === slot?.kind && (before === undefined || slot === undefined || equalBytes(before.hash, slot.hash))) return;
    const bit = 1 << index;
    this.#changed |= bit;
    this.#leaves = slot?.kind === "leaf" ? this.#leaves | bit : this.#leaves & ~bit;
    this.#nodes = slot?.kind === "node" ? this.#nodes | bit : this.#nodes & ~bit;
    this.#replaced[index] = slot;
  }

  /** Encodes the slots and hashes what is above them. */
  finish(): EditedPage {
    const before = this.#before;
    const known = before === undefined ? undefined : rememberedJoins.get(before);
    if (before !== undefined && this.#changed === 0)
      return { bytes: before, subtree: subtreeOf(before, known ?? hashJoins(before, scratchJoins, ALL_SLOTS)) };
    const isRemembered = bitCount(this.#leaves | this.#nodes) >= LEAST_JOINED_SLOTS;
    const length = offsetOf(PAGE_SLOTS, this.#leaves, this.#nodes);
    // One piece of memory: to get one takes longer than to fill it.
    const memory = new ArrayBuffer(isRemembered ? length + JOIN_BYTES : length);
    const bytes = new Uint8Array(memory, 0, length);
    this.#encodeInto(bytes);
    if (!isRemembered) return { bytes, subtree: subtreeOf(bytes, hashJoins(bytes, scratchJoins, ALL_SLOTS)) };
    const joins = new Uint8Array(memory, length);
    if (known !== undefined) joins.set(known);
    hashJoins(bytes, joins, known === undefined ? ALL_SLOTS : this.#changed);
    rememberedJoins.set(bytes, joins);
    return { bytes, subtree: subtreeOf(bytes, joins) };
  }

  #encodeInto(bytes: Uint8Array): void {
    const before = this.#before;
    const hasSameShape = before !== undefined && this.#leaves === this.#leavesBefore && this.#nodes === this.#nodesBefore;
    if (hasSameShape) bytes.set(before);
    bytes[0] = this.#leaves >> 8;
    bytes[1] = this.#leaves & 0xff;
    bytes[2] = this.#nodes >> 8;
    bytes[3] = this.#nodes & 0xff;
    let at = PAGE_HEAD_BYTES;
    for (let index = 0; index < PAGE_SLOTS; index += 1) {
      const length = ((this.#leaves >> index) & 1) * LEAF_BYTES + ((this.#nodes >> index) & 1) * NODE_BYTES;
      if (((this.#changed >> index) & 1) === 1) writeSlot(bytes, at, this.#replaced[index]);
      else if (!hasSameShape && length > 0 && before !== undefined) {
        const from = offsetOf(index, this.#leavesBefore, this.#nodesBefore);
        bytes.set(before.subarray(from, from + length), at);
      }
      at += length;
    }
  }
}

function writeSlot(bytes: Uint8Array, at: number, slot: Slot): void {
  if (slot === undefined) return;
  if (slot.kind === "leaf") {
    bytes.set(slot.path, at);
    bytes.set(slot.valueHash, at + 32);
  }
  bytes.set(slot.hash, slot.kind === "leaf" ? at + LEAF_HASH : at);
}

/** Hashes the places above changed slots into the joins: of those that hold two leaves or more. */
function hashJoins(page: Uint8Array, joins: Uint8Array, changed: number): Uint8Array {
  const [leaves, nodes] = [bitmapAt(page, 0), bitmapAt(page, 2)];
  for (let place = PAGE_SLOTS - 1; place > 0; place -= 1) {
    const below = belowOf(place);
    if ((below & changed) === 0 || !isNode(leaves & below, nodes & below)) continue;
    putHash(page, joins, 2 * place, 1);
    putHash(page, joins, 2 * place + 1, 1 + NODE_BYTES);
    sha256Into(pair, joins, (place - 1) * NODE_BYTES);
  }
  return joins;
}

/** Copies the hash of a place into the pair that is hashed next. */
function putHash(page: Uint8Array, joins: Uint8Array, place: number, at: number): void {
  const below = belowOf(place);
  const [leaves, nodes] = [bitmapAt(page, 0), bitmapAt(page, 2)];
  const used = (leaves | nodes) & below;
  if (used === 0) copyHash(EMPTY, 0, at);
  else if (place < PAGE_SLOTS && isNode(leaves & below, nodes & below)) copyHash(joins, (place - 1) * NODE_BYTES, at);
  else {
    const slot = 31 - Math.clz32(used);
    copyHash(page, offsetOf(slot, leaves, nodes) + (((leaves >> slot) & 1) === 1 ? LEAF_HASH : 0), at);
  }
}

/** Byte by byte: a view on the bytes takes longer to make than so few take to copy. */
function copyHash(from: Uint8Array, fromAt: number, at: number): void {
  for (let i = 0; i < NODE_BYTES; i += 1) pair[at + i] = from[fromAt + i] as number;
}

function subtreeOf(page: Uint8Array, joins: Uint8Array): Slot {
  const [leaves, nodes] = [bitmapAt(page, 0), bitmapAt(page, 2)];
  if (isNode(leaves, nodes))
    return { kind: "node", hash: joins === scratchJoins ? joins.slice(0, NODE_BYTES) : joins.subarray(0, NODE_BYTES) };
  return leaves === 0 ? undefined : slotAt(page, 31 - Math.clz32(leaves));
}

/** A slot of a page. */
function slotAt(page: Uint8Array, index: number): Slot {
  const [leaves, nodes] = [bitmapAt(page, 0), bitmapAt(page, 2)];
  const at = offsetOf(index, leaves, nodes);
  if (((nodes >> index) & 1) === 1) return { kind: "node", hash: page.subarray(at, at + NODE_BYTES) };
  if (((leaves >> index) & 1) === 0) return undefined;
  const [path, valueHash] = [page.subarray(at, at + NODE_BYTES), page.subarray(at + NODE_BYTES, at + LEAF_HASH)];
  return { kind: "leaf", path, valueHash, hash: page.subarray(at + LEAF_HASH, at + LEAF_BYTES) };
}

/** True when slots in use hold anything but a single leaf. */
function isNode(leaves: number, nodes: number): boolean {
  return nodes !== 0 || (leaves & (leaves - 1)) !== 0;
}

function bitmapAt(page: Uint8Array, at: number): number {
  return ((page[at] as number) << 8) | (page[at + 1] as number);
}

/** Where a slot begins; after the last one the length of the page. */
function offsetOf(index: number, leaves: number, nodes: number): number {
  const before = (1 << index) - 1;
  return PAGE_HEAD_BYTES + LEAF_BYTES * bitCount(leaves & before) + NODE_BYTES * bitCount(nodes & before);
}

function bitCount(bitmap: number): number {
  const pairs = bitmap - ((bitmap >> 1) & 0x5555);
  const fours = (pairs & 0x3333) + ((pairs >> 2) & 0x3333);
  return ((((fours + (fours >> 4)) & 0x0f0f) * 0x0101) >> 8) & 0x1f;
}

function belowOf(place: number): number {
  return BELOW[place] as number;
}

function slotsBelow(place: number): number {
  if (place === 0) return 0;
  const level = 31 - Math.clz32(place);
  const size = PAGE_SLOTS >> level;
  return ((1 << size) - 1) << ((place - (1 << level)) * size);
}
