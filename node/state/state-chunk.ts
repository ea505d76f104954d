// A chunk of the state: every leaf below a place of the tree, with the siblings that lead from there to the root. Whoever holds the root
// can tell that nothing was left out, added or changed. Pure.
import type { Namespace } from "#node/ledger/state-view.ts";
import { pathBit, STATE_TREE_DEPTH, type StateLeaf, stateInnerHash, statePath } from "#shared/protocol/chain/state-proof.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { nativeSha256 } from "./native-sha256.ts";
import { joinSlots, leafSlot, type Slot, slotHash } from "./page.ts";
import { type PageStore, siblingsOf } from "./state-tree.ts";
import { isWithin, type PathRange, pathsOf, shareBefore, type TreePlace } from "./tree-place.ts";

/** A record of the state. */
export interface ChunkRecord {
  readonly namespace: Namespace;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** What stands below a place, or below the place above it where the tree ends. */
export interface StateChunk {
  /** Hashes beside the way up, the lowest first: one a level. */
  readonly siblings: readonly Uint8Array[];
  /** Ascending by path. */
  readonly records: readonly ChunkRecord[];
}

/** A place that holds more than a chunk does; `levels` below it the parts are likely to fit. */
export interface SplitPlace {
  readonly levels: number;
}

/** A state by paths that does not change while it is read. */
export interface LeafSource extends PageStore {
  /** Records from a path to another one, both included, ascending by path. */
  leaves(range: PathRange): Iterable<ChunkRecord & { readonly path: Uint8Array }>;
}

/** A record with the leaf that stands for it. */
export interface ChunkLeaf extends ChunkRecord, StateLeaf {}

/** Most bytes of records of a chunk, as {@link recordBytes} counts them; a single record may have more. */
export const CHUNK_BYTES = 262_144;
/** Most levels that a split goes down at once. */
export const MOST_LEVELS = 12;

/** What a record takes beside its key and its value, at most: lengths, and its namespace. */
const RECORD_OVERHEAD = 12;
/** Parts are made smaller than what fits, since no two of them hold equally much. */
const PART_SHARE = 0.8;

/** Bytes that a record counts. */
export function recordBytes({ key, value }: ChunkRecord): number {
  return key.length + value.length + RECORD_OVERHEAD;
}

/** The chunk of a place, or how it is split. */
export function readChunk(source: LeafSource, place: TreePlace): StateChunk | SplitPlace {
  const records: ChunkRecord[] = [];
  let bytes = 0;
  for (const { path, namespace, key, value } of source.leaves(pathsOf(place))) {
    const record = { namespace, key, value };
    bytes += recordBytes(record);
    records.push(record);
    if (bytes > CHUNK_BYTES && records.length > 1) return { levels: levelsFor(shareBefore(path, place)) };
  }
  const siblings = siblingsOf(source, pathsOf(place).first, place.depth);
  if (records.length > 0 || siblings.length === place.depth) return { siblings, records };
  // The tree ends above the place, perhaps with the leaf of another path: without it the siblings would prove nothing.
  const above = pathsOf(ancestorOf(place, siblings.length));
  for (const { namespace, key, value } of source.leaves(above)) {
    records.push({ namespace, key, value });
    // Two stand there only where pages are damaged, which may be all there are.
    if (records.length > 1) break;
  }
  return { siblings, records };
}

/**
 * The leaves of a place, ascending by path, once a chunk is proven to hold exactly these; else why it is not. Where the tree ends above the
 * place there is at most one leaf, which may be one of another place: then this one is empty.
 */
export function provenLeaves(root: Uint8Array, place: TreePlace, { siblings, records }: StateChunk): readonly ChunkLeaf[] | string {
  const depth = siblings.length;
  if (depth > place.depth) return "it has more siblings than the place has levels";
  if (depth < place.depth && records.length > 1) return "several leaves stand where the tree ends";
  const leaves = records.map(leafOf);
  for (const [index, { path }] of leaves.entries()) {
    if (!isWithin(path, place, depth)) return "a leaf belongs to another place";
    const previous = leaves[index - 1];
    if (previous !== undefined && Buffer.compare(previous.path, path) >= 0) return "its leaves are not in order";
  }
  const subtree = subtreeOf({ leaves, from: 0, to: leaves.length }, depth);
  if (!equalBytes(foldUp(slotHash(subtree), pathsOf(place).first, siblings), root)) return "it does not lead to the state root";
  return leaves.filter(({ path }) => isWithin(path, place));
}

interface LeafRun {
  readonly leaves: readonly ChunkLeaf[];
  readonly from: number;
  readonly to: number;
}

/** The subtree of leaves that are in order and alike in their first `depth` bits. */
function subtreeOf({ leaves, from, to }: LeafRun, depth: number): Slot {
  const first = leaves[from];
  if (first === undefined || from === to) return undefined;
  if (to - from === 1) return leafSlot(first.path, first.valueHash);
  if (depth === STATE_TREE_DEPTH) throw new RangeError("Two leaves have one path");
  const middle = firstRight({ leaves, from, to }, depth);
  return joinSlots(subtreeOf({ leaves, from, to: middle }, depth + 1), subtreeOf({ leaves, from: middle, to }, depth + 1));
}

/** Index of the first leaf that goes right at a depth. */
function firstRight({ leaves, from, to }: LeafRun, depth: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    const leaf = leaves[middle];
    if (leaf !== undefined && pathBit(leaf.path, depth) === 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function foldUp(hash: Uint8Array, path: Uint8Array, siblings: readonly Uint8Array[]): Uint8Array {
  let node = hash;
  for (const [level, sibling] of siblings.entries()) {
    const isLeft = pathBit(path, siblings.length - 1 - level) === 0;
    node = isLeft ? stateInnerHash(node, sibling, nativeSha256) : stateInnerHash(sibling, node, nativeSha256);
  }
  return node;
}

function leafOf(record: ChunkRecord): ChunkLeaf {
  const { namespace, key, value } = record;
  return { ...record, path: statePath(namespace, key, nativeSha256), valueHash: nativeSha256(value) };
}

function ancestorOf({ prefix }: TreePlace, depth: number): TreePlace {
  const above = prefix.slice(0, Math.ceil(depth / 8));
  const spare = above.length * 8 - depth;
  if (spare > 0) above[above.length - 1] = (above.at(-1) ?? 0) & (0xff << spare);
  return { depth, prefix: above };
}

/** Levels below a place at which a part fits, when so much of it filled a chunk. */
function levelsFor(share: number): number {
  const levels = Math.ceil(Math.log2(1 / Math.max(share * PART_SHARE, Number.MIN_VALUE)));
  return Math.min(MOST_LEVELS, Math.max(1, levels));
}
