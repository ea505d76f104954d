// When a node announces its version: at an even pace, and soon after peers came or validators went, though not for each of many.
import type { Clock } from "#shared/util/clock.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { NetworkOptions } from "../network-options.ts";
import type { PeerName } from "../peer-network.ts";
import { encodeAnnouncement } from "../wire/version-announcement.ts";

/** What announcing works with. */
export interface VersionAnnouncerDependencies {
  readonly clock: Pick<Clock, "nowMs">;
  /** Peers that gossip reaches now. One that was met is reached some time later, once its stream for gossip is open both ways. */
  reached(): readonly PeerName[];
  /** Publishes an announcement of a second; each is later than the one before. */
  publish(atSec: number): void;
}

/** Announces the own version. */
export class VersionAnnouncer {
  readonly #dependencies: VersionAnnouncerDependencies;
  /** Peers that were met and that no announcement has been sent to. */
  readonly #unaware = new Set<PeerName>();
  /** Something changed that is of interest to those who are reached. */
  #isDue = false;
  #atSec = 0;

  constructor(dependencies: VersionAnnouncerDependencies) {
    this.#dependencies = dependencies;
  }

  /** A peer was met. It may be out of reach of gossip by itself: then others pass the announcement on to it. */
  noteMet(peer: PeerName): void {
    this.#unaware.add(peer);
    this.#isDue = true;
  }

  /** A peer is gone. */
  noteGone(peer: PeerName): void {
    this.#unaware.delete(peer);
  }

  /** Another route to this node is needed. */
  noteChange(): void {
    this.#isDue = true;
  }

  /** Announces when there is a reason to and the last time is long enough ago. Called again and again. */
  maintain(): void {
    const agoMs = this.#dependencies.clock.nowMs() - this.#atSec * 1_000;
    if (agoMs <= NETWORK_LIMITS.versionPauseMs) return;
    if (this.#isDue || this.#dependencies.reached().some((peer) => this.#unaware.has(peer))) this.announce();
  }

  /** Announces, unless gossip reaches no peer: it would drop the announcement without a word. */
  announce(): void {
    const reached = this.#dependencies.reached();
    if (reached.length === 0) return;
    this.#isDue = false;
    for (const peer of reached) this.#unaware.delete(peer);
    this.#atSec = Math.max(this.#atSec + 1, Math.floor(this.#dependencies.clock.nowMs() / 1_000));
    this.#dependencies.publish(this.#atSec);
  }
}

/** What a node announces at a second: its versions, and the validator that it acts for. */
export function ownAnnouncement(
  { chainId, nodeKey, versions, validator }: Pick<NetworkOptions, "chainId" | "nodeKey" | "versions" | "validator">,
  atSec: number,
): Uint8Array {
  return encodeAnnouncement(chainId, { ...versions, nodeKey: nodeKey.publicKey, atSec }, nodeKey.secret, validator?.seat());
}
