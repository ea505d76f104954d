// Work that is done again and again: at once while there is more of it, else after a pause.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Timers } from "#shared/util/clock.ts";
import { FAILURE_PAUSE_MS } from "./gateway-limits.ts";

export interface Rounds {
  readonly timers: Timers;
  /** Between rounds where there was nothing to do. */
  readonly idlePauseMs: number;
  /** One round; true when there may be more at once. */
  readonly work: () => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

/** Begins; returns the way to stop, which waits for the round that runs. */
export function repeatRounds({ timers, idlePauseMs, work, onError }: Rounds): () => Promise<void> {
  let isStopped = false;
  let hasFailed = false;
  let running = Promise.resolve();
  const run = async (): Promise<void> => {
    let pauseMs = idlePauseMs;
    try {
      if (await work()) pauseMs = 0;
      hasFailed = false;
    } catch (error) {
      // Once for a time without the other side.
      if (!hasFailed || !isCodedError(error)) onError(error);
      hasFailed = true;
      pauseMs = FAILURE_PAUSE_MS;
    }
    if (!isStopped) cancel = timers.setTimer(pauseMs, begin);
  };
  const begin = (): void => {
    running = run();
  };
  let cancel = timers.setTimer(0, begin);
  return async (): Promise<void> => {
    isStopped = true;
    cancel();
    await running;
    cancel();
  };
}
