// The first half of joining for a node that follows the verified headers: the state of a height, fetched into a database beside the chain's.
import { join } from "node:path";
import { systemClock, systemTimers } from "#node/config/system-clock.ts";
import type { Log } from "#node/observability/log.ts";
import { joinName, openJoinStore, removeJoin } from "#node/storage/snapshots/join-store.ts";
import { begunJoins } from "#node/storage/snapshots/place-joined.ts";
import { type FetchedState, type FetchStateDependencies, fetchState } from "#node/sync/snapshots/joining/fetch-state.ts";
import { SnapshotPeers } from "#node/sync/snapshots/joining/snapshot-peers.ts";
import type { FollowingNode } from "../light-node.ts";

export interface JoiningDependencies
  extends Pick<FollowingNode, "folder" | "chain">,
    Pick<FetchStateDependencies, "onProgress" | "onStep" | "givesUp" | "isReading"> {
  readonly network: Pick<FollowingNode["network"], "peers" | "requestSnapshot" | "report">;
  readonly log: Log;
}

/** Fetches the newest state that peers serve. @throws CodedError UNAVAILABLE when the signal ends it, or of the storage */
export function fetchJoinState(
  { folder, network, chain, log, onProgress, onStep, givesUp, isReading }: JoiningDependencies,
  signal: AbortSignal,
): Promise<FetchedState> {
  const { paths, genesis, genesisHash } = folder;
  const identity = { chainId: genesis.chain_id, genesisHash };
  const common = { clock: systemClock, timers: systemTimers };
  return fetchState(
    {
      ...common,
      chain,
      peers: new SnapshotPeers({ network, ...common }),
      openStore: (goal): ReturnType<typeof openJoinStore> => {
        const name = joinName(goal.height);
        for (const height of begunJoins(paths.root)) if (height !== goal.height) removeJoin(join(paths.root, joinName(height)));
        return openJoinStore(join(paths.root, name), goal, identity);
      },
      log: log.child("join"),
      begun: () => begunJoins(paths.root),
      ...(onProgress === undefined ? {} : { onProgress }),
      ...(onStep === undefined ? {} : { onStep }),
      ...(givesUp === undefined ? {} : { givesUp }),
      ...(isReading === undefined ? {} : { isReading }),
    },
    signal,
  );
}
