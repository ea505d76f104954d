// The first half of joining: chooses a height whose state peers serve, has its header verified, fetches the state and what comes before
// it. What is fetched is in a database of its own, so that a node that is killed continues where it was.
import { setImmediate } from "node:timers/promises";
import type { TrustedChain } from "#node/light/chain/trusted-chain.ts";
import type { PeerName } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import { isUseless, type JoinGoal, type JoinStore } from "#node/storage/snapshots/join-store.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { SNAPSHOT_LIMITS } from "../snapshot-limits.ts";
import type { SnapshotResponse } from "../wire/snapshot-messages.ts";
import { fetchWindow, type HistoryWindow } from "./history-window.ts";
import type { OnJoinStep } from "./join-steps.ts";
import { ProvenRequests } from "./proven-requests.ts";
import type { SnapshotPeers } from "./snapshot-peers.ts";
import { type DownloadEnd, type DownloadProgress, StateDownload } from "./state-download.ts";

export interface FetchStateDependencies {
  readonly chain: Pick<TrustedChain, "tip" | "blockAt">;
  readonly peers: SnapshotPeers;
  /** Opens what was begun, or begins it; removes what was begun for another height. */
  readonly openStore: (goal: JoinGoal) => JoinStore;
  /** Heights whose state was begun before: one that is still served is continued rather than a newer one begun. */
  readonly begun?: () => readonly Height[];
  /** Asked while no state can be had, with how long that has been: true gives up. */
  readonly givesUp?: (waitedMs: number) => boolean;
  /** True while the node reads something else from peers: a state comes more slowly then. */
  readonly isReading?: () => boolean;
  readonly onProgress?: (height: Height, progress: DownloadProgress) => void;
  /** All steps but the records, whose progress has its own call. */
  readonly onStep?: OnJoinStep;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  readonly log: Pick<Log, "info" | "warn">;
}

/** A complete state, with the block after which it is. The store is open. */
export interface FetchedState {
  readonly block: TrustedBlock;
  readonly window: HistoryWindow;
  readonly store: JoinStore;
}

/**
 * Fetches the newest state that peers serve.
 * @throws CodedError UNAVAILABLE when the signal ends it, UPSTREAM_FAILED when it is given up, or of the storage
 */
export async function fetchState(dependencies: FetchStateDependencies, signal: AbortSignal): Promise<FetchedState> {
  const { timers, log, peers, clock } = dependencies;
  /** Heights that could not be had, until when they are passed over. */
  const passed = new Map<Height, number>();
  let idleSinceMs = clock.monotonicMs();
  while (!signal.aborted) {
    await peers.refresh(signal);
    dependencies.onStep?.({ name: "peers", ...peers.serving() });
    const block = await chooseBlock(dependencies, passed);
    // Announcements of those of whom nothing could be had are no reason to wait.
    if (block === undefined || peers.isDoubted(block.header.height)) {
      const waitedMs = clock.monotonicMs() - idleSinceMs;
      if (dependencies.givesUp?.(waitedMs) === true) throw new CodedError("UPSTREAM_FAILED", "No connected node serves a state");
    }
    if (block === undefined) {
      await pause(timers, signal);
      continue;
    }
    const { height } = block.header;
    log.info({ height, hash: block.hash }, "Fetching the state of this block");
    const { fetched, hasGrown } = await fetchAt(dependencies, block, signal);
    if (fetched !== undefined) return fetched;
    if (!signal.aborted) log.warn({ height }, "The state of this block could not be fetched: another one is");
    peers.doubt(height);
    const nowMs = clock.monotonicMs();
    if (hasGrown) idleSinceMs = nowMs;
    passed.set(height, nowMs + SNAPSHOT_LIMITS.passedMs);
  }
  throw new CodedError("UNAVAILABLE", "The node stopped before it had the state");
}

