// Proposer-based time: whether the time of a newly proposed block is believable here and now.

/** How far two honest clocks may differ, ms. A block further ahead would expire everybody's transactions. */
export const CLOCK_PRECISION_MS = 5_000;
/** How long a proposal may travel in round 0, ms; a tenth more in each later round. */
export const MESSAGE_DELAY_MS = 15_000;

const DELAY_GROWTH = 1.1;
/** Beyond this round the window no longer grows: it is days wide by then. */
const MAX_GROWTH_ROUND = 100;

/** True when `blockTimeMs` lies within [now − 15 s · 1.1^round − 5 s, now + 5 s] of the receiver's clock. */
export function isTimelyProposal(blockTimeMs: number, nowMs: number, round: number): boolean {
  const delayMs = MESSAGE_DELAY_MS * DELAY_GROWTH ** Math.min(round, MAX_GROWTH_ROUND);
  return blockTimeMs >= nowMs - delayMs - CLOCK_PRECISION_MS && blockTimeMs <= nowMs + CLOCK_PRECISION_MS;
}
