// A second, independent way to the state root: straight from the definition over all leaves, with the runtime's streaming hash.
import { createHash } from "node:crypto";

/** An entry of the state as the definition sees it. */
export interface NaiveEntry {
  readonly namespace: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

function digest(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function rootOf(leaves: readonly { readonly bits: string; readonly hash: Buffer }[], depth: number): Buffer {
  const [first] = leaves;
  if (first === undefined) return Buffer.alloc(32);
  if (leaves.length === 1) return first.hash;
  const zeros = leaves.filter((leaf) => leaf.bits[depth] === "0");
  const ones = leaves.filter((leaf) => leaf.bits[depth] === "1");
  return digest(Buffer.from([1]), rootOf(zeros, depth + 1), rootOf(ones, depth + 1));
}

/** Hex root of the entries. */
export function naiveStateRoot(entries: readonly NaiveEntry[]): string {
  const leaves = entries.map(({ namespace, key, value }) => {
    const path = digest(Buffer.from(namespace, "utf8"), Buffer.from([0]), key);
    const bits = [...path].map((byte) => byte.toString(2).padStart(8, "0")).join("");
    return { bits, hash: digest(Buffer.from([0]), path, digest(value)) };
  });
  return rootOf(leaves, 0).toString("hex");
}
