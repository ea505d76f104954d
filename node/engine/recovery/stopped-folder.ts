// The chain of a data folder that no node uses meanwhile: held by its lock, and checked before anything is done with it.
import { existsSync } from "node:fs";
import { type DataFolderPaths, dataFolderPaths, readFolderNetwork } from "#node/config/files/data-folder.ts";
import { type ChainDatabase, openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { lockDataFolder } from "#node/storage/data-folder-lock.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import type { ParentBlock } from "../execution/chain-rules.ts";
import { openTip } from "../execution/open-tip.ts";

/** What a folder holds. */
export interface StoppedFolder {
  readonly paths: DataFolderPaths;
  readonly genesis: Genesis;
  readonly database: ChainDatabase;
  readonly tip: ParentBlock;
}

/**
 * Opens the chain of a folder and holds the folder until it is disposed of.
 * @throws CodedError CONFIG_INVALID when there is none, STORAGE_LOCKED while a node runs, or as every database of the folder.
 */
export function openStoppedFolder(path: string): StoppedFolder & Disposable {
  const genesis = readFolderNetwork(path);
  const paths = dataFolderPaths(path);
  if (!existsSync(paths.chain))
    throw new CodedError("CONFIG_INVALID", `${path} holds no chain: its node has always been a light one, or was never started`);
  const lock = lockDataFolder(path);
  try {
    const database = openChainDatabase(path, { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) });
    const dispose = (): void => {
      database.close();
      lock.release();
    };
    try {
      if (database.guard(() => database.blocks.tipHeight()) === undefined)
        throw new CodedError("CONFIG_INVALID", `${path} holds no block yet: its node was never started`);
      const tip = database.guard(() => openTip(database, genesis));
      return { paths, genesis, database, tip, [Symbol.dispose]: dispose };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Lowest height whose state the folder can still give. */
export function lowestHeight({ database, tip }: Pick<StoppedFolder, "database" | "tip">): number {
  let { height } = tip.header;
  while (height > 0 && database.undo.has(height)) height -= 1;
  return height;
}

/** Refuses a height that is not between the lowest one and the tip. @throws CodedError CONFIG_INVALID */
export function requireHeight(folder: Pick<StoppedFolder, "database" | "tip">, height: number, lowest = lowestHeight(folder)): void {
  const highest = folder.tip.header.height;
  if (height >= lowest && height <= highest) return;
  throw new CodedError(
    "CONFIG_INVALID",
    `This folder can give the heights ${lowest} to ${highest}, not ${height}: ${height > highest ? "its newest block is below" : "what older blocks replaced is not stored any more"}`,
    { details: { height, lowest, highest } },
  );
}
