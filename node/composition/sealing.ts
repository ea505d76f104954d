// Old blocks of a running node go into files of their own, and files that are damaged come again from other nodes.

import { systemClock, systemTimers } from "#node/config/system-clock.ts";
import type { BlockExecutor } from "#node/engine/execution/block-executor.ts";
import { NetworkLightPeers, type NetworkLightPeersDependencies } from "#node/light/peers/network-light-peers.ts";
import type { Log } from "#node/observability/log.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { type HistorySealer, startHistorySealer } from "#node/storage/chain/sealing/history-sealer.ts";
import { HistoryRepair } from "#node/sync/history-repair.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";

/** Bytes of a block beside its transactions, about. */
const FRAME_BYTES = 1_000;

/**
 * Starts it.
 * @param hasPeers whether there are other nodes that have the blocks of damaged files: then the node starts without these.
 * @throws CodedError STORAGE_CORRUPT naming a file that is missing, cut off or another one.
 */
export function openSealer(database: ChainDatabase, log: Log, hasPeers: boolean): HistorySealer {
  const { file, history, blocks } = database;
  const onFailure = (error: unknown, retryMs: number): void =>
    log.error(
      { error: String(error), retry_ms: retryMs },
      "Old blocks stay in chain.db: they could not be moved into a file; it is tried again",
    );
  const dependencies = { file, history, tipHeight: blocks.tipHeight() ?? -1, onFailure };
  if (!hasPeers) return startHistorySealer(dependencies);
  return startHistorySealer({
    ...dependencies,
    onDamaged: (segment, error) => {
      history.noteDamage(segment);
      log.error(
        { error: error.message },
        "A file of old blocks is damaged: the node starts without it, and asks other nodes for the blocks",
      );
    },
  });
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

/** Replaces damaged files out of what other nodes have. Ends with `opened`. */
export function openHistoryRepair(
  database: ChainDatabase,
  network: NetworkLightPeersDependencies["network"],
  log: Log,
  opened: AsyncDisposableStack,
): void {
  const peers = new NetworkLightPeers({ network, clock: systemClock, timers: systemTimers });
  const repair = opened.adopt(new HistoryRepair({ database, peers, timers: systemTimers, log: log.child("history") }), (running) =>
    running.stop(),
  );
  repair.start();
}
