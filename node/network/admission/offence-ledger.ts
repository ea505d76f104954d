// Offences of one kind of party: subtracted, forgiven with time, and punished by a ban.
import type { Clock } from "#shared/util/clock.ts";
import { SCORE_LIMITS } from "../network-limits.ts";

/** Where bans begin. */
export interface LedgerRules {
  readonly banAt: number;
  readonly lowest: number;
}

/** Offences of one party in the file of peers. */
export interface SavedOffences {
  readonly subject: string;
  /** What is held against it, positive. */
  readonly penalty: number;
  /** Rest of its ban, ms. */
  readonly bannedMs: number;
}

interface Entry {
  score: number;
  atMs: number;
  /** Monotonic time until which the party is banned. */
  bannedUntilMs: number;
}

/** Scores by names of parties. */
export class OffenceLedger {
  readonly #clock: Clock;
  readonly #rules: LedgerRules;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock, rules: LedgerRules) {
    this.#clock = clock;
    this.#rules = rules;
  }

  /** Between the lowest score and 0. */
  score(subject: string): number {
    const entry = this.#entries.get(subject);
    return entry === undefined ? 0 : decayed(entry, this.#clock.monotonicMs());
  }

  isBanned(subject: string): boolean {
    return (this.#entries.get(subject)?.bannedUntilMs ?? 0) > this.#clock.monotonicMs();
  }

  /** Parties that are banned now. */
  get bans(): number {
    const nowMs = this.#clock.monotonicMs();
    let count = 0;
    for (const { bannedUntilMs } of this.#entries.values()) if (bannedUntilMs > nowMs) count += 1;
    return count;
  }

  /** Counts an offence; gives the score. At the bottom the party is banned for `banMs`, with its score or with a new one. */
  add(subject: string, cost: number, { banMs, startsAgain }: { readonly banMs: number; readonly startsAgain: boolean }): number {
    const nowMs = this.#clock.monotonicMs();
    const entry = this.#entries.get(subject) ?? { score: 0, atMs: nowMs, bannedUntilMs: 0 };
    this.#remember(subject, entry);
    const score = Math.max(this.#rules.lowest, decayed(entry, nowMs) - cost);
    entry.score = score;
    entry.atMs = nowMs;
    if (score <= this.#rules.banAt) {
      entry.bannedUntilMs = nowMs + banMs;
      if (startsAgain) entry.score = 0;
    }
    return score;
  }

  /** What outlives this run. */
  saved(): readonly SavedOffences[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#entries].flatMap(([subject, entry]) => {
      const penalty = Math.round(-decayed(entry, nowMs));
      const bannedMs = Math.max(0, Math.round(entry.bannedUntilMs - nowMs));
      return penalty === 0 && bannedMs === 0 ? [] : [{ subject, penalty, bannedMs }];
    });
  }

  /** Takes what an earlier run held against parties, so long ago. */
  restore(saved: readonly SavedOffences[], agoMs: number): void {
    const nowMs = this.#clock.monotonicMs();
    for (const { subject, penalty, bannedMs } of saved) {
      const banMs = Math.min(SCORE_LIMITS.banMs, bannedMs) - agoMs;
      const score = Math.max(this.#rules.lowest, -penalty);
      this.#remember(subject, { score, atMs: nowMs - agoMs, bannedUntilMs: banMs > 0 ? nowMs + banMs : 0 });
    }
  }

  #remember(subject: string, entry: Entry): void {
    this.#entries.delete(subject);
    if (this.#entries.size >= SCORE_LIMITS.entries) {
      const oldest = this.#entries.keys().next();
      if (oldest.done !== true) this.#entries.delete(oldest.value);
    }
    this.#entries.set(subject, entry);
  }
}

function decayed({ score, atMs }: Entry, nowMs: number): number {
  const current = score * 0.5 ** ((nowMs - atMs) / SCORE_LIMITS.halfLifeMs);
  return current > -0.1 ? 0 : current;
}
