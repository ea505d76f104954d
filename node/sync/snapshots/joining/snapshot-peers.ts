// The peers of a node that joins: which heights they serve, and requests to them. A malformed or late response costs the peer.
import { Deadline } from "#node/light/deadline.ts";
import { holdsBlocks, type PeerName, type PeerNetwork, type PeerOffence } from "#node/network/peer-network.ts";
import { encode, tryDecode } from "#shared/codec/codec.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { SNAPSHOT_LIMITS } from "../snapshot-limits.ts";
import { type SnapshotRequest, type SnapshotResponse, snapshotRequestCodec, snapshotResponseCodec } from "../wire/snapshot-messages.ts";

export interface SnapshotPeersDependencies {
  readonly network: Pick<PeerNetwork, "peers" | "requestSnapshot" | "report">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
}

/** A height with those who say that they serve its state. */
export interface SnapshotOffer {
  readonly height: Height;
  readonly peers: readonly PeerName[];
}

interface Announced {
  readonly heights: readonly Height[];
  readonly atMs: number;
}

/** Responses that a request can have beside `unknown` and `busy`. */
const KINDS: Readonly<Record<SnapshotRequest["kind"], readonly SnapshotResponse["kind"][]>> = {
  heights: ["heights"],
  chunk: ["chunk", "split"],
  headers: ["headers"],
  receipts: ["receipts"],
};
/** A response without content of the chain, bytes. */
const MESSAGE_BYTES = 4_096;

/** Connected full nodes. */
export class SnapshotPeers {
  readonly #dependencies: SnapshotPeersDependencies;
  readonly #announced = new Map<PeerName, Announced>();
  /** Connected peers that announced a state which could not be had from them. */
  readonly #doubted = new Set<PeerName>();

  constructor(dependencies: SnapshotPeersDependencies) {
    this.#dependencies = dependencies;
  }

  /** Those that have blocks to serve. */
  names(): readonly PeerName[] {
    return this.#dependencies.network.peers().flatMap(({ name, status }) => (status !== null && holdsBlocks(status) ? [name] : []));
  }

  /** How many of the connected ones say that they serve a state. */
  serving(): { readonly done: number; readonly total: number } {
    const names = this.names();
    const done = names.filter((name) => (this.#announced.get(name)?.heights.length ?? 0) > 0).length;
    return { done, total: names.length };
  }

  /** Asks those whose heights are not known, or not lately. */
  async refresh(signal: AbortSignal): Promise<void> {
    const names = this.names();
    for (const name of this.#announced.keys()) if (!names.includes(name)) this.#forget(name);
    const nowMs = this.#dependencies.clock.monotonicMs();
    // Those that say so in their status are not asked.
    for (const { name, status } of this.#dependencies.network.peers())
      if (names.includes(name) && status?.snapshots !== undefined) this.#announced.set(name, { heights: status.snapshots, atMs: nowMs });
    const due = names.filter((name) => nowMs - (this.#announced.get(name)?.atMs ?? Number.NEGATIVE_INFINITY) >= SNAPSHOT_LIMITS.heightsMs);
    await Promise.all(due.map((name) => this.#learn(name, signal)));
  }

  /**
   * What is served: first what two peers or more have, then what a single one says; of each the newest first. Who announced what could not
   * be had counts for nothing beside others: announcements cost nothing, and each may hold up the node for a minute.
   */
  offers(): readonly SnapshotOffer[] {
    const peers = new Map<Height, PeerName[]>();
    for (const [name, { heights }] of this.#announced)
      for (const height of heights) peers.set(height, [...(peers.get(height) ?? []), name]);
    const offers = [...peers].map(([height, names]) => ({ height, peers: names, weight: this.#weightOf(names) }));
    return offers.toSorted((a, b) => b.weight - a.weight || b.height - a.height);
  }

  /** The state of a height could not be had. */
  doubt(height: Height): void {
    for (const name of this.having(height)) this.#doubted.add(name);
  }

  /** True for a height that no one announces but those of whom another state could not be had. */
  isDoubted(height: Height): boolean {
    return this.having(height).every((name) => this.#doubted.has(name));
  }

  /** Who says that it serves a height. */
  having(height: Height): readonly PeerName[] {
    return [...this.#announced].flatMap(([name, { heights }]) => (heights.includes(height) ? [name] : []));
  }

  /** The response of a peer, which proves nothing yet. @throws CodedError UPSTREAM_FAILED, for which it has paid */
  async ask(peer: PeerName, request: SnapshotRequest, signal: AbortSignal): Promise<SnapshotResponse> {
    const { network, timers } = this.#dependencies;
    const bytes = encode(snapshotRequestCodec, request);
    const deadline = new Deadline(timers, SNAPSHOT_LIMITS.responseMs, signal);
    const responseBytes = mostBytes(request);
    const received = await deadline.within((inner) => network.requestSnapshot(peer, { bytes, ...responseBytes }, inner));
    deadline.end();
    if (received === undefined) {
      if (deadline.isPassed) this.report(peer, "unresponsive");
      throw new CodedError("UPSTREAM_FAILED", `Peer ${peer} did not answer`);
    }
    const response = tryDecode(snapshotResponseCodec, received);
    if (response !== undefined && [...KINDS[request.kind], "unknown", "busy"].includes(response.kind)) return response;
    this.report(peer, "malformed");
    throw new CodedError("UPSTREAM_FAILED", `Peer ${peer} sent a malformed response`);
  }

  report(peer: PeerName, offence: PeerOffence): void {
    this.#dependencies.network.report(peer, offence);
  }

  #weightOf(names: readonly PeerName[]): number {
    const trusted = names.filter((name) => !this.#doubted.has(name)).length;
    return trusted > 0 ? 2 + Math.min(2, trusted) : Math.min(2, names.length);
  }

  #forget(name: PeerName): void {
    this.#announced.delete(name);
    this.#doubted.delete(name);
  }

  async #learn(name: PeerName, signal: AbortSignal): Promise<void> {
    const atMs = this.#dependencies.clock.monotonicMs();
    try {
      const response = await this.ask(name, { kind: "heights" }, signal);
      this.#announced.set(name, { heights: response.kind === "heights" ? response.heights : [], atMs });
    } catch (error) {
      if (!isCodedError(error)) throw error;
      this.#announced.set(name, { heights: [], atMs });
    }
  }
}

/** Most bytes that an honest response has; the limit of the protocol for receipts, of which a single block may have many. */
function mostBytes({ kind }: SnapshotRequest): { readonly responseBytes?: number } {
  if (kind === "receipts") return {};
  return { responseBytes: kind === "heights" ? MESSAGE_BYTES : SNAPSHOT_LIMITS.chunkResponseBytes };
}
