// A block in the form in which it is written: every table's part of it, ready: it can be written without knowing the chain.
import type { OverlayChange } from "#node/state/overlay-state-view.ts";
import type { PageChange } from "#node/state/state-tree.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { BlockSummary } from "../explorer/block-summary.ts";
import type { BlockIndex } from "../explorer/explorer-writer.ts";
import type { BlockParts } from "../history/records/block-parts.ts";
import type { ChainTables } from "./chain-database.ts";
import type { StateRepository } from "./state-repository.ts";

/** Tables that blocks are written to. */
export interface WrittenTables extends Omit<ChainTables, "state"> {
  readonly state: Pick<StateRepository, "apply">;
}

/** What is written of one block after genesis. */
export interface StoredBlock extends BlockParts {
  readonly summary: BlockSummary;
  /** CBOR of the commit. */
  readonly commitRecord: Uint8Array;
  /** Transactions and receipts. */
  readonly groups: readonly Uint8Array[];
  readonly changes: readonly OverlayChange[];
  readonly pages: readonly PageChange[];
  /** The validators of the next height where the block changed them. */
  readonly newValidators: ValidatorSet | undefined;
  readonly index: BlockIndex;
}

/** Writes blocks without gaps on top of their parent; call it in one transaction. The memory of seen ids is not updated. */
export function writeBlocks(tables: WrittenTables, blocks: readonly StoredBlock[]): void {
  for (const stored of blocks) writeBlock(tables, stored);
  tables.blocks.removeSealed(blocks.reduce((sum, { summary }) => sum + summary.txCount, 0));
}

/** Blocks that are written together: of each tree page only the last form, for the others are never read. */
export function withoutReplacedPages(blocks: readonly StoredBlock[]): readonly StoredBlock[] {
  if (blocks.length === 1) return blocks;
  const last = new Map(blocks.flatMap(({ pages }, index) => pages.map(({ prefix }) => [prefix, index] as const)));
  return blocks.map((stored, index) => ({ ...stored, pages: stored.pages.filter(({ prefix }) => last.get(prefix) === index) }));
}

function writeBlock(tables: WrittenTables, stored: StoredBlock): void {
  const { height } = stored.summary;
  assertInvariant(tables.blocks.tipHeight() === height - 1, "Another writer changed the chain database");
  tables.blocks.insert(stored.summary, stored);
  tables.state.apply(stored.changes, stored.pages);
  if (stored.newValidators !== undefined) tables.validatorSets.insert(height + 1, stored.newValidators);
  tables.undo.insert(height, stored.changes);
  tables.explorer.insert(stored.index);
}
