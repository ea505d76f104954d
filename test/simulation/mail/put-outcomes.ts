// Who has an envelope once its delivery is over, by which of its ranks are there: the real machine, with keepers that confirm or are silent.
import { startDelivery, stepDelivery } from "#node/relay/keepers/delivery/delivery.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";

/** What came of a delivery. */
export interface PutOutcome {
  /** Ranks that hold the envelope, from 0. */
  readonly holders: readonly number[];
  readonly isHandedOver: boolean;
}

/** How long the sender's queue is followed, ms: later tries belong to another hour. */
const FOLLOWED_MS = 60_000;
const KNOWN = new Map<string, PutOutcome>();

/** The outcome for ranks of which these are there. Each pattern is run once. */
export function putOutcome(areThere: readonly boolean[], keeping = 3): PutOutcome {
  const name = `${keeping} ${areThere.map(Number).join("")}`;
  const known = KNOWN.get(name) ?? runDelivery(areThere, keeping);
  KNOWN.set(name, known);
  return known;
}

function runDelivery(areThere: readonly boolean[], keeping: number): PutOutcome {
  const ranks = areThere.map((_, rank) => String(rank));
  const context = { limits: { ...KEEPER_LIMITS, receiptsToForget: keeping }, counts: (): boolean => true, hasBudget: (): boolean => true };
  let delivery = startDelivery({ id: "", bytes: 900, ranks, keeping }, 0);
  const holders = new Set<number>();
  const confirming: string[] = [];
  for (let nowMs = 0; nowMs < FOLLOWED_MS; ) {
    const from = confirming.shift();
    const step = stepDelivery(delivery, from === undefined ? undefined : { is: "receipt", from }, { ...context, nowMs });
    delivery = step.delivery;
    if (step.effects.some(({ is }) => is === "forget")) break;
    const stored = step.effects.flatMap((effect) => (effect.is === "put" && areThere[Number(effect.to)] === true ? [effect.to] : []));
    for (const rank of stored) holders.add(Number(rank));
    confirming.push(...stored);
    if (confirming.length === 0) nowMs = step.nextAtMs;
  }
  return { holders: [...holders], isHandedOver: delivery.isHandedOver };
}
