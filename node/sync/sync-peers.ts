// What the peers say about their height, and how far each can be believed: nothing of one that has no blocks to prove it with. A claim that
// proved false counts no more until the peer makes another one; a peer that does not respond is left alone for a while, longer each time.
import { type ChainStatus, holdsBlocks, type PeerName } from "#node/network/peer-network.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock } from "#shared/util/clock.ts";

/** Requests to one peer at a time. */
export const MAX_REQUESTS_PER_PEER = 2;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** How long a claim that proved false is not believed, ms: an honest peer may have had a bad moment. */
const DISBELIEF_MS = 30_000;

interface SyncPeer {
  status: ChainStatus;
  /** Claims above this height proved false … */
  ceiling: Height;
  /** … and are not believed until then. */
  disbeliefEndMs: number;
  requests: number;
  failures: number;
  /** Responses that had fewer blocks than the peer reported having. */
  contradictions: number;
  pausedUntilMs: number;
  /** Order of the last request: the peer that waits longest is asked first. */
  lastAsked: number;
}

/** Connected peers by name. */
export class SyncPeers {
  readonly #clock: Clock;
  readonly #peers = new Map<PeerName, SyncPeer>();
  #asked = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Number of peers that sent a status. */
  get size(): number {
    return this.#peers.size;
  }

  /** A peer sent its status. */
  update(name: PeerName, status: ChainStatus): void {
    const known = this.#peers.get(name);
    if (known === undefined) {
      const counts = { requests: 0, failures: 0, contradictions: 0, pausedUntilMs: 0, lastAsked: 0 };
      this.#peers.set(name, { status, ceiling: Number.MAX_SAFE_INTEGER, disbeliefEndMs: 0, ...counts });
      return;
    }
    known.status = status;
  }

  /** A peer was seen to have a height, for instance because it gossiped that block. */
  raise(name: PeerName, height: Height): void {
    const peer = this.#peers.get(name);
    if (peer !== undefined && peer.status.height < height) peer.status = { ...peer.status, height };
  }

  /** The peer is gone. */
  remove(name: PeerName): void {
    this.#peers.delete(name);
  }

  /** Highest believable height, 0 without peers; of some of them when a filter is given. */
  target(isCounted?: (name: PeerName) => boolean): Height {
    const nowMs = this.#clock.monotonicMs();
    let target = 0;
    for (const [name, peer] of this.#peers) if (isCounted?.(name) !== false) target = Math.max(target, claimOf(peer, nowMs));
    return target;
  }

  /** Why a block cannot be had when all peers that are so high have dropped it; undefined when one has it, or none is known. */
  droppedWords(height: Height): string | undefined {
    const nowMs = this.#clock.monotonicMs();
    const firsts = [...this.#peers.values()].flatMap((peer) => (claimOf(peer, nowMs) < height ? [] : [peer.status.firstHeight]));
    const lowest = Math.min(...firsts);
    if (firsts.length === 0 || lowest <= height) return undefined;
    return `No connected node has block ${height} any more: what they keep begins with block ${lowest}. Connect a node that keeps all blocks, or begin with a state of others: an empty data folder and --sync snapshot`;
  }

  /** The peer to ask for a height: one that has it, has room and is not paused; the idlest first. `except` is never chosen. */
  choose(height: Height, except: ReadonlySet<PeerName>): PeerName | undefined {
    const nowMs = this.#clock.monotonicMs();
    let best: { readonly name: PeerName; readonly peer: SyncPeer } | undefined;
    for (const [name, peer] of this.#peers) {
      const isAble = claimOf(peer, nowMs) >= height && peer.status.firstHeight <= height && peer.requests < MAX_REQUESTS_PER_PEER;
      if (!isAble || peer.pausedUntilMs > nowMs || except.has(name)) continue;
      const isBetter =
        best === undefined ||
        peer.requests < best.peer.requests ||
        (peer.requests === best.peer.requests && peer.lastAsked < best.peer.lastAsked);
      if (isBetter) best = { name, peer };
    }
    return best?.name;
  }

  /** Time until a paused peer may be asked again, ms; undefined when none is paused. */
  untilNextMs(): number | undefined {
    const nowMs = this.#clock.monotonicMs();
    const pauses = [...this.#peers.values()].map(({ pausedUntilMs }) => pausedUntilMs - nowMs).filter((pauseMs) => pauseMs > 0);
    return pauses.length === 0 ? undefined : Math.min(...pauses);
  }

  /** A request to the peer begins. */
  begin(name: PeerName): void {
    const peer = this.#peers.get(name);
    if (peer === undefined) return;
    this.#asked += 1;
    peer.requests += 1;
    peer.lastAsked = this.#asked;
  }

  /** A request ended; `isUseful` says whether it brought what the peer reported having. @returns how many in a row did not. */
  end(name: PeerName, isUseful: boolean): number {
    const peer = this.#peers.get(name);
    if (peer === undefined) return 0;
    peer.requests -= 1;
    if (isUseful) peer.failures = 0;
    else this.#pause(peer);
    return peer.failures;
  }

  /** Blocks of a range that a peer reports having. */
  owed(name: PeerName, { from, count }: { readonly from: Height; readonly count: number }): number {
    const peer = this.#peers.get(name);
    return peer === undefined ? 0 : Math.max(0, Math.min(count, peer.status.height - from + 1));
  }

  /** A response had fewer blocks than its peer reported. @returns how many had, since its claims were last disproved. */
  contradict(name: PeerName): number {
    const peer = this.#peers.get(name);
    if (peer === undefined) return 0;
    peer.contradictions += 1;
    return peer.contradictions;
  }

  /** The peer has no valid block of this height, whatever it says. */
  disprove(name: PeerName, height: Height): void {
    const peer = this.#peers.get(name);
    if (peer === undefined) return;
    peer.ceiling = height - 1;
    peer.contradictions = 0;
    peer.disbeliefEndMs = this.#clock.monotonicMs() + DISBELIEF_MS;
  }

  #pause(peer: SyncPeer): void {
    peer.pausedUntilMs = this.#clock.monotonicMs() + Math.min(FIRST_PAUSE_MS * 2 ** peer.failures, LONGEST_PAUSE_MS);
    peer.failures += 1;
  }
}

function claimOf({ status, ceiling, disbeliefEndMs }: SyncPeer, nowMs: number): Height {
  return !holdsBlocks(status) || (status.height > ceiling && nowMs < disbeliefEndMs) ? 0 : status.height;
}
