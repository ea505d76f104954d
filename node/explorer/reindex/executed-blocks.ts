// The index of every block by executing the chain again: each must give what is stored.
import { indexBlock } from "#node/engine/execution/block-index.ts";
import { replayFromGenesis } from "#node/engine/execution/replay-from-genesis.ts";
import type { BlockIndex } from "#node/storage/explorer/explorer-writer.ts";
import { corruptBlock, type ReindexSource } from "./reindex-source.ts";

/** Index of each block, from height 0 up. @throws CodedError STORAGE_CORRUPT for a block that is not what its transactions give */
export function* executedBlocks(source: ReindexSource): Generator<BlockIndex, void> {
  const { tables, genesis, stateFile } = source;
  const take: ReindexSource["take"] = (lists) => source.take(lists);
  for (const { executed, isSame } of replayFromGenesis(tables, genesis, { stateFile, take })) {
    if (!isSame) throw corruptBlock(source, executed.block.header.height);
    yield indexBlock(executed);
  }
}
