// Waiting for a condition instead of sleeping.
import { setTimeout as delay } from "node:timers/promises";

/** For a machine with far more to do than it has processors; below the limit of a unit test, which could not say what it waited for. */
const DEFAULT_MS = 45_000;

/** How long and how often to look. */
export interface PollOptions {
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  /** Named in the error when the time is over. */
  readonly what?: string;
}

/**
 * Calls `probe` until it gives something other than undefined or false, and returns that. An error of the probe counts as "not yet".
 * @throws Error when the time is over, with the probe's last error as cause.
 */
export async function pollUntil<T>(probe: () => T | Promise<T>, options: PollOptions = {}): Promise<Exclude<T, undefined | false>> {
  const { timeoutMs = DEFAULT_MS, intervalMs = 20, what = "the condition" } = options;
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  do {
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    await delay(intervalMs);
  } while (performance.now() < deadline);
  throw new Error(`Waited ${timeoutMs} ms for ${what}`, { cause: lastError });
}
