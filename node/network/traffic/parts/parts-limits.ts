// Limits of proposals that travel in parts. docs/limits.md lists them.

export const PARTS_LIMITS = {
  /** Bytes of the blocks of one proposer that are being collected, or stored to be passed on. */
  proposerBytes: 8_388_608,
  /** The same of all proposers: the oldest go first. */
  totalBytes: 25_165_824,
  /** Proposals of one validator for one round: more than one is evidence, more than two are noise. */
  proposalsPerRound: 2,
  /** No part came for so long, ms: what is missing is requested … */
  patienceMs: 300,
  /** … and again after so long, ms. */
  askAgainMs: 500,
  /** A complete proposal is delivered again after so long at the soonest, ms: its proposer repeats what may have come too early. */
  deliverAgainMs: 400,
  /** Validators after the first relays of a part that request it, to pass it on in their place, at each of the first two requests. */
  spareRelays: 2,
  /** A peer gets each part of a block so often at most, when it requests it. */
  servedCopies: 2,
} as const;
