// Fetches the state of a height in chunks, from several peers at once. Each chunk is proven before it is stored; a peer whose chunk is
// false has lied and is not asked again. Ends when the state is complete, or no peer has it any more.
import type { PeerName, PeerOffence } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import { type ChunkLeaf, provenLeaves, recordBytes, type StateChunk } from "#node/state/state-chunk.ts";
import { partsOf } from "#node/state/tree-place.ts";
import type { JoinStore } from "#node/storage/snapshots/join-store.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { fromHex } from "#shared/util/bytes.ts";
import type { Timers } from "#shared/util/clock.ts";
import { SNAPSHOT_LIMITS } from "../snapshot-limits.ts";
import type { SnapshotRequest, SnapshotResponse } from "../wire/snapshot-messages.ts";
import { SplitPlaceRecord, type WaitingPlace } from "./split-record.ts";

export interface StateDownloadDependencies {
  readonly store: JoinStore;
  /** Peers that may have the state, the best first; asked again whenever one of them is needed. */
  readonly peers: () => readonly PeerName[];
  /** The response of a peer. @throws CodedError UPSTREAM_FAILED when there is none in time, for which it has paid */
  readonly ask: (peer: PeerName, request: SnapshotRequest, signal: AbortSignal) => Promise<SnapshotResponse>;
  readonly report: (peer: PeerName, offence: PeerOffence) => void;
  /** True while the node reads something else from peers: chunks come one at a time then, each takes the thread for a while. */
  readonly isReading: () => boolean;
  readonly timers: Timers;
  readonly log: Pick<Log, "warn">;
}

/** How far it is. */
export interface DownloadProgress {
  /** Bytes of records in this run. */
  readonly bytes: number;
  /** Share of the state that is here, also from earlier runs, 0 to 1. */
  readonly share: number;
}

/** `complete`: every place is here; `gone`: no peer has the state; `stopped`. */
export type DownloadEnd = "complete" | "gone" | "stopped";

/** What is known of a peer in this run. */
interface AskedPeer {
  underWay: number;
  failures: number;
  /** Resting: it was busy, or did not answer. */
  isResting: boolean;
  /** What it split, and nothing proves yet that it had to. */
  splits: readonly SplitPlaceRecord[];
}

/** One run. */
export class StateDownload {
  readonly #dependencies: StateDownloadDependencies;
  readonly #root: Uint8Array;
  readonly #waiting: WaitingPlace[];
  readonly #asked = new Map<PeerName, AskedPeer>();
  /** Peers that lied, or do not have the state. */
  readonly #useless = new Set<PeerName>();
  #bytes = 0;
  #missingShare: number;
  #underWay = 0;
  #wake: () => void = () => undefined;

  constructor(dependencies: StateDownloadDependencies) {
    this.#dependencies = dependencies;
    this.#root = fromHex(dependencies.store.goal.stateRoot);
    const missing = dependencies.store.missing();
    this.#waiting = missing.map((place) => ({ place, part: undefined }));
    this.#missingShare = missing.reduce((sum, { depth }) => sum + 2 ** -depth, 0);
  }

