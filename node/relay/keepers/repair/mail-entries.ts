// What a keeper holds of a slot, as repair sees it: entries by position, and sums of their hashes by ranges of positions. A sum
// modulo 2^256 of hashes cannot be met by a made-up set, as an exclusive or could.
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { KeptPlace, MailDigest } from "#shared/protocol/mail/mail-messages.ts";
import { concatBytes, fromHex, toHex } from "#shared/util/bytes.ts";

/** An envelope that waits. No fingerprint covers when it arrived: keepers get it at different times. */
export type MailEntry = KeptPlace;

/** A range of positions: those that begin with these hex digits. */
export type Range = string;

/** Hex digits of a range at most: that more entries than a list has share so many, no one can bring about. */
export const RANGE_DIGITS: number = NETWORK_LIMITS.mailItems.rangeDigits;
/** Ranges that one is split into. */
export const SPLIT = 16;

const SUM_DIGITS = 64;
const DIGITS = "0123456789abcdef";
const MODULUS = 1n << 256n;

/** Where an entry lies: SHA-256(box ‖ id), hex. */
export function positionOf({ box, id }: Pick<MailEntry, "box" | "id">): string {
  return toHex(nativeSha256(concatBytes(fromHex(box), fromHex(id))));
}

/** What an entry at a position adds to a sum. */
export function hashAt(position: string): bigint {
  return BigInt(`0x${position}`);
}

/** Fingerprint of a sum: SHA-256 over its 32 bytes, most significant first. */
export function fingerprintOf(sum: bigint): string {
  return toHex(nativeSha256(fromHex(sum.toString(16).padStart(SUM_DIGITS, "0"))));
}

/** The ranges that a range is split into, in order. */
export function splitRange(range: Range): readonly Range[] {
  return [...DIGITS].map((digit) => range + digit);
}

interface Node {
  count: number;
  sum: bigint;
  /** By the next digit, once there are more entries than one list has. */
  children: Map<string, Node> | undefined;
  /** Entries by position, as long as there are no children. */
  entries: Map<string, MailEntry> | undefined;
}

/** Entries of one slot, in a tree by the digits of their positions. */
export class MailEntries {
  readonly #listed: number;
  readonly #root = emptyNode();

  /** @param listed Entries of a range that is listed rather than split. */
  constructor(listed: number) {
    this.#listed = listed;
  }

  get size(): number {
    return this.#root.count;
  }

  /** Takes an entry. False when it was there. */
  add(entry: MailEntry): boolean {
    const position = positionOf(entry);
    if (this.#nodeOf(position).node.entries?.has(position) === true) return false;
    const hash = hashAt(position);
    let node = this.#root;
    for (let depth = 0; ; depth += 1) {
      node.count += 1;
      node.sum = (node.sum + hash) % MODULUS;
      if (node.entries !== undefined) {
        node.entries.set(position, entry);
        if (node.entries.size > this.#listed) splitNode(node, depth);
        return true;
      }
      node = childOf(node, position.charAt(depth));
    }
  }

  /** The entry of an envelope. */
  find(entry: Pick<MailEntry, "box" | "id">): MailEntry | undefined {
    const position = positionOf(entry);
    return this.#nodeOf(position).node.entries?.get(position);
  }

  /** Count and fingerprint of a range. */
  digest(range: Range): MailDigest {
    const { node, rest } = this.#nodeOf(range);
    if (rest === "") return { count: node.count, fingerprint: fingerprintOf(node.sum) };
    const some = this.list(range);
    return { count: some.length, fingerprint: fingerprintOf(some.reduce((sum, entry) => (sum + hashAt(positionOf(entry))) % MODULUS, 0n)) };
  }

  /** All entries of a range, by position. */
  list(range: Range = ""): readonly MailEntry[] {
    const found: [string, MailEntry][] = [];
    collect(this.#nodeOf(range).node, range, found);
    return found.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  }

  /** The node of a range, or the nearest one above it and what is left of the range's digits. */
  #nodeOf(range: Range): { readonly node: Node; readonly rest: string } {
    let node = this.#root;
    for (let depth = 0; depth < range.length; depth += 1) {
      if (node.children === undefined) return { node, rest: range.slice(depth) };
      const child = node.children.get(range.charAt(depth));
      if (child === undefined) return { node: emptyNode(), rest: "" };
      node = child;
    }
    return { node, rest: "" };
  }
}

function emptyNode(): Node {
  return { count: 0, sum: 0n, children: undefined, entries: new Map() };
}

function childOf(node: Node, digit: string): Node {
  node.children ??= new Map();
  const known = node.children.get(digit);
  if (known !== undefined) return known;
  const child = emptyNode();
  node.children.set(digit, child);
  return child;
}

function splitNode(node: Node, depth: number): void {
  const { entries = new Map<string, MailEntry>() } = node;
  node.entries = undefined;
  for (const [position, entry] of entries) {
    const child = childOf(node, position.charAt(depth));
    child.entries?.set(position, entry);
    child.count += 1;
    child.sum = (child.sum + hashAt(position)) % MODULUS;
  }
}

function collect(node: Node, range: Range, found: [string, MailEntry][]): void {
  for (const child of node.children?.values() ?? []) collect(child, range, found);
  for (const [position, entry] of node.entries ?? []) if (position.startsWith(range)) found.push([position, entry]);
}
