// How evenly slots spread over keepers: every slot, every box, all keepers, at one time.
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { rankKeepers } from "#shared/protocol/keepers/placement.ts";
import { createRandom } from "#test/support/host/random.ts";
import { countBoxes } from "./churn-month.ts";
import { hashText, simulatedKeeper, weightOf } from "./simulated-relays.ts";

/** Load over the share that a keeper's weight stands for. */
export interface LoadSpread {
  readonly median: number;
  readonly p99: number;
  readonly most: number;
}

/** Boxes of keepers by their share, over every so many-th slot. */
export function simulateLoad(seed: number, relays: number, people: number, slotStep = 1): LoadSpread {
  const random = createRandom(seed);
  const keepers = Array.from({ length: relays }, (_, n) => simulatedKeeper(`${seed} ${n}`, random));
  const loads = new Map(keepers.map(({ key }) => [key, 0]));
  let boxes = 0;
  for (const [slot, count] of countBoxes(people, slotStep)) {
    const period = { slot, seed: hashText(`${seed} seed ${slot % KEEPER_RULES.periodDays}`) };
    for (const { key } of rankKeepers(keepers, period, { hash: nativeSha256 }).keeping) loads.set(key, (loads.get(key) ?? 0) + count);
    boxes += count;
  }
  const whole = weightOf(keepers);
  const over = keepers
    .map(({ key, weight }) => (loads.get(key) ?? 0) / ((KEEPER_RULES.keeping * boxes * weight) / whole))
    .sort((a, b) => a - b);
  const at = (part: number): number => over[Math.min(over.length - 1, Math.floor(over.length * part))] ?? 0;
  return { median: at(0.5), p99: at(0.99), most: at(1) };
}
