// The snapshots of a full node, where it has others to give them to.

import type { DataFolder } from "#node/config/files/data-folder.ts";
import type { NodeConfig } from "#node/config/node-config.ts";
import { systemClock } from "#node/config/system-clock.ts";
import type { Log } from "#node/observability/log.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { type SnapshotMaking, startSnapshot } from "#node/storage/snapshots/snapshot-thread.ts";
import type { SnapshotRule } from "#node/sync/snapshots/snapshot-heights.ts";
import { SnapshotKeeper } from "#node/sync/snapshots/snapshot-keeper.ts";
import { SNAPSHOT_LIMITS } from "#node/sync/snapshots/snapshot-limits.ts";
import type { BlockHeader } from "#shared/protocol/chain/header.ts";
import type { Chain } from "../chain.ts";

export interface SnapshotsDependencies {
  readonly folder: DataFolder;
  readonly database: ChainDatabase;
  readonly chain: Chain;
  readonly log: Log;
  readonly rule?: SnapshotRule | undefined;
}

/** Makes snapshots as blocks become durable; undefined where the configuration wants none. Ends with `opened`. */
export function openSnapshots(
  { p2p }: Pick<NodeConfig, "p2p">,
  { folder, database, chain, log, rule }: SnapshotsDependencies,
  opened: AsyncDisposableStack,
): SnapshotKeeper | undefined {
  if (p2p?.makesSnapshots !== true) return undefined;
  const { paths, genesis, genesisHash } = folder;
  const identity = { chainId: genesis.chain_id, genesisHash };
  const { logBytes, reservedBytes } = SNAPSHOT_LIMITS;
  const keeper = new SnapshotKeeper({
    folder: paths.snapshots,
    headerAt: (height): BlockHeader | undefined => database.blocks.header(height),
    make: (height, file): SnapshotMaking => startSnapshot({ directory: paths.root, identity, height, file, logBytes, reservedBytes }),
    clock: systemClock,
    log: log.child("snapshots"),
    ...(rule === undefined ? {} : { rule }),
  });
  keeper.start(chain.executor.tip().height);
  const stop = chain.executor.onCommit(({ block: { header } }) => {
    // A node that catches up passes many of these heights, of which none is of use any more.
    if (systemClock.nowMs() - header.timeMs < SNAPSHOT_LIMITS.recentMs) keeper.onDurable(header.height);
  });
  opened.defer(async () => {
    stop();
    await keeper.stop();
  });
  return keeper;
}
