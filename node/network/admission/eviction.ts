// Who makes room when all inbound slots are taken (as Bitcoin Core's SelectNodeToEvict): not the peers that are hard to imitate, because they
// come from different networks, respond quickly, were first with what counts, or stay for long; of the others, the youngest of the network
// that has most.
import { PEER_LIMITS } from "../peer-limits.ts";

/** An inbound connection as far as its worth goes. Times are monotonic, ms; −∞ for never. */
export interface EvictionCandidate {
  readonly id: string;
  /** Network that it comes from. */
  readonly group: string;
  readonly connectedAtMs: number;
  /** Null before it was measured. */
  readonly latencyMs: number | null;
  readonly lastBlockMs: number;
  readonly lastTransactionMs: number;
  readonly lastEnvelopeMs: number;
  /** True once it has sent its status. */
  readonly isReady: boolean;
  /** At most 0. */
  readonly score: number;
}

/** Surroundings of a choice. */
export interface EvictionContext {
  readonly nowMs: number;
  /** A number for a network that no stranger can foresee. */
  readonly rankOf: (group: string) => number;
}

type Order = (candidate: EvictionCandidate) => number;

/** The connection to end, undefined when all of them are worth more than a new one. */
export function selectEviction(candidates: readonly EvictionCandidate[], context: EvictionContext): EvictionCandidate | undefined {
  const idle = longestIdle(candidates, context);
  if (idle !== undefined) return idle;
  let left = withoutNetworks(candidates, context);
  left = without(left, PEER_LIMITS.protectedByLatency, ({ latencyMs }) => (latencyMs === null ? Number.NEGATIVE_INFINITY : -latencyMs));
  left = without(left, PEER_LIMITS.protectedByTransactions, ({ lastTransactionMs }) => lastTransactionMs);
  left = without(left, PEER_LIMITS.protectedByEnvelopes, ({ lastEnvelopeMs }) => lastEnvelopeMs);
  left = without(left, PEER_LIMITS.protectedByBlocks, ({ lastBlockMs }) => lastBlockMs);
  left = without(left, Math.floor(left.length / 2), ({ connectedAtMs }) => -connectedAtMs);
  const offenders = left.filter(({ score }) => score < 0);
  return youngestOfLargest(offenders.length > 0 ? offenders : left);
}

/** The connection to end among those of one address: one that says nothing, or the youngest that does harm; undefined when all behave. */
export function selectUseless(candidates: readonly EvictionCandidate[], context: EvictionContext): EvictionCandidate | undefined {
  return longestIdle(candidates, context) ?? youngestOfLargest(candidates.filter(({ score }) => score < 0));
}

function longestIdle(candidates: readonly EvictionCandidate[], { nowMs }: EvictionContext): EvictionCandidate | undefined {
  const idle = candidates.filter(({ isReady, connectedAtMs }) => !isReady && nowMs - connectedAtMs >= PEER_LIMITS.unreadyMs);
  return highest(idle, ({ connectedAtMs }) => -connectedAtMs);
}

/** Leaves out the longest connected peer of a few networks that no one can foresee. */
function withoutNetworks(candidates: readonly EvictionCandidate[], { rankOf }: EvictionContext): readonly EvictionCandidate[] {
  const groups = [...new Set(candidates.map(({ group }) => group))].sort((a, b) => rankOf(b) - rankOf(a));
  const safe = groups.slice(0, PEER_LIMITS.protectedByNetwork).map((group) =>
    highest(
      candidates.filter((each) => each.group === group),
      ({ connectedAtMs }) => -connectedAtMs,
    ),
  );
  return candidates.filter((each) => !safe.includes(each));
}

/** Leaves out the first of an order, as far as they have a value in it. */
function without(candidates: readonly EvictionCandidate[], count: number, order: Order): readonly EvictionCandidate[] {
  const first = candidates.filter((each) => Number.isFinite(order(each))).sort((a, b) => order(b) - order(a));
  const safe = new Set(first.slice(0, count));
  return candidates.filter((each) => !safe.has(each));
}

function youngestOfLargest(candidates: readonly EvictionCandidate[]): EvictionCandidate | undefined {
  const groups = Map.groupBy(candidates, ({ group }) => group);
  const youngest = [...groups.values()].map((members) => ({ size: members.length, member: highest(members, ageOrder) }));
  const largest = youngest.sort((a, b) => b.size - a.size || ageOrder(b.member) - ageOrder(a.member))[0];
  return largest?.member;
}

function ageOrder(candidate: EvictionCandidate | undefined): number {
  return candidate?.connectedAtMs ?? Number.NEGATIVE_INFINITY;
}

function highest(candidates: readonly EvictionCandidate[], order: Order): EvictionCandidate | undefined {
  return candidates.reduce<EvictionCandidate | undefined>(
    (best, each) => (best === undefined || order(each) > order(best) ? each : best),
    undefined,
  );
}
