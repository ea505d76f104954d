// What each sender may cost beyond what an honest one needs: a lasting rate with a burst on top.

interface Account {
  tokens: number;
  atMs: number;
}

/** Accounts that are remembered; the least recently used one goes first, and is full again then. */
const MAX_ACCOUNTS = 1_024;

/** Tokens by name, filled up with time. */
export class Allowance {
  readonly #rate: { readonly perSecond: number; readonly burst: number };
  readonly #accounts = new Map<string | number, Account>();

  constructor(rate: { readonly perSecond: number; readonly burst: number }) {
    this.#rate = rate;
  }

  /** Takes tokens and says true, or takes none. */
  take(name: string | number, count: number, nowMs: number): boolean {
    const { perSecond, burst } = this.#rate;
    const known = this.#accounts.get(name) ?? { tokens: burst, atMs: nowMs };
    const tokens = Math.min(burst, known.tokens + (Math.max(0, nowMs - known.atMs) / 1_000) * perSecond);
    const isEnough = tokens >= count;
    this.#accounts.delete(name);
    this.#accounts.set(name, { tokens: isEnough ? tokens - count : tokens, atMs: nowMs });
    const oldest = this.#accounts.size > MAX_ACCOUNTS ? this.#accounts.keys().next() : undefined;
    if (oldest !== undefined && oldest.done !== true) this.#accounts.delete(oldest.value);
    return isEnough;
  }
}