/** The verified block of the best offer. */
async function chooseBlock(
  { chain, peers, clock, begun, onStep }: FetchStateDependencies,
  passed: ReadonlyMap<Height, number>,
): Promise<TrustedBlock | undefined> {
  const nowMs = clock.monotonicMs();
  const usable = peers.offers().filter(({ height }) => height <= chain.tip().header.height && (passed.get(height) ?? 0) <= nowMs);
  const continued = begun?.() ?? [];
  const offer = usable.find(({ height }) => continued.includes(height)) ?? usable[0];
  if (offer !== undefined) onStep?.({ name: "header", height: offer.height });
  try {
    return offer === undefined ? undefined : await chain.blockAt(offer.height);
  } catch (error) {
    if (isCodedError(error)) return undefined;
    throw error;
  }
}

/** What came of one height. */
interface Attempt {
  readonly fetched?: FetchedState;
  /** True when a noticeable part of the state came. */
  readonly hasGrown: boolean;
}

async function fetchAt(dependencies: FetchStateDependencies, block: TrustedBlock, signal: AbortSignal): Promise<Attempt> {
  const { peers, openStore, timers, log, onStep } = dependencies;
  const { height, stateRoot } = block.header;
  const store = openStore({ height, stateRoot });
  let [isKept, hasGrown] = [false, false];
  try {
    const { end, grown } = await download(dependencies, store, signal);
    hasGrown = grown >= 1 / SNAPSHOT_LIMITS.stallParts;
    if (end !== "complete") return { hasGrown };
    if (!store.isComplete()) throw damaged(height);
    // The node answers requests in between.
    while (store.sort()) {
      onStep?.({ name: "sort", ...store.sorted() });
      await setImmediate();
      if (signal.aborted) return { hasGrown };
    }
    const window = await fetchWindow(block.header, new ProvenRequests({ peers, timers, log }), signal, onStep);
    isKept = true;
    return { fetched: { block, window, store }, hasGrown };
  } catch (error) {
    if (isCodedError(error, "UPSTREAM_FAILED")) return { hasGrown };
    if (isUseless(error)) store.discard();
    throw error;
  } finally {
    if (!isKept) store.close();
  }
}

/** Every chunk was proven when it came, so what was written was not what is read. */
function damaged(height: Height): CodedError {
  const text = `The state of block ${height} is not what was fetched: the disk may be failing. The next start fetches it once more`;
  return new CodedError("STORAGE_CORRUPT", text);
}

/** Gives up a state of which next to nothing comes: peers that announce one and are busy or slow for ever would hold up the node. */
async function download(
  dependencies: FetchStateDependencies,
  store: JoinStore,
  signal: AbortSignal,
): Promise<{ readonly end: DownloadEnd; readonly grown: number }> {
  const { peers, timers, log, clock, onProgress } = dependencies;
  const { height } = store.goal;
  const run = new StateDownload({
    store,
    peers: (): readonly PeerName[] => peers.having(height),
    ask: (peer, request, inner): Promise<SnapshotResponse> => peers.ask(peer, request, inner),
    report: (peer, offence): void => peers.report(peer, offence),
    isReading: dependencies.isReading ?? ((): boolean => false),
    timers,
    log,
  });
  const stalled = new AbortController();
  const before = run.progress().share;
  let [share, sinceMs] = [before, clock.monotonicMs()];
  let cancel = (): void => undefined;
  const look = (): void => {
    const progress = run.progress();
    onProgress?.(height, progress);
    if (progress.share - share >= 1 / SNAPSHOT_LIMITS.stallParts) [share, sinceMs] = [progress.share, clock.monotonicMs()];
    if (clock.monotonicMs() - sinceMs >= SNAPSHOT_LIMITS.stallMs) stalled.abort();
    void peers.refresh(signal).catch(() => undefined);
    cancel = timers.setTimer(SNAPSHOT_LIMITS.peersMs, look);
  };
  look();
  try {
    const end = await run.run(AbortSignal.any([signal, stalled.signal]));
    return { end, grown: run.progress().share - before };
  } finally {
    cancel();
    onProgress?.(height, run.progress());
  }
}

function pause(timers: Timers, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.setTimer(SNAPSHOT_LIMITS.peersMs, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}
