// The stored state against the newest header: its tree of pages from the root down, and every record against its leaf.
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { decodePage, joinRange, PAGE_SLOTS, type Slot, slotHash } from "#node/state/page.ts";
import { type PageStore, stateRoot } from "#node/state/state-tree.ts";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import type { SqliteDatabase } from "#node/storage/sqlite-database.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import { stateLeafHash, statePath } from "#shared/protocol/chain/state-proof.ts";
import { equalBytes, toHex } from "#shared/util/bytes.ts";
import type { Findings } from "./findings.ts";

/** What is looked at. */
export interface StateCheck {
  readonly database: SqliteDatabase;
  readonly pages: PageStore;
  /** State root of the newest header. */
  readonly root: HashHex;
  readonly findings: Findings;
  readonly onProgress: (records: number) => void;
}

const NIBBLES = "0123456789abcdef";
const PAGES = "table tree_pages";
const RECORDS = "table state";

/** The root alone: of the page that stands for all others. */
export function checkStateRoot({ pages, root, findings }: Pick<StateCheck, "pages" | "root" | "findings">): void {
  const stored = findings.attempt(CHAIN_FILE, PAGES, () => toHex(stateRoot(pages)));
  if (stored !== undefined && stored !== root) findings.add(CHAIN_FILE, PAGES, "the root of the state is not that of the newest block");
}

/** Every page and every record. As many records as leaves, each in its leaf, are all of the state and nothing else. */
export function checkState(check: StateCheck): void {
  const { database, findings } = check;
  checkStateRoot(check);
  const { leaves, pages } = walkPages(check);
  const stored = findings.attempt(CHAIN_FILE, PAGES, () => countOf(database, "tree_pages"));
  if (stored !== undefined && stored !== pages) findings.add(CHAIN_FILE, PAGES, `it has ${stored} pages, and the tree has ${pages}`);
  const records = checkRecords(check);
  if (records !== leaves) findings.add(CHAIN_FILE, RECORDS, `it has ${records} records, and the tree has ${leaves} leaves`);
}

/** A page, and the hash that the page above it names; of the root page the newest header names it. */
interface PageClaim {
  readonly prefix: string;
  readonly hash: Uint8Array | undefined;
}

/** Counts what hangs together from the root down; a page that is not what its parent says is a finding, and is not followed. */
function walkPages({ pages: store, findings }: StateCheck): { readonly leaves: number; readonly pages: number } {
  let [leaves, pages] = [0, 0];
  const open: PageClaim[] = [{ prefix: "", hash: undefined }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { prefix } = next;
    const slots = soundSlots(store, next, findings);
    if (slots === undefined) continue;
    pages += 1;
    leaves += slots.filter((slot) => slot?.kind === "leaf").length;
    for (const [index, slot] of slots.entries())
      if (slot?.kind === "node") open.push({ prefix: `${prefix}${NIBBLES[index]}`, hash: slot.hash });
  }
  return { leaves, pages };
}

/** Slots of a page that is what it must be; undefined for others, which are findings. A state without records has no root page. */
function soundSlots(store: PageStore, { prefix, hash }: PageClaim, findings: Findings): readonly Slot[] | undefined {
  const place = `page "${prefix}" of the state tree`;
  return findings.attempt(CHAIN_FILE, place, () => {
    const page = store.getPage(prefix);
    const slots = page && decodePage(page);
    const problem = pageProblem(slots, hash);
    if (problem === undefined) return slots;
    findings.add(CHAIN_FILE, place, problem);
    return undefined;
  });
}

function pageProblem(slots: readonly Slot[] | undefined, hash: Uint8Array | undefined): string | undefined {
  if (slots === undefined) return hash === undefined ? undefined : "it is missing";
  if (hash !== undefined && !equalBytes(slotHash(joinRange(slots, 0, PAGE_SLOTS)), hash))
    return "it has another hash than the page above it says";
  const wrong = slots.find((slot) => slot?.kind === "leaf" && !equalBytes(stateLeafHash(slot, nativeSha256), slot.hash));
  return wrong?.kind === "leaf" ? `its leaf ${toHex(wrong.path)} has another hash` : undefined;
}

/** Looks each record up in the tree, as its proof would; returns how many there are. */
function checkRecords({ database, pages, findings, onProgress }: StateCheck): number {
  const rows = database.prepare<[], { namespace: string; key: Uint8Array; value: Uint8Array }>("SELECT namespace, key, value FROM state");
  let count = 0;
  findings.attempt(CHAIN_FILE, RECORDS, () => {
    for (const { namespace, key, value } of rows.iterate()) {
      const leaf = leafAt(pages, statePath(namespace, key, nativeSha256));
      if (leaf === undefined || !equalBytes(leaf, nativeSha256(value)))
        findings.add(CHAIN_FILE, RECORDS, `the record ${namespace} ${toHex(key)} is not the one of the tree`);
      count += 1;
      onProgress(count);
    }
  });
  return count;
}

/** Hash of the value that the tree has at a path. Pages that were not found sound hold what they hold: they have been named. */
function leafAt(store: PageStore, path: Uint8Array): Uint8Array | undefined {
  const nibbles = toHex(path);
  for (let depth = 0; depth < nibbles.length; depth += 1) {
    const page = store.getPage(nibbles.slice(0, depth));
    const slot = page === undefined ? undefined : decodePage(page)[Number.parseInt(nibbles[depth] ?? "", 16)];
    if (slot === undefined) return undefined;
    if (slot.kind === "leaf") return equalBytes(slot.path, path) ? slot.valueHash : undefined;
  }
  return undefined;
}

/** Rows of a table. */
export function countOf(database: SqliteDatabase, table: string): number {
  return Number(database.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get());
}
