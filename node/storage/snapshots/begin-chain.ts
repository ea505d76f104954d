// The first blocks of a chain that begins at a height and not with genesis: its state came from others, who proved it.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { NewHeader } from "../chain/block-repository.ts";
import type { ChainTables } from "../chain/chain-database.ts";
import type { StoredBlock } from "../chain/stored-block.ts";
import type { CarriedLists } from "../explorer/explorer-writer.ts";

/** Ids of a block whose transactions are not here, in their order. */
export interface IdsOfBlock {
  readonly height: Height;
  readonly ids: readonly string[];
}

/** Everything but the state, which is stored already. */
export interface ChainBeginning {
  /** Headers below the first block, ascending without gaps, up to the one before it. */
  readonly headers: readonly NewHeader[];
  /** Those of the last two hours below the first block, ascending: they must not be taken in again. */
  readonly ids: readonly IdsOfBlock[];
  /** Sets by the first height of the headers, or of the first block, that they vote on. */
  readonly validatorSets: readonly { readonly fromHeight: Height; readonly validators: ValidatorSet }[];
  /** The block after which the state is so; nothing leads back from it. */
  readonly block: Omit<StoredBlock, "changes" | "pages">;
  /** What lists show that blocks below brought, by parts. */
  readonly lists: Iterable<Partial<CarriedLists>>;
}

/** Writes the beginning into empty tables beside the state; call it in one transaction. */
export function beginChain(tables: ChainTables, { headers, ids, validatorSets, block, lists }: ChainBeginning): void {
  const { blocks, validatorSets: sets, explorer } = tables;
  const { height } = block.summary;
  assertInvariant(blocks.tipHeight() === undefined, "A chain begins in empty tables");
  for (const header of headers) blocks.insertHeader(header);
  for (const { fromHeight, validators } of validatorSets) sets.insert(fromHeight, validators);
  for (const of of ids) explorer.insertIds(of.height, of.ids);
  blocks.insert(block.summary, block);
  if (block.newValidators !== undefined) sets.insert(height + 1, block.newValidators);
  for (const part of lists) explorer.insertCarried(part, false);
  explorer.insert(block.index);
}