  progress(): DownloadProgress {
    return { bytes: this.#bytes, share: Math.min(1, Math.max(0, 1 - this.#missingShare)) };
  }

  /** Fetches what is missing. @throws CodedError of the storage. */
  async run(signal: AbortSignal): Promise<DownloadEnd> {
    const ending = new AbortController();
    const inner = AbortSignal.any([signal, ending.signal]);
    const { promise: failed, reject } = Promise.withResolvers<never>();
    // The race below may be over before this fails.
    failed.catch(() => undefined);
    inner.addEventListener("abort", () => this.#wake(), { once: true });
    try {
      while (!signal.aborted && (this.#waiting.length > 0 || this.#underWay > 0)) {
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        while (this.#askOne(inner, reject));
        if (this.#underWay === 0 && this.#isGone()) return "gone";
        const cancel = this.#dependencies.timers.setTimer(SNAPSHOT_LIMITS.peersMs, () => this.#wake());
        await Promise.race([woken, failed]).finally(cancel);
      }
      return signal.aborted ? "stopped" : "complete";
    } finally {
      ending.abort();
    }
  }

  /** Asks the peer with the fewest requests under way for one place. @returns whether there were a peer and a place */
  #askOne(signal: AbortSignal, onError: (error: unknown) => void): boolean {
    if (this.#underWay > 0 && this.#dependencies.isReading()) return false;
    const name = this.#waiting.length === 0 ? undefined : this.#freePeer();
    const place = name === undefined ? undefined : this.#waiting.pop();
    if (name === undefined || place === undefined) return false;
    const peer = this.#peer(name);
    peer.underWay += 1;
    this.#underWay += 1;
    this.#fetch(name, place, signal)
      .catch(onError)
      .finally(() => {
        peer.underWay -= 1;
        this.#underWay -= 1;
        this.#wake();
      });
    return true;
  }

  async #fetch(name: PeerName, waiting: WaitingPlace, signal: AbortSignal): Promise<void> {
    const { ask, store } = this.#dependencies;
    const { place } = waiting;
    const response = await ask(name, { kind: "chunk", height: store.goal.height, place }, signal).catch((error: unknown) => {
      if (isCodedError(error)) return undefined;
      throw error;
    });
    if (signal.aborted) return;
    if (response?.kind === "chunk") this.#take(name, waiting, response);
    else if (response?.kind === "split") this.#split(name, waiting, response.levels);
    else this.#failed(name, waiting, response);
  }

  #take(name: PeerName, waiting: WaitingPlace, chunk: StateChunk): void {
    const { place, part } = waiting;
    const leaves = provenLeaves(this.#root, place, chunk);
    if (typeof leaves === "string") {
      this.#lied(name, leaves);
      this.#waiting.push(waiting);
      return;
    }
    this.#dependencies.store.store(place, leaves);
    this.#peer(name).failures = 0;
    const bytes = bytesOf(leaves);
    this.#bytes += bytes;
    this.#missingShare -= 2 ** -place.depth;
    for (const liar of part?.add(bytes) ?? []) this.#lied(liar, "it split a place that fits into a chunk");
  }

  #split(name: PeerName, waiting: WaitingPlace, levels: number): void {
    const { place, part } = waiting;
    // Nothing proves that a place is to be split: what lies below it is found sooner than who lies about it.
    const most = this.#waiting.length < SNAPSHOT_LIMITS.missingPlaces ? SNAPSHOT_LIMITS.splitLevels : 1;
    const parts = partsOf(place, Math.min(levels, most));
    if (parts.length === 1) {
      this.#lied(name, "it splits places without end");
      this.#waiting.push(waiting);
      return;
    }
    this.#dependencies.store.split(place, parts);
    const record = new SplitPlaceRecord(name, parts.length, part);
    const peer = this.#peer(name);
    peer.splits = [...peer.splits, record];
    for (const next of parts.toReversed()) this.#waiting.push({ place: next, part: record });
  }

  /** The peer has no such state, or cannot answer now. */
  #failed(name: PeerName, waiting: WaitingPlace, response: SnapshotResponse | undefined): void {
    this.#waiting.push(waiting);
    if (response !== undefined && response.kind !== "busy") {
      this.#useless.add(name);
      return;
    }
    const peer = this.#peer(name);
    peer.failures += 1;
    peer.isResting = true;
    const delayMs = Math.min(SNAPSHOT_LIMITS.lastPauseMs, SNAPSHOT_LIMITS.firstPauseMs * 2 ** (peer.failures - 1));
    this.#dependencies.timers.setTimer(delayMs, () => {
      peer.isResting = false;
      this.#wake();
    });
  }

  #lied(name: PeerName, reason: string): void {
    if (this.#useless.has(name)) return;
    this.#useless.add(name);
    this.#dependencies.log.warn({ peer: name, reason }, "A peer sent a part of the state that is not proven");
    this.#dependencies.report(name, "lie");
  }

  /** Who splits what may fit waits while there are others: that a place must be split is proven soon. */
  #freePeer(): PeerName | undefined {
    const awake = this.#usable().filter((name) => !this.#peer(name).isResting);
    const trusted = awake.filter((name) => !this.#splitsTooMuch(name));
    const asked = (trusted.length > 0 ? trusted : awake).slice(0, SNAPSHOT_LIMITS.peersAtOnce);
    const free = asked.filter((name) => this.#peer(name).underWay < SNAPSHOT_LIMITS.chunksPerPeer);
    return free.toSorted((a, b) => this.#peer(a).underWay - this.#peer(b).underWay)[0];
  }

  #splitsTooMuch(name: PeerName): boolean {
    const peer = this.#peer(name);
    peer.splits = peer.splits.filter(({ isProven }) => !isProven);
    return peer.splits.length >= SNAPSHOT_LIMITS.openSplits;
  }

  #usable(): readonly PeerName[] {
    return this.#dependencies.peers().filter((name) => !this.#useless.has(name));
  }

  /** Without any peer there is hope for others. */
  #isGone(): boolean {
    return this.#usable().length === 0 && this.#dependencies.peers().length > 0;
  }

  #peer(name: PeerName): AskedPeer {
    const known = this.#asked.get(name) ?? { underWay: 0, failures: 0, isResting: false, splits: [] };
    this.#asked.set(name, known);
    return known;
  }
}

function bytesOf(leaves: readonly ChunkLeaf[]): number {
  return leaves.reduce((sum, leaf) => sum + recordBytes(leaf), 0);
}
