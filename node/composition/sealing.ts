// Old blocks of a running node go into files of their own.
import type { BlockExecutor } from "#node/engine/execution/block-executor.ts";
import type { Log } from "#node/observability/log.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { type HistorySealer, startHistorySealer } from "#node/storage/chain/sealing/history-sealer.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";

/** Bytes of a block beside its transactions, about. */
const FRAME_BYTES = 1_000;

/** Starts it. @throws CodedError STORAGE_CORRUPT naming a file that is missing, cut off or another one. */
export function openSealer(database: ChainDatabase, log: Log): HistorySealer {
  const { file, history, blocks } = database;
  const onFailure = (error: unknown, retryMs: number): void =>
    log.error(
      { error: String(error), retry_ms: retryMs },
      "Old blocks stay in chain.db: they could not be moved into a file; it is tried again",
    );
  return startHistorySealer({ file, history, tipHeight: blocks.tipHeight() ?? -1, onFailure });
}

/** Tells it what is committed. */
export function sealCommitted(sealer: HistorySealer, executor: BlockExecutor): void {
  executor.onCommit(({ block: { header, transactions } }) =>
    sealer.committed(
      header.height,
      transactions.reduce((sum, tx) => sum + encodeTransaction(tx).length, FRAME_BYTES),
    ),
  );
}
