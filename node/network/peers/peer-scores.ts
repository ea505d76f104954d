// What this node holds against its peers. Offences are subtracted and forgiven with time; gossipsub keeps a score of its own beside it.
import type { Clock } from "#shared/util/clock.ts";
import { SCORE_LIMITS } from "../network-limits.ts";
import type { PeerName, PeerOffence } from "../peer-network.ts";

/** What is to be done with a peer after an offence. */
export type ScoreAction = "keep" | "disconnect";

interface Entry {
  score: number;
  atMs: number;
  /** Monotonic time until which the peer is banned. */
  bannedUntilMs: number;
  floodAtMs: number;
}

/** Scores of peers, connected or not: a reconnect forgives nothing. */
export class PeerScores {
  readonly #clock: Clock;
  readonly #isValidator: (peer: PeerName) => boolean;
  readonly #entries = new Map<PeerName, Entry>();

  constructor(clock: Clock, isValidator: (peer: PeerName) => boolean) {
    this.#clock = clock;
    this.#isValidator = isValidator;
  }

  /** Between the lowest score and 0. */
  score(peer: PeerName): number {
    const entry = this.#entries.get(peer);
    return entry === undefined ? 0 : decayed(entry, this.#clock.monotonicMs());
  }

  isBanned(peer: PeerName): boolean {
    return (this.#entries.get(peer)?.bannedUntilMs ?? 0) > this.#clock.monotonicMs();
  }

  /** Counts an offence. A flood counts once a second, however many messages it has. */
  report(peer: PeerName, offence: PeerOffence): ScoreAction {
    const nowMs = this.#clock.monotonicMs();
    const entry = this.#entries.get(peer) ?? { score: 0, atMs: nowMs, bannedUntilMs: 0, floodAtMs: Number.NEGATIVE_INFINITY };
    this.#remember(peer, entry);
    if (offence === "flood") {
      if (nowMs - entry.floodAtMs < SCORE_LIMITS.floodIntervalMs) return "keep";
      entry.floodAtMs = nowMs;
    }
    entry.score = Math.max(SCORE_LIMITS.lowest, decayed(entry, nowMs) - SCORE_LIMITS.costs[offence]);
    entry.atMs = nowMs;
    if (entry.score > SCORE_LIMITS.disconnectAt) return "keep";
    if (entry.score <= SCORE_LIMITS.banAt) this.#ban(peer, entry, nowMs);
    return "disconnect";
  }

  #ban(peer: PeerName, entry: Entry, nowMs: number): void {
    const isValidator = this.#isValidator(peer);
    entry.bannedUntilMs = nowMs + (isValidator ? SCORE_LIMITS.validatorBanMs : SCORE_LIMITS.banMs);
    // A validator that is let in again starts at 0: with its old score, its first stumble would send it away once more.
    if (isValidator) entry.score = 0;
  }

  #remember(peer: PeerName, entry: Entry): void {
    this.#entries.delete(peer);
    if (this.#entries.size >= SCORE_LIMITS.entries) {
      const oldest = this.#entries.keys().next();
      if (oldest.done !== true) this.#entries.delete(oldest.value);
    }
    this.#entries.set(peer, entry);
  }
}

function decayed({ score, atMs }: Entry, nowMs: number): number {
  const current = score * 0.5 ** ((nowMs - atMs) / SCORE_LIMITS.halfLifeMs);
  return current > -0.1 ? 0 : current;
}
