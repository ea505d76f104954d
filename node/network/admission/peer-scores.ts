// What this node holds against its peers, and against the addresses they come from: a new peer id costs nothing, a new address does.
// gossipsub keeps a score of its own beside it.
import type { Clock } from "#shared/util/clock.ts";
import type { PeerSource } from "../addresses/peer-source.ts";
import { SCORE_LIMITS } from "../network-limits.ts";
import type { PeerName, PeerOffence } from "../peer-network.ts";
import { OffenceLedger, type SavedOffences } from "./offence-ledger.ts";

/** What is to be done with a peer after an offence. */
export type ScoreAction = "keep" | "disconnect";

/** Scores that outlive a restart. */
export interface SavedScores {
  readonly peers: readonly SavedOffences[];
  readonly hosts: readonly SavedOffences[];
  readonly subnets: readonly SavedOffences[];
}

/** How scores are counted. */
export interface PeerScoreOptions {
  readonly clock: Clock;
  readonly isValidator: (peer: PeerName) => boolean;
  /** True for peers whose address is never held responsible: the operator named them, or the chain needs them. */
  readonly isExempt: (peer: PeerName) => boolean;
  /** Whether addresses that are not public count; by default they do not: many nodes of a test, or the whole world behind a proxy. */
  readonly limitsLocal?: boolean;
}

/** Scores of peers, connected or not: a reconnect forgives nothing. */
export class PeerScores {
  readonly #options: PeerScoreOptions;
  readonly #peers: OffenceLedger;
  readonly #hosts: OffenceLedger;
  readonly #subnets: OffenceLedger;
  readonly #floodAtMs = new Map<PeerName, number>();
  readonly #offences: Record<PeerOffence, number> = { malformed: 0, invalid: 0, wrongChain: 0, lie: 0, unresponsive: 0, flood: 0 };

  constructor(options: PeerScoreOptions) {
    this.#options = options;
    const { clock } = options;
    const { banAt, lowest, hostBanAt, subnetBanAt } = SCORE_LIMITS;
    this.#peers = new OffenceLedger(clock, { banAt, lowest });
    this.#hosts = new OffenceLedger(clock, { banAt: hostBanAt, lowest: 2 * hostBanAt });
    this.#subnets = new OffenceLedger(clock, { banAt: subnetBanAt, lowest: 2 * subnetBanAt });
  }

  /** Bans that hold now. */
  get bans(): { readonly peers: number; readonly hosts: number; readonly subnets: number } {
    return { peers: this.#peers.bans, hosts: this.#hosts.bans, subnets: this.#subnets.bans };
  }

  /** Offences that were counted since the start. */
  get offences(): Readonly<Record<PeerOffence, number>> {
    return this.#offences;
  }

  /** Between the lowest score and 0. */
  score(peer: PeerName): number {
    return this.#peers.score(peer);
  }

  isBanned(peer: PeerName): boolean {
    return this.#peers.isBanned(peer);
  }

  /** True for an address, or a subnet, of which too much came. */
  isSourceBanned(source: PeerSource): boolean {
    return this.#counts(source) && (this.#hosts.isBanned(source.host) || this.#subnets.isBanned(source.subnet));
  }

  /** Counts an offence. A flood counts once a second, however many messages it has. */
  report(peer: PeerName, offence: PeerOffence, source?: PeerSource): ScoreAction {
    if (offence === "flood" && !this.#isNewFlood(peer)) return "keep";
    this.#offences[offence] += 1;
    const cost = SCORE_LIMITS.costs[offence];
    const isValidator = this.#options.isValidator(peer);
    // A validator that is let in again starts at 0: with its old score, its first stumble would send it away once more.
    const banMs = isValidator ? SCORE_LIMITS.validatorBanMs : SCORE_LIMITS.banMs;
    const score = this.#peers.add(peer, cost, { banMs, startsAgain: isValidator });
    // A node of another chain means no harm to this one.
    if (offence !== "wrongChain" && source !== undefined && this.#counts(source) && !this.#options.isExempt(peer)) {
      const punishment = { banMs: SCORE_LIMITS.banMs, startsAgain: false };
      this.#hosts.add(source.host, cost, punishment);
      this.#subnets.add(source.subnet, cost, punishment);
    }
    return score > SCORE_LIMITS.disconnectAt ? "keep" : "disconnect";
  }

  saved(): SavedScores {
    return { peers: this.#peers.saved(), hosts: this.#hosts.saved(), subnets: this.#subnets.saved() };
  }

  /** Takes the scores of an earlier run. */
  restore(saved: SavedScores, agoMs: number): void {
    this.#peers.restore(saved.peers, agoMs);
    this.#hosts.restore(saved.hosts, agoMs);
    this.#subnets.restore(saved.subnets, agoMs);
  }

  #counts({ isLocal }: PeerSource): boolean {
    return !isLocal || this.#options.limitsLocal === true;
  }

  #isNewFlood(peer: PeerName): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - (this.#floodAtMs.get(peer) ?? Number.NEGATIVE_INFINITY) < SCORE_LIMITS.floodIntervalMs) return false;
    this.#floodAtMs.delete(peer);
    if (this.#floodAtMs.size >= SCORE_LIMITS.entries) {
      const oldest = this.#floodAtMs.keys().next();
      if (oldest.done !== true) this.#floodAtMs.delete(oldest.value);
    }
    this.#floodAtMs.set(peer, nowMs);
    return true;
  }
}
