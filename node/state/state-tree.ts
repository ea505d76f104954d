// The authenticated state: a compact binary sparse Merkle tree in pages of 16 slots. Pure: pages come from a PageStore, changed ones
// are returned, nothing is written. The root depends on the contents alone, never on the order of changes.

import type { StateChange } from "#node/ledger/state-view.ts";
import { STATE_TREE_DEPTH, type StateProof, statePath } from "#shared/protocol/chain/state-proof.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { compareBytes, equalBytes } from "#shared/util/bytes.ts";
import { nativeSha256 } from "./native-sha256.ts";
import { decodePage, emptyPage, joinRange, leafSlot, PAGE_SLOTS, type Slot, slotHash } from "./page.ts";
import { PageEdit } from "./page-edit.ts";

/** Where pages are read. A page's prefix is the hex of the path's first nibbles, "" for the root page. */
export interface PageStore {
  getPage(prefix: string): Uint8Array | undefined;
}

/** One change of a leaf: `valueHash` undefined deletes it. */
export interface LeafChange {
  readonly path: Uint8Array;
  readonly valueHash: Uint8Array | undefined;
}

/** One changed page, with what it was before; `after` undefined deletes it. */
export interface PageChange {
  readonly prefix: string;
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

/** Outcome of {@link updateStateTree}. */
export interface TreeUpdate {
  readonly root: Uint8Array;
  readonly pages: readonly PageChange[];
}

const NIBBLES = "0123456789abcdef";

/** Root hash of the tree in a store; zeros when it is empty. */
export function stateRoot(store: PageStore): Uint8Array {
  const page = store.getPage("");
  return slotHash(page === undefined ? undefined : joinRange(decodePage(page), 0, PAGE_SLOTS));
}

/** Leaf changes of state changes, in the order that {@link updateStateTree} takes. */
export function leafChanges(changes: readonly StateChange[]): readonly LeafChange[] {
  const leaves = changes.map(({ namespace, key, value }) => {
    const path = statePath(namespace, key, nativeSha256);
    return { order: firstBits(path), path, valueHash: value === undefined ? undefined : nativeSha256(value) };
  });
  return leaves.sort((a, b) => a.order - b.order || Buffer.compare(a.path, b.path));
}

/**
 * Root and changed pages after a batch of changes.
 * @param changes ascending by path, each path once; deleting what is absent changes nothing.
 */
export function updateStateTree(store: PageStore, changes: readonly LeafChange[]): TreeUpdate {
  for (let i = 1; i < changes.length; i += 1) {
    const [previous, change] = [changes[i - 1], changes[i]];
    assertInvariant(
      previous !== undefined && change !== undefined && compareBytes(previous.path, change.path) < 0,
      "Changes of the state tree are sorted and unique",
    );
  }
  if (changes.length === 0) return { root: stateRoot(store), pages: [] };
  const pages: PageChange[] = [];
  const before = store.getPage("");
  const root = updatePage({ store, pages }, { prefix: "", before }, changes);
  return { root: slotHash(root), pages };
}

/** Proof of what the store holds at a path: the value, or nothing. */
export function proveState(store: PageStore, path: Uint8Array): StateProof {
  const { slot, siblings } = wayDown(store, path, STATE_TREE_DEPTH);
  if (slot === undefined || slot.kind === "node" || equalBytes(slot.path, path)) return { siblings, otherLeaf: null };
  return { siblings, otherLeaf: { path: slot.path, valueHash: slot.valueHash } };
}

/** Hashes beside the way from a depth up to the root, the lowest first; fewer where the tree ends above that depth. */
export function siblingsOf(store: PageStore, path: Uint8Array, depth: number): readonly Uint8Array[] {
  return wayDown(store, path, depth).siblings;
}

interface WayDown {
  readonly slot: Slot;
  /** The lowest first. */
  readonly siblings: readonly Uint8Array[];
}

/** Walks towards a path, to a depth or to where the tree ends above it. */
function wayDown(store: PageStore, path: Uint8Array, depth: number): WayDown {
  const siblings: Uint8Array[] = [];
  let prefix = "";
  for (;;) {
    const page = store.getPage(prefix);
    assertInvariant(page !== undefined || prefix === "", `Page ${prefix} of the state tree is missing`);
    const nibble = nibbleAt(path, prefix.length);
    const slot = descend(page === undefined ? emptyPage() : decodePage(page), { nibble, siblings, depth });
    if (slot?.kind !== "node" || siblings.length === depth) return { slot, siblings: siblings.reverse() };
    prefix += NIBBLES[nibble];
  }
}

interface UpdateRun {
  readonly store: PageStore;
  readonly pages: PageChange[];
}

interface PageAt {
  readonly prefix: string;
  readonly before: Uint8Array | undefined;
}

function updatePage(run: UpdateRun, { prefix, before }: PageAt, changes: readonly LeafChange[]): Slot {
  const edit = new PageEdit(before);
  let start = 0;
  while (start < changes.length) {
    const nibble = nibbleAt(pathOf(changes, start), prefix.length);
    let end = start + 1;
    while (end < changes.length && nibbleAt(pathOf(changes, end), prefix.length) === nibble) end += 1;
    const slot = edit.slot(nibble);
    const inSlot = end - start === changes.length ? changes : changes.slice(start, end);
    edit.replace(nibble, slot, updateSlot(run, slot, prefix + NIBBLES[nibble], inSlot));
    start = end;
  }
  const { subtree, bytes } = edit.finish();
  // A subtree of one leaf lives in its parent's slot; only the root page, which has no parent, may hold it.
  const isStored = subtree?.kind === "node" || (prefix === "" && subtree !== undefined);
  const after = isStored ? bytes : undefined;
  if (after !== before) run.pages.push({ prefix, before, after });
  return subtree;
}

function updateSlot(run: UpdateRun, slot: Slot, prefix: string, changes: readonly LeafChange[]): Slot {
  if (slot?.kind === "node") {
    const before = run.store.getPage(prefix);
    assertInvariant(before !== undefined, `Page ${prefix} of the state tree is missing`);
    return updatePage(run, { prefix, before }, changes);
  }
  const leaves = changes.filter((change) => change.valueHash !== undefined);
  if (slot !== undefined && !changes.some((change) => equalBytes(change.path, slot.path))) {
    leaves.push(slot);
    leaves.sort((a, b) => Buffer.compare(a.path, b.path));
  }
  const [only] = leaves;
  if (only?.valueHash === undefined) return undefined;
  if (leaves.length === 1) return leafSlot(only.path, only.valueHash);
  return updatePage(run, { prefix, before: undefined }, leaves);
}

interface Descent {
  readonly nibble: number;
  readonly siblings: Uint8Array[];
  readonly depth: number;
}

/** Walks the levels of a page towards a slot, collecting siblings, until the depth, a single leaf, nothing or the slot itself is reached. */
function descend(slots: readonly Slot[], { nibble, siblings, depth }: Descent): Slot {
  let from = 0;
  let size = PAGE_SLOTS;
  let slot = joinRange(slots, from, size);
  while (slot?.kind === "node" && size > 1 && siblings.length < depth) {
    size /= 2;
    const isRight = nibble >= from + size;
    siblings.push(slotHash(joinRange(slots, isRight ? from : from + size, size)));
    if (isRight) from += size;
    slot = joinRange(slots, from, size);
  }
  return slot;
}

function pathOf(changes: readonly LeafChange[], index: number): Uint8Array {
  const change = changes[index];
  assertInvariant(change !== undefined && change.path.length === 32, "A path of the state tree has 32 bytes");
  return change.path;
}

/** The first 48 bits as a number: few paths share them. */
function firstBits(path: Uint8Array): number {
  let bits = 0;
  for (let i = 0; i < 6; i += 1) bits = bits * 256 + (path[i] as number);
  return bits;
}

function nibbleAt(path: Uint8Array, depth: number): number {
  const byte = path[depth >> 1] ?? 0;
  return (depth & 1) === 0 ? byte >> 4 : byte & 15;
}
