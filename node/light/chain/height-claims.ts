// How far the peers say that they are, and which of that is believed: a claim that nothing came of counts no more.
import type { PeerName } from "#node/network/peer-network.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { LightPeer } from "../light-peers.ts";

/** A claim that is not reached in this time is not believed, ms. */
export const STALL_MS = 10_000;
/** One block behind is the normal course of a network. */
const NORMAL_LAG = 1;
/** A peer whose block did not verify is not believed for this long, ms: an honest one may have had a bad moment. */
const DISBELIEF_MS = 30_000;

/** What the peers together say. */
export interface HeightView {
  /** The highest claim that is believed, the own tip at least: of peers that have proven something, when there are any. */
  readonly target: Height;
  readonly isBehind: boolean;
  /** True when there are peers, and each claims more than it could prove. */
  readonly isUnproven: boolean;
}

interface Claim {
  readonly height: Height;
  readonly sinceMs: number;
}

/** Claims of connected peers. */
export class HeightClaims {
  readonly #clock: Clock;
  readonly #claims = new Map<PeerName, Claim>();
  readonly #disbelievedUntilMs = new Map<PeerName, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A peer did not prove what it offered. */
  disbelieve(peer: PeerName): void {
    this.#disbelievedUntilMs.set(peer, this.#clock.monotonicMs() + DISBELIEF_MS);
  }

  /** Compares the claims with the own tip. */
  compare(peers: readonly LightPeer[], tip: Height): HeightView {
    const names = new Set(peers.map(({ name }) => name));
    for (const memory of [this.#claims, this.#disbelievedUntilMs])
      for (const name of memory.keys()) if (!names.has(name)) memory.delete(name);
    const believed = peers.filter((peer) => this.#isBelieved(peer, tip));
    const proven = believed.filter(({ isProven }) => isProven);
    const counted = proven.length > 0 ? proven : believed;
    const target = counted.reduce((highest, { height }) => Math.max(highest, height), tip);
    return { target, isBehind: target > tip + NORMAL_LAG, isUnproven: peers.length > 0 && believed.length === 0 };
  }

  #isBelieved({ name, height }: LightPeer, tip: Height): boolean {
    if (height <= tip + NORMAL_LAG) {
      this.#claims.delete(name);
      return true;
    }
    const nowMs = this.#clock.monotonicMs();
    const known = this.#claims.get(name);
    const claim = known === undefined || known.height <= tip ? { height, sinceMs: nowMs } : known;
    this.#claims.set(name, claim);
    return nowMs - claim.sinceMs < STALL_MS && nowMs >= (this.#disbelievedUntilMs.get(name) ?? 0);
  }
}
