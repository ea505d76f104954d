// Requests to a node that is away: one of them finds out whether it is back, ever more rarely; the others fail at once, without the
// network. What a person sends is always tried.
import type { HttpFetch } from "#shared/api/client.ts";
import type { Clock } from "#shared/util/clock.ts";

/** Pause after the first failure; each further one doubles it. */
const FIRST_PAUSE_MS = 1_000;
export const LAST_PAUSE_MS = 10_000;

export interface PatientFetchOptions {
  readonly fetch: HttpFetch;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** True while the node is known to be there: then nothing is held back. */
  readonly isConnected: () => boolean;
}

/** A fetch function that is patient with a node that is away. What it holds back fails with the last error of the network. */
export function createPatientFetch({ fetch, clock, isConnected }: PatientFetchOptions): HttpFetch {
  /** 0 while the node responds. */
  let pauseMs = 0;
  let untilMs = 0;
  let lastError: unknown;
  const begin = (next: number): void => {
    pauseMs = Math.min(LAST_PAUSE_MS, next);
    untilMs = clock.monotonicMs() + pauseMs;
  };
  const noteFailure = (error: unknown): void => {
    lastError = error;
    if (pauseMs === 0) begin(FIRST_PAUSE_MS);
  };
  /** Lets one through when the pause is over; the next pause begins with it. */
  const isHeldBack = (): boolean => {
    if (clock.monotonicMs() < untilMs) return true;
    begin(2 * pauseMs);
    return false;
  };
  return async (target, init) => {
    if (isConnected()) pauseMs = 0;
    if (pauseMs > 0 && init.method === "GET" && isHeldBack()) throw lastError;
    try {
      const response = await fetch(target, init);
      pauseMs = 0;
      return response;
    } catch (error) {
      if (init.signal?.aborted !== true) noteFailure(error);
      throw error;
    }
  };
}
