// A keyring with its surroundings in memory: storage that can be damaged, a clock and timers that the test moves.
import { randomBytes } from "node:crypto";
import { Keyring } from "#shared/keyring/keyring.ts";
import type { KeyringDependencies } from "#shared/keyring/keyring-dependencies.ts";
import type { VaultCopy, VaultStorage } from "#shared/keyring/vault/vault-copies.ts";
import type { Argon2Parameters } from "#shared/keyring/vault/vault-format.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import type { CancelTimer, Clock, RandomBytes, Timers } from "#shared/util/clock.ts";

/** Argon2id at its cheapest. */
export const CHEAP_ARGON2: Argon2Parameters = { memoryKib: 8, iterations: 1, parallelism: 1 };

export const systemRandom: RandomBytes = (length) => new Uint8Array(randomBytes(length));

/** Vault storage in memory; `copies` may be changed by the test. */
export class MemoryVault implements VaultStorage {
  readonly copies = new Map<VaultCopy, Uint8Array>();
  readonly writes: VaultCopy[] = [];
  failWriteOf: VaultCopy | undefined;

  async read(copy: VaultCopy): Promise<Uint8Array | undefined> {
    return this.copies.get(copy)?.slice();
  }

  async replace(copy: VaultCopy, expected: Uint8Array | undefined, bytes: Uint8Array): Promise<boolean> {
    if (this.failWriteOf === copy) throw new Error("disk full");
    const stored = this.copies.get(copy);
    const isExpected = stored === undefined || expected === undefined ? stored === expected : equalBytes(stored, expected);
    if (!isExpected) return false;
    this.writes.push(copy);
    this.copies.set(copy, bytes.slice());
    return true;
  }

  /** Flips one bit of a copy. */
  damage(copy: VaultCopy, offset = 40): void {
    const bytes = this.copies.get(copy);
    if (bytes !== undefined) bytes[offset] = (bytes[offset] ?? 0) ^ 1;
  }
}

/** Longest delay of a timer of a browser. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Clock and timers that move only on `advance`. */
export class ManualTime implements Clock, Timers {
  #nowMs: number;
  #wrongMs = 0;
  #nextTimer = 1;
  readonly #timers = new Map<number, { readonly dueMs: number; readonly callback: () => void }>();

  constructor(startMs = 1_800_000_000_000) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs + this.#wrongMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  /** @throws RangeError for a delay that browsers cannot hold: they would call back at once. */
  setTimer(delayMs: number, callback: () => void): CancelTimer {
    if (delayMs > MAX_DELAY_MS) throw new RangeError(`A timer of ${delayMs} ms overflows in a browser`);
    const id = this.#nextTimer;
    this.#nextTimer += 1;
    this.#timers.set(id, { dueMs: this.#nowMs + delayMs, callback });
    return (): void => void this.#timers.delete(id);
  }

  /** Moves time on and runs what is due, in order. */
  advance(ms: number): void {
    const end = this.#nowMs + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, timer]) => timer.dueMs <= end).sort(([, a], [, b]) => a.dueMs - b.dueMs)[0];
      if (due === undefined) break;
      this.#timers.delete(due[0]);
      this.#nowMs = Math.max(this.#nowMs, due[1].dueMs);
      due[1].callback();
    }
    this.#nowMs = end;
  }

  /** Lets time pass as in sleep: no timer runs. */
  sleep(ms: number): void {
    this.#nowMs += ms;
  }

  /** The clock is set so far ahead, or back where it is less than zero: no time passes with that. */
  setAhead(ms: number): void {
    this.#wrongMs = ms;
  }

  get pendingTimers(): number {
    return this.#timers.size;
  }
}

/** A keyring on fresh or given surroundings. */
export function createTestKeyring(
  storage = new MemoryVault(),
  time = new ManualTime(),
  host: Pick<KeyringDependencies, "confirm" | "keychain" | "kem" | "lateKem"> = {},
): { keyring: Keyring; storage: MemoryVault; time: ManualTime } {
  const keyring = new Keyring({ storage, random: systemRandom, clock: time, timers: time, argon2: CHEAP_ARGON2, ...host });
  return { keyring, storage, time };
}
