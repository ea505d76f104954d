// Rebuilding the index of a data folder that no node uses meanwhile.
import { existsSync, rmSync } from "node:fs";
import { dataFolderPaths, readFolderNetwork } from "#node/config/files/data-folder.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { lockDataFolder } from "#node/storage/data-folder-lock.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { type ReindexCount, type ReindexProgress, reindex } from "./reindex.ts";

/**
 * Rebuilds the index of a folder. It holds a mark meanwhile: when this is interrupted, the folder stays usable with the old index, and
 * the next start of its node reports it.
 * @throws CodedError CONFIG_INVALID, STORAGE_LOCKED while a node runs, or as every database of the folder.
 */
export function reindexFolder(path: string, onProgress: ReindexProgress): ReindexCount {
  const genesis = readFolderNetwork(path);
  if (!existsSync(dataFolderPaths(path).chain))
    throw new CodedError("CONFIG_INVALID", `${path} holds no chain: its node has always been a light one, which has no index`);
  const lock = lockDataFolder(path);
  try {
    const database = openChainDatabase(path, { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) });
    try {
      const { reindexing } = dataFolderPaths(path);
      writeFileAtomic(reindexing, "");
      const count = reindex(database, { genesis, stateFile: dataFolderPaths(path).genesisState }, onProgress);
      rmSync(reindexing, { force: true });
      return count;
    } finally {
      database.close();
    }
  } finally {
    lock.release();
  }
}
