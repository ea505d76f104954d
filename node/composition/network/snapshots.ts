// The snapshots of a full node, where it has others to give them to.

import type { SnapshotNumbers } from "#node/api/services.ts";
import type { DataFolder } from "#node/config/files/data-folder.ts";
import type { NodeConfig } from "#node/config/node-config.ts";
import { systemClock } from "#node/config/system-clock.ts";
import type { Log } from "#node/observability/log.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import type { BlockSummary } from "#node/storage/explorer/block-summary.ts";
import { type SnapshotMaking, startSnapshot } from "#node/storage/snapshots/snapshot-thread.ts";
import type { SnapshotRule } from "#node/sync/snapshots/snapshot-heights.ts";
import { SnapshotKeeper } from "#node/sync/snapshots/snapshot-keeper.ts";
import { SNAPSHOT_LIMITS } from "#node/sync/snapshots/snapshot-limits.ts";
import { SnapshotServer } from "#node/sync/snapshots/snapshot-server.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Chain } from "../chain.ts";
import type { ReadThread } from "../reads/read-thread.ts";

export interface SnapshotsDependencies {
  readonly folder: DataFolder;
  readonly database: ChainDatabase;
  readonly chain: Chain;
  readonly reads: Pick<ReadThread, "readSnapshot">;
  readonly log: Log;
  readonly rule?: SnapshotRule | undefined;
}

/** Snapshots of a node: what it has of them, and what it answers to nodes that join. */
export interface Snapshots {
  readonly server: SnapshotServer;
  figures(): SnapshotNumbers;
}

/** Makes snapshots as blocks become durable, unless the configuration wants none, and serves them. Ends with `opened`. */
export function openSnapshots(
  config: Pick<NodeConfig, "p2p">,
  dependencies: SnapshotsDependencies,
  opened: AsyncDisposableStack,
): Snapshots {
  const keeper = openKeeper(config, dependencies, opened);
  const server = new SnapshotServer({
    heights: (): readonly Height[] => keeper?.heights() ?? [],
    read: (request): Promise<Uint8Array> => dependencies.reads.readSnapshot(request),
    onDamaged: (height, error): void => keeper?.damaged(height, error.message),
    clock: systemClock,
    log: dependencies.log.child("snapshots"),
  });
  const figures = (): SnapshotNumbers => {
    const { height, made, failed } = keeper?.figures() ?? { height: 0, made: 0, failed: 0 };
    return { height, made, failed, sentBytes: server.sentBytes };
  };
  return { server, figures };
}

function openKeeper(
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
    // Of the rows, which every block keeps: what is wrong with a file of old blocks must not stop the ones that come.
    headerAt: (height): Pick<BlockSummary, "timeMs" | "stateRoot"> | undefined => database.blocks.summary(height),
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
