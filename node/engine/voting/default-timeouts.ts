// Timeouts of rounds by kind of network.
import type { RoundTimeouts } from "#node/consensus/state.ts";

/** Timeouts of a network of strangers' machines. */
export const DEFAULT_TIMEOUTS: RoundTimeouts = {
  proposeMs: 3_000,
  prevoteMs: 1_000,
  precommitMs: 1_000,
  deltaMs: 500,
  rebroadcastMs: 2_000,
};
/** Timeouts of a development network on one machine. */
export const DEVELOPMENT_TIMEOUTS: RoundTimeouts = { proposeMs: 500, prevoteMs: 200, precommitMs: 200, deltaMs: 100, rebroadcastMs: 500 };
/** Timeouts of a development network of several nodes, which share the processors of one machine. */
export const LOCAL_NETWORK_TIMEOUTS: RoundTimeouts = {
  proposeMs: 2_000,
  prevoteMs: 1_000,
  precommitMs: 1_000,
  deltaMs: 500,
  rebroadcastMs: 1_000,
};
