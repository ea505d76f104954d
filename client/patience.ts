// What is tried again, and when: Parley starts again, is locked for a while, or has too much to do.
import { setTimeout as delay } from "node:timers/promises";
import { ParleyError } from "./client-error.ts";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
/** Statuses of a moment: too many requests, the node or the messenger is not there. */
const MOMENTARY = new Set([429, 502, 503]);

/** What counts as a moment, and how long it may take. */
export interface Patience {
  /** Longest time from the first try to the last, ms. */
  readonly patienceMs: number;
  /** Also while keyring or wallet is locked. */
  readonly waitsForUnlock?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called with what is waited for, before each wait. */
  readonly onWait?: ((reason: ParleyError) => void) | undefined;
}

/** True for a failure that passes by itself, or when the person unlocks. */
export function isMomentary(error: unknown, waitsForUnlock: boolean): error is ParleyError {
  if (!(error instanceof ParleyError)) return false;
  if (error.code === "UNREACHABLE") return true;
  // Two refusals in a row are an answer.
  if (error.code === "APP_SILENCED") return false;
  return MOMENTARY.has(error.status) || (waitsForUnlock && error.status === 423);
}

/** Waits between tries: longer each time, never at the same moment as other programs. */
export class Backoff {
  #nextMs = FIRST_WAIT_MS;

  /** After a try that went well. */
  reset(): void {
    this.#nextMs = FIRST_WAIT_MS;
  }

  /** How long to wait now, ms. */
  next(atLeastMs = 0): number {
    const waitMs = Math.max(atLeastMs, this.#nextMs * (0.5 + Math.random() / 2));
    this.#nextMs = Math.min(2 * this.#nextMs, LONGEST_WAIT_MS);
    return waitMs;
  }
}

/** Tries until it works, fails for good, or the patience is over; then with the last failure. */
export async function tryPatiently<T>(attempt: () => Promise<T>, patience: Patience): Promise<T> {
  const { patienceMs, waitsForUnlock = false, signal, onWait } = patience;
  const startedMs = performance.now();
  const backoff = new Backoff();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isMomentary(error, waitsForUnlock)) throw error;
      const waitMs = backoff.next(error.retryAfterMs);
      if (performance.now() - startedMs + waitMs > patienceMs) throw error;
      onWait?.(error);
      await pause(waitMs, signal);
    }
  }
}

/** Waits. @throws the reason of the signal */
export async function pause(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(waitMs, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throw signal?.aborted === true ? signal.reason : error;
  }
}
