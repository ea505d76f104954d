// Rebuilding the index of a data folder that no node uses meanwhile.
import { existsSync, rmSync } from "node:fs";
import { dataFolderPaths, readFolderNetwork } from "#node/config/files/data-folder.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { lockDataFolder } from "#node/storage/data-folder-lock.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { type ReindexOptions, rebuildIndex } from "./rebuild-index.ts";

/** What was put into the index. */
export interface ReindexCount {
  /** Genesis included. */
  readonly blocks: number;
  readonly transactions: number;
}

/**
 * Rebuilds the index of a folder. It holds a mark meanwhile: when this is interrupted, the folder stays usable with the old index, and
 * the next start of its node reports it.
 * @throws CodedError CONFIG_INVALID, STORAGE_LOCKED while a node runs, STORAGE_CORRUPT when the blocks do not give what is stored, STORAGE_FULL,
 * HISTORY_PRUNED for a chain that begins with a later block, or as every database of the folder.
 */
export function reindexFolder(path: string, options: ReindexOptions = {}): ReindexCount {
  const genesis = readFolderNetwork(path);
  const paths = dataFolderPaths(path);
  if (!existsSync(paths.chain))
    throw new CodedError("CONFIG_INVALID", `${path} holds no chain: its node has always been a light one, which has no index`);
  const lock = lockDataFolder(path);
  try {
    const tip = tipOf(path, genesis);
    if (tip === undefined) return { blocks: 0, transactions: 0 };
    writeFileAtomic(paths.reindexing, "");
    const stateFile = existsSync(paths.genesisState) ? { stateFile: paths.genesisState } : {};
    const transactions = rebuildIndex(path, { genesis, ...stateFile }, options);
    rmSync(paths.reindexing, { force: true });
    return { blocks: tip + 1, transactions };
  } finally {
    lock.release();
  }
}

/** Brings the folder up to date. @throws CodedError HISTORY_PRUNED where blocks are missing that the index is made of */
function tipOf(path: string, genesis: Genesis): Height | undefined {
  const database = openChainDatabase(path, { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) });
  try {
    const first = database.blocks.firstHeight();
    if (first > 0)
      throw new CodedError(
        "HISTORY_PRUNED",
        `${database.file} begins with the state of block ${first}: its index cannot be made from blocks that it does not hold`,
        { details: { from_height: first } },
      );
    return database.blocks.tipHeight();
  } finally {
    database.close();
  }
}
