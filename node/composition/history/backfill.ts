// Older blocks of a node that joined without them, in the words of the interface.

import type { DataFolder } from "#node/config/files/data-folder.ts";
import type { NodeConfig } from "#node/config/node-config.ts";
import { systemClock, systemTimers } from "#node/config/system-clock.ts";
import type { LightRequester } from "#node/light/peers/network-light-peers.ts";
import type { Log } from "#node/observability/log.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { Backfill, type BackfillDependencies, type BackfillFigures, type BackfillView } from "#node/sync/backfill/backfill.ts";
import { createBackfillThread } from "#node/sync/backfill/backfill-thread.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import type { OldBlocks } from "./sealing.ts";

export interface BackfillOptions extends Pick<BackfillDependencies, "network" | "isBusy" | "exclusive" | "retain" | "maxRunBlocks"> {
  readonly folder: DataFolder;
  readonly database: ChainDatabase;
  readonly requester: LightRequester;
  readonly log: Log;
}

/** What is known of it. */
export interface BackfillReads {
  /** How far it is; undefined once there is nothing to do. */
  view(): BackfillView | undefined;
  figures(): BackfillFigures;
}

/** Of a node that has nothing to fetch, or stays alone. */
export const NO_BACKFILL: BackfillReads = {
  view: () => undefined,
  figures: () => ({ state: "done", bytes: 0, segments: { stored: 0, unserved: 0, failed: 0 } }),
};

/** Starts it, where there are older blocks to fetch. Ends with `opened`. */
export function openBackfill({ folder, log, ...options }: BackfillOptions, opened: AsyncDisposableStack): BackfillReads {
  if (options.database.blocks.firstHeight() === 0) return NO_BACKFILL;
  const { genesis, paths } = folder;
  const thread = createBackfillThread({ directory: paths.root, first: firstParams(genesis.params) });
  const common = { clock: systemClock, timers: systemTimers, log: log.child("history") };
  const backfill = opened.adopt(new Backfill({ ...options, ...common, thread }), (running) => running.stop());
  backfill.start();
  return backfill;
}

/** What the node is at work with beside it, and how much it keeps. */
export function backfillRules(
  { retain }: Pick<NodeConfig, "retain">,
  old: Pick<OldBlocks, "sealer" | "maxRunBlocks"> & { readonly isCatchingUp: () => boolean },
): Pick<BackfillOptions, "isBusy" | "exclusive" | "retain" | "maxRunBlocks"> {
  const { sealer, maxRunBlocks, isCatchingUp } = old;
  return { retain, maxRunBlocks, isBusy: isCatchingUp, exclusive: (work) => sealer.exclusive(work) };
}

type History = NonNullable<NodeStatus["history"]>;

/** How far it is. */
export function describeBackfill({ state, reason, toHeight, toMs, bytes, etaSeconds }: BackfillView): NonNullable<History["backfill"]> {
  return {
    state: state === "done" ? "running" : state,
    bytes,
    ...(reason === undefined ? {} : { reason }),
    ...(toHeight === undefined ? {} : { to_height: toHeight }),
    ...(toMs === undefined ? {} : { to_time: new Date(Math.max(0, toMs)).toISOString() }),
    ...(etaSeconds === undefined || state !== "running" ? {} : { eta_seconds: etaSeconds }),
  };
}
