// A node that joins: a light one, which serves all that it can prove, until the state of a block is here; then a full one in its place, at
// the same address and with the same secret.
import type { FullNodeMode, NodeConfig } from "#node/config/node-config.ts";
import { systemClock, systemTimers } from "#node/config/system-clock.ts";
import { chainBeginning } from "#node/engine/recovery/chain-beginning.ts";
import { placeJoined } from "#node/storage/snapshots/place-joined.ts";
import { fetchBeginning } from "#node/sync/snapshots/joining/fetch-beginning.ts";
import { SNAPSHOT_LIMITS } from "#node/sync/snapshots/snapshot-limits.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { type FollowingNode, startLightNode } from "../light-node.ts";
import { type NodeDependencies, newSecret, type ReadyNode } from "../node-start.ts";
import { fetchJoinState } from "./fetch-join-state.ts";
import type { Join } from "./find-join.ts";
import { JoinProgress } from "./join-progress.ts";

/** Configuration of a node with a chain of its own. */
type FullConfig = NodeConfig & { readonly mode: FullNodeMode | undefined };

export interface JoiningNode {
  readonly config: FullConfig;
  readonly dependencies: NodeDependencies;
  readonly join: Join;
  readonly startFull: (config: FullConfig, dependencies: NodeDependencies, opened: AsyncDisposableStack) => Promise<ReadyNode>;
}

/** Starts the light node, and all that follows behind it. @throws CodedError in words */
export async function startJoiningNode(node: JoiningNode, opened: AsyncDisposableStack): Promise<ReadyNode> {
  const { config, dependencies, startFull } = node;
  const stopping = new AbortController();
  const progress = new JoinProgress(systemClock);
  const common = { ...dependencies, secret: newSecret() };
  const light = new AsyncDisposableStack();
  const following = Promise.withResolvers<FollowingNode>();
  const joining = (): NodeStatus["sync"]["snapshot"] => progress.describe();
  const ready = await startLightNode({ ...config, mode: "light" }, { ...common, joining }, light, following.resolve).catch(
    async (error: unknown) => {
      await light.disposeAsync();
      throw error;
    },
  );
  const full = new AsyncDisposableStack();
  const becomeFull = async (): Promise<void> => {
    try {
      await joinChain(node, { following: await following.promise, progress }, stopping.signal);
      // While this node has the lock of the folder: another one could begin a chain here in between.
      if (!stopping.signal.aborted) placeJoined(config.dataDir);
    } finally {
      await light.disposeAsync();
    }
    if (stopping.signal.aborted) return;
    await startFull({ ...config, statsAddress: { ...config.statsAddress, port: ready.port } }, common, full);
  };
  const done = becomeFull().catch((error: unknown) => {
    if (!stopping.signal.aborted) dependencies.onFatal(error);
  });
  opened.defer(async () => {
    stopping.abort();
    await done;
    await full.disposeAsync();
  });
  return { ...ready, mode: config.mode ?? "full" };
}

interface Joining {
  readonly following: FollowingNode;
  readonly progress: JoinProgress;
}

/** Makes the file of a chain, or leaves it to replaying. @throws CodedError of the storage */
async function joinChain({ dependencies, join }: JoiningNode, { following, progress }: Joining, signal: AbortSignal): Promise<void> {
  const log = dependencies.log.child("join");
  log.info({}, "Looking for a state of the chain to begin with");
  while (!signal.aborted) {
    try {
      await joinOnce(following, { log: dependencies.log, join, progress }, signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!isCodedError(error, "UPSTREAM_FAILED")) throw error;
      if (progress.hasGivenUp) {
        log.warn({}, "No node serves a state to begin with: every block is executed from the first one on");
        return;
      }
      log.warn({ reason: error.message }, "Joining begins once more with what is here");
      await new Promise<void>((resolve) => systemTimers.setTimer(SNAPSHOT_LIMITS.peersMs, resolve));
    }
  }
}

async function joinOnce(
  following: FollowingNode,
  { log, join, progress }: { readonly log: NodeDependencies["log"]; readonly join: Join; readonly progress: JoinProgress },
  signal: AbortSignal,
): Promise<void> {
  const { folder, network, chain, source, peers } = following;
  progress.begin();
  const givesUp = (waitedMs: number): boolean => progress.giveUpIf(join.givesUp(waitedMs, peers.peers().length > 0));
  const onProgress = progress.onState.bind(progress);
  const onStep = progress.onStep.bind(progress);
  const isReading = (): boolean => peers.isAsking;
  const fetched = await fetchJoinState({ folder, network, chain, log, givesUp, isReading, onProgress, onStep }, signal);
  try {
    const { height } = fetched.block.header;
    const rest = { body: source.body.bind(source), peers, first: firstParams(folder.genesis.params), onStep };
    const proven = await fetchBeginning(rest, fetched, signal);
    if (signal.aborted) throw new CodedError("UNAVAILABLE", "The node stops");
    onStep({ name: "store" });
    fetched.store.finish((state) => chainBeginning(state, proven));
    log.child("join").info({ height, headers: proven.headers.length }, "The state of this block is here, with all that the next ones need");
  } finally {
    fetched.store.close();
  }
}
