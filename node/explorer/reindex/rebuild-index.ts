// The index of a chain made anew from its blocks, in a new file that takes the place of the old one.
import { join } from "node:path";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { compareWithState, fillContacts } from "./compare-with-state.ts";
import { executedBlocks } from "./executed-blocks.ts";
import { recordedBlocks } from "./recorded-blocks.ts";
import type { ReindexSource } from "./reindex-source.ts";
import { type FilledTables, rewriteIndex } from "./rewrite-index.ts";

/** What the chain began with. */
export interface ChainBeginning {
  readonly genesis: Genesis;
  /** State file of a chain that continues another one. */
  readonly stateFile?: string;
}

/** How the index is made. */
export interface ReindexOptions {
  /** Executes the chain again in place of reading what it did. */
  readonly isExecuted?: boolean;
  /** Called after each block with its height and that of the newest one. */
  readonly onProgress?: (height: Height, tip: Height) => void;
}

/**
 * Rebuilds the index of a chain that has blocks from genesis on and that nothing has open. @returns how many transactions there are.
 * @throws CodedError STORAGE_CORRUPT when the blocks do not give what is stored, CONFIG_INVALID where they must be executed, STORAGE_FULL, or
 * as every database. The old index stays then.
 */
export function rebuildIndex(directory: string, beginning: ChainBeginning, options: ReindexOptions = {}): number {
  let transactions = 0;
  rewriteIndex(directory, (tables) => {
    transactions = fill(tables, { ...beginning, file: join(directory, CHAIN_FILE) }, options);
  });
  return transactions;
}

function fill(
  tables: FilledTables,
  beginning: ChainBeginning & Pick<ReindexSource, "file">,
  { isExecuted = false, onProgress }: ReindexOptions,
): number {
  const { blocks, explorer, database } = tables;
  const source: ReindexSource = { ...beginning, tables, take: (lists) => explorer.insertCarried(lists) };
  const tip = blocks.tipHeight() ?? 0;
  let transactions = 0;
  for (const index of isExecuted ? executedBlocks(source) : recordedBlocks(source)) {
    explorer.insert(index);
    transactions += index.ids.length;
    onProgress?.(index.height, tip);
  }
  if (!isExecuted) fillContacts(database, tables);
  compareWithState(database, source);
  return transactions;
}
