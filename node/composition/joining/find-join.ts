// Whether a node begins with the state of a block rather than with genesis: only where it has no block of its own, and has peers.
import { existsSync } from "node:fs";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { writeFileAtomic } from "#node/config/files/write-file-atomic.ts";
import { fetchCheckpoint } from "#node/config/join-network.ts";
import type { NodeConfig } from "#node/config/node-config.ts";
import { systemClock } from "#node/config/system-clock.ts";
import { hasNoChain, placeJoined } from "#node/storage/snapshots/place-joined.ts";
import { formatCheckpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { type NodeDependencies, openFolder } from "../node-start.ts";

/** Chains that are younger are replayed: that takes less time than there is to save. */
const YOUNG_MS = 86_400_000;

/** Without a state to be had, a node that need not wait for one replays the chain after this time. */
export const JOIN_PATIENCE = {
  ms: 60_000,
  /** One of the first validators may be needed for the first block: with nothing to be had it replays sooner. */
  validatorMs: 20_000,
};

/** How a node is to join. */
export interface Join {
  /** True to give up and replay: asked while no state can be had. */
  readonly givesUp: (waitedMs: number, hasPeers: boolean) => boolean;
}

/** Places what was joined before; undefined when the node needs no state of others. @throws CodedError of folder and storage, in words */
export async function findJoin(config: NodeConfig, { log }: Pick<NodeDependencies, "log">): Promise<Join | undefined> {
  const { dataDir, p2p, isDevelopment, joinUrl } = config;
  const isNew = !existsSync(dataFolderPaths(dataDir).genesis);
  if (p2p === undefined || (isDevelopment && isNew)) return undefined;
  const checkpoint = isNew && joinUrl !== undefined && p2p.sync !== "replay" ? await fetchCheckpoint(joinUrl, fetch) : undefined;
  await using opened = new AsyncDisposableStack();
  const { genesis, nodeKey, paths } = await openFolder(config, opened);
  const join = joinOf(config, { genesis, ownKey: nodeKey.publicKey, log });
  if (join !== undefined && checkpoint !== undefined) writeFileAtomic(paths.checkpoint, `${formatCheckpoint(checkpoint)}\n`);
  return join;
}

function joinOf(
  { dataDir, p2p }: NodeConfig,
  { genesis, ownKey, log }: { readonly genesis: Genesis; readonly ownKey: string } & Pick<NodeDependencies, "log">,
): Join | undefined {
  const placed = placeJoined(dataDir);
  if (placed !== undefined) log.info({ height: placed }, "The state that was fetched is in its place");
  const keys = genesis.validators.map(({ pub_key }) => pub_key);
  const isAlone = keys.every((key) => key === ownKey);
  if (p2p?.sync === "replay" || isAlone || !hasNoChain(dataDir)) return undefined;
  if (p2p?.sync === "snapshot") return { givesUp: () => false };
  const ageMs = systemClock.nowMs() - (parseTimestamp(genesis.genesis_time) ?? 0);
  if (ageMs < YOUNG_MS) return undefined;
  if (keys.includes(ownKey)) return { givesUp: (waitedMs) => waitedMs >= JOIN_PATIENCE.validatorMs };
  return { givesUp: (waitedMs, hasPeers) => hasPeers && waitedMs >= JOIN_PATIENCE.ms };
}
