// Chunks a second way: straight from the definition over all leaves, bit texts and the runtime's streaming hash.
import { createHash } from "node:crypto";
import type { NaiveEntry } from "./naive-state-root.ts";

/** An entry with its path as text of 256 bits. */
export interface NaiveLeaf extends NaiveEntry {
  readonly bits: string;
}

/** A chunk as the definition has it. */
export interface NaiveChunk {
  readonly siblings: readonly string[];
  readonly leaves: readonly NaiveLeaf[];
}

/** Entries ascending by path. */
export function naiveLeaves(entries: readonly NaiveEntry[]): readonly NaiveLeaf[] {
  const leaves = entries.map((entry) => ({ ...entry, bits: bitsOf(pathOf(entry)) }));
  return leaves.toSorted((a, b) => (a.bits < b.bits ? -1 : 1));
}

/** What stands below the bits, or where the tree ends above them. */
export function naiveChunk(entries: readonly NaiveEntry[], bits: string): NaiveChunk {
  const leaves = naiveLeaves(entries);
  const below = (prefix: string): readonly NaiveLeaf[] => leaves.filter((leaf) => leaf.bits.startsWith(prefix));
  let depth = 0;
  while (depth < bits.length && below(bits.slice(0, depth)).length > 1) depth += 1;
  const siblings: string[] = [];
  for (let level = depth; level > 0; level -= 1) {
    const other = bits.slice(0, level - 1) + (bits[level - 1] === "0" ? "1" : "0");
    siblings.push(hashOf(below(other), level).toString("hex"));
  }
  return { siblings, leaves: below(bits.slice(0, depth)) };
}

function hashOf(leaves: readonly NaiveLeaf[], depth: number): Buffer {
  const [first] = leaves;
  if (first === undefined) return Buffer.alloc(32);
  if (leaves.length === 1) return digest(Buffer.from([0]), pathOf(first), digest(first.value));
  const half = (bit: string): readonly NaiveLeaf[] => leaves.filter(({ bits }) => bits[depth] === bit);
  return digest(Buffer.from([1]), hashOf(half("0"), depth + 1), hashOf(half("1"), depth + 1));
}

function pathOf({ namespace, key }: NaiveEntry): Buffer {
  return digest(Buffer.from(namespace, "utf8"), Buffer.from([0]), key);
}

function bitsOf(path: Uint8Array): string {
  return [...path].map((byte) => byte.toString(2).padStart(8, "0")).join("");
}

function digest(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
