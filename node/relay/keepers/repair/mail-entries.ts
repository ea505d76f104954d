// What a keeper holds of a slot's period, as repair sees it: entries by position, and sums of their hashes by ranges of positions. A sum
// modulo 2^256 of hashes cannot be met by a made-up set, as an exclusive or could.
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { concatBytes, fromHex, toHex } from "#shared/util/bytes.ts";

/** An envelope, or that its owner has deleted it. */
export interface MailEntry {
  readonly box: X25519KeyHex;
  /** Id of the envelope, hex of 16 bytes. */
  readonly id: string;
  readonly deleted: boolean;
}

/** A range of positions: those that begin with these hex digits. */
export type Range = string;

/** What a side says of a range. Fingerprints are hex of 32 bytes. */
export interface RangeDigest {
  readonly count: number;
  readonly fingerprint: string;
}

/** Hex digits of a range at most: that more entries than a list has share so many, no one can bring about. */
export const RANGE_DIGITS = 16;
/** Ranges that one is split into. */
export const SPLIT = 16;

const SUM_DIGITS = 64;
const DIGITS = "0123456789abcdef";
const MODULUS = 1n << 256n;
const DELETED = Uint8Array.of(1);

/** Where an entry lies: SHA-256(box ‖ id), hex. The same for an envelope and its deletion. */
export function positionOf({ box, id }: Pick<MailEntry, "box" | "id">): string {
  return toHex(nativeSha256(concatBytes(fromHex(box), fromHex(id))));
}

/** What an entry adds to a sum: its position; for a deletion SHA-256(box ‖ id ‖ 1). */
export function entryHash({ box, id, deleted }: MailEntry): bigint {
  const parts = deleted ? [fromHex(box), fromHex(id), DELETED] : [fromHex(box), fromHex(id)];
  return BigInt(`0x${toHex(nativeSha256(concatBytes(...parts)))}`);
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

/** Entries of one slot's period, in a tree by the digits of their positions. */
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

  /** Takes an entry; a deletion takes the place of its envelope, and no envelope that of its deletion. False when nothing changed. */
  add(entry: MailEntry): boolean {
    const position = positionOf(entry);
    const known = this.#find(position);
    if (known !== undefined && (known.deleted || !entry.deleted)) return false;
    this.#change(position, entry, entryHash(entry) - (known === undefined ? 0n : entryHash(known)));
    return true;
  }

  /** The entry of an envelope. */
  find(entry: Pick<MailEntry, "box" | "id">): MailEntry | undefined {
    return this.#find(positionOf(entry));
  }

  /** Forgets an entry, which its time is over for. False when there was none. */
  remove(entry: Pick<MailEntry, "box" | "id">): boolean {
    const position = positionOf(entry);
    const known = this.#find(position);
    if (known === undefined) return false;
    this.#change(position, undefined, -entryHash(known));
    return true;
  }

  /** Count and fingerprint of a range. */
  digest(range: Range): RangeDigest {
    const { node, rest } = this.#nodeOf(range);
    if (rest === "") return { count: node.count, fingerprint: fingerprintOf(node.sum) };
    const some = this.list(range);
    return { count: some.length, fingerprint: fingerprintOf(some.reduce((sum, entry) => mod(sum + entryHash(entry)), 0n)) };
  }

  /** All entries of a range, by position. */
  list(range: Range = ""): readonly MailEntry[] {
    const found: [string, MailEntry][] = [];
    collect(this.#nodeOf(range).node, range, found);
    return found.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  }

  #find(position: string): MailEntry | undefined {
    return this.#nodeOf(position).node.entries?.get(position);
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

  #change(position: string, entry: MailEntry | undefined, hash: bigint): void {
    let node = this.#root;
    const count = entry === undefined ? -1 : this.#find(position) === undefined ? 1 : 0;
    for (let depth = 0; ; depth += 1) {
      node.count += count;
      node.sum = mod(node.sum + hash);
      if (node.entries !== undefined) {
        if (entry === undefined) node.entries.delete(position);
        else node.entries.set(position, entry);
        if (node.entries.size > this.#listed) splitNode(node, depth);
        return;
      }
      node = childOf(node, position.charAt(depth));
    }
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
    child.sum = mod(child.sum + entryHash(entry));
  }
}

function collect(node: Node, range: Range, found: [string, MailEntry][]): void {
  for (const child of node.children?.values() ?? []) collect(child, range, found);
  for (const [position, entry] of node.entries ?? []) if (position.startsWith(range)) found.push([position, entry]);
}

function mod(sum: bigint): bigint {
  return ((sum % MODULUS) + MODULUS) % MODULUS;
}
