// Slows down guessing at a vault where it is asked: after a few wrong passwords each further one waits, twice as long every time. The
// count is stored beside the vault's sealed parts, so neither a reload nor another window begins again. Who has the files themselves is
// slowed down by Argon2id alone.
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import { OneAtATime } from "#shared/util/one-at-a-time.ts";
import type { VaultCopies } from "./vault-copies.ts";
import type { WrongGuesses } from "./vault-format.ts";

/** Wrong passwords that cost no waiting: typing errors. */
export const FREE_GUESSES = 3;
/** Wait after the first one that does. */
export const FIRST_DELAY_MS = 1_000;
/** Longest wait. */
export const MAX_DELAY_MS = 900_000;

/** How long the next try has to wait. A clock that was set back does not lengthen it. */
export function guessDelayMs({ count, atMs }: WrongGuesses, nowMs: number): number {
  if (count < FREE_GUESSES) return 0;
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (count - FREE_GUESSES), MAX_DELAY_MS);
  return Math.min(Math.max(atMs + delayMs - nowMs, 0), delayMs);
}

/** Judges passwords of one vault one after the other. */
export class PasswordGuesses {
  readonly #copies: VaultCopies;
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #tries = new OneAtATime();
  /** What could not be stored, on a disk that cannot be written, counts until the program ends. */
  #unstored: WrongGuesses | undefined;

  constructor(copies: VaultCopies, clock: Pick<Clock, "nowMs">) {
    this.#copies = copies;
    this.#clock = clock;
  }

  /** Tries a password, unless it is too early. @throws CodedError VAULT_GUESS_DELAY, and what `open` throws. */
  try<T>(open: () => Promise<T>): Promise<T> {
    return this.#tries.run(() => this.#try(open));
  }

  async #try<T>(open: () => Promise<T>): Promise<T> {
    const stored = (await this.#copies.load()).good[0]?.file.body.guesses;
    const before = (stored?.count ?? 0) >= (this.#unstored?.count ?? 0) ? stored : this.#unstored;
    const counted = before === undefined ? undefined : await this.#countFirst(before);
    try {
      const opened = await open();
      if (counted !== undefined) await this.#store(() => undefined);
      return opened;
    } catch (error) {
      const atMs = this.#clock.nowMs();
      if (!isCodedError(error, "VAULT_WRONG_PASSWORD")) await this.#store((others) => (others?.count === counted?.count ? before : others));
      else if (counted === undefined) await this.#store((others) => ({ count: (others?.count ?? 0) + 1, atMs }));
      else await this.#store((others) => ({ count: Math.max(counted.count, others?.count ?? 0), atMs }));
      throw error;
    }
  }

  /** Counts a try as a wrong one before it is made: several windows at once would all be in time otherwise. */
  async #countFirst(before: WrongGuesses): Promise<WrongGuesses> {
    await this.#requireWaited(before);
    const counted = { count: before.count + 1, atMs: this.#clock.nowMs() };
    let others: WrongGuesses | undefined;
    await this.#store((stored) => {
      others = stored !== undefined && isAfter(stored, before) ? stored : undefined;
      return others ?? counted;
    });
    return others === undefined ? counted : await this.#countFirst(others);
  }

  async #requireWaited(guesses: WrongGuesses): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const waitMs = guessDelayMs(guesses, nowMs);
    if (waitMs === 0) return;
    // A clock that was set back: the wait begins now, and does not last until the clock is there again.
    if (guesses.atMs > nowMs) await this.#store(() => ({ ...guesses, atMs: nowMs }));
    throw new CodedError("VAULT_GUESS_DELAY", `Too many wrong passwords: wait ${Math.ceil(waitMs / 1_000)} s`, { details: { waitMs } });
  }

  async #store(change: (stored: WrongGuesses | undefined) => WrongGuesses | undefined): Promise<void> {
    this.#unstored = change(this.#unstored);
    const store = this.#copies.update(({ good }) => {
      const newest = good[0]?.file;
      if (newest === undefined) return undefined;
      const { guesses: stored, ...body } = newest.body;
      const guesses = change(stored);
      return { header: newest.header, body: { ...body, generation: body.generation + 1, ...(guesses !== undefined && { guesses }) } };
    });
    await store.catch(() => undefined);
  }
}

/** True when another window has counted since. */
function isAfter(stored: WrongGuesses, before: WrongGuesses): boolean {
  return stored.count > before.count || (stored.count === before.count && stored.atMs > before.atMs);
}
