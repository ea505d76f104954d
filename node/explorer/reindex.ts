// The explorer's index rebuilt from the blocks alone: every block is executed again, and must give what is stored.

import { indexBlock } from "#node/engine/execution/block-index.ts";
import { type ReplayOptions, replayFromGenesis } from "#node/engine/execution/replay-from-genesis.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import type { Height } from "#shared/protocol/chain/header.ts";

/** What was put into the index. */
export interface ReindexCount {
  /** Genesis included. */
  readonly blocks: number;
  readonly transactions: number;
}

/** What the chain began with. */
export interface ReindexSource {
  readonly genesis: Genesis;
  /** State file of a chain that continues another one. */
  readonly stateFile?: string;
}

/** Called after each block with its height and that of the newest one. */
export type ReindexProgress = (height: Height, tip: Height) => void;

/** Rebuilds the index. @throws CodedError STORAGE_CORRUPT when the blocks do not give what is stored; the old index stays then. */
export function reindex(database: ChainDatabase, { genesis, stateFile }: ReindexSource, onProgress: ReindexProgress): ReindexCount {
  const tip = database.blocks.tipHeight();
  if (tip === undefined) return { blocks: 0, transactions: 0 };
  const first = database.blocks.firstHeight();
  if (first > 0)
    throw new CodedError(
      "HISTORY_PRUNED",
      `${database.file} begins with the state of block ${first}: its index cannot be made from blocks that it does not hold`,
      { details: { from_height: first } },
    );
  let transactions = 0;
  const take: ReplayOptions["take"] = (lists) => database.explorer.insertCarried(lists);
  database.rebuildExplorer(() => {
    for (const { executed, isSame } of replayFromGenesis(database, genesis, { stateFile, take })) {
      const { height } = executed.block.header;
      if (!isSame)
        throw new CodedError(
          "STORAGE_CORRUPT",
          `Block ${height} of ${database.file} is not what its transactions give: the index stays as it was; restore the folder from a backup`,
        );
      database.explorer.insert(indexBlock(executed));
      transactions += executed.block.transactions.length;
      onProgress(height, tip);
    }
  });
  return { blocks: tip + 1, transactions };
}
