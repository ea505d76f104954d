// How evenly slots spread over keepers, and what reading costs them: every slot, every box, all keepers, at one time. Pure arithmetic over
// the ranks of the protocol; `npm run sim -- --mail --part load` and `--part reading` print the tables of docs/network.md.
import { CARRY_LIMITS } from "#node/relay/keepers/carry/carry-limits.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
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
  return spreadOf(keepers.map(({ key, weight }) => (loads.get(key) ?? 0) / ((KEEPER_RULES.keeping * boxes * weight) / whole)));
}

/** Weights of keepers: as simulated relays have them, and with most of the weight at few. */
export const WEIGHTS = { simulated: undefined, steep: [1, 1, 1, 1, 1, 1, 2, 2, 4, 8] } as const;

/** Parts of all slots that a keeper has: as one of the three that keep, and as one of the nine others that a box has. */
interface KeeperParts {
  readonly keeping: number;
  readonly others: number;
}

/** Which parts keepers have: in the present period the three that keep, and those that stand in, and all six of the period before. */
export function simulateParts(
  { seed, relays, slotStep = 1 }: { readonly seed: number; readonly relays: number; readonly slotStep?: number },
  weights?: readonly number[],
): readonly KeeperParts[] {
  const random = createRandom(seed);
  const keepers = Array.from({ length: relays }, (_, n): Keeper => {
    const keeper = simulatedKeeper(`${seed} ${n}`, random);
    return weights === undefined ? keeper : { ...keeper, weight: weights[n % weights.length] ?? 1 };
  });
  const parts = new Map(keepers.map(({ key }) => [key, { keeping: 0, others: 0 }]));
  const slots = Math.floor(KEEPER_RULES.slots / slotStep);
  for (let n = 0; n < slots; n += 1) {
    const slot = n * slotStep;
    const ranks = (age: number): ReturnType<typeof rankKeepers<Keeper>> =>
      rankKeepers(keepers, { slot, seed: hashText(`${seed} ${age} ${slot % KEEPER_RULES.periodDays}`) }, { hash: nativeSha256 });
    const [present, before] = [ranks(0), ranks(1)];
    const asked = new Set([...present.keeping, ...present.standingIn].map(({ key }) => key));
    const draining = [...before.keeping, ...before.standingIn].filter(({ key }) => !asked.has(key));
    for (const { key } of present.keeping) add(parts, key, "keeping", slots);
    for (const { key } of [...present.standingIn, ...draining]) add(parts, key, "others", slots);
  }
  return [...parts.values()];
}

function add(parts: ReadonlyMap<string, { keeping: number; others: number }>, key: string, of: keyof KeeperParts, slots: number): void {
  const part = parts.get(key);
  if (part !== undefined) part[of] += 1 / slots;
}

/** How nodes read: what they watch, and times in seconds. */
export interface ReadingPlan {
  /** True where all twelve keepers of a box are watched, and not the three that keep alone. */
  readonly watchesAll: boolean;
  /** All that is watched is named again after this, or confirmed by one request where a node asks a keeper itself. */
  readonly renewS: number;
  readonly confirms: boolean;
  /** The same of a watch through a carrier. */
  readonly carriedRenewS: number;
  /** Boxes are listed again so often, at those that keep and at the others. */
  readonly listKeepingS: number;
  readonly listOthersS: number;
}

/** As nodes of the version before leases read. */
export const EARLIER_PLAN: ReadingPlan = {
  watchesAll: true,
  ...{ renewS: 600, confirms: false, carriedRenewS: 1_800, listKeepingS: 600, listOthersS: 600 },
};

/** As nodes read now. Watches through carriers are renewed one by one, as nothing may say which belong together. */
export const PLAN: ReadingPlan = {
  watchesAll: false,
  ...{ renewS: KEEPER_LIMITS.renewMs / 1_000, confirms: true, carriedRenewS: CARRY_LIMITS.renewMs / 1_000 },
  ...{ listKeepingS: KEEPER_LIMITS.listAgainMs / 1_000, listOthersS: KEEPER_LIMITS.listOthersMs / 1_000 },
};

/** Who reads. */
export interface Readers {
  readonly people: number;
  /** Boxes of a person on all devices: one for each contact of 60 days, the one before it, and one that lasts. */
  readonly boxesEach: number;
  /** Readers of one node that asks keepers itself; through carriers each box is asked for by itself. */
  readonly aNode?: number;
}

/** What one keeper has to do for readers. */
export interface ReadingLoad {
  readonly watches: number;
  /** Part of the room for watches that these and their nodes take, 1 for all of it. */
  readonly room: number;
  /** Openings that are held: one for each box that is read. */
  readonly openings: number;
  readonly requestsPerS: number;
  readonly bytesPerS: number;
}

/** Bytes of a request and its answer through a carrier: two of the smallest class, what seals them, and the frames around. */
const CARRIED_BYTES = 2 * (1_024 + 48 + 80);
/** A name and positions of a box in a request, and what lists a box in which there is nothing new. */
const LISTED_BYTES = 45 + 60;
const NAMED_BYTES = 34;
const REQUEST_BYTES = 120;
/** An opening is signed again after 20 hours, and takes so many bytes. */
const OPENED_AGAIN_S = 72_000;
const OPENING_BYTES = 190;
const BOXES_A_REQUEST = 1_024;

/** What a keeper with these parts of all slots does. */
export function readingLoad({ keeping, others }: KeeperParts, { people, boxesEach, aNode }: Readers, plan: ReadingPlan): ReadingLoad {
  const boxes = people * boxesEach;
  const [kept, other] = [boxes * keeping, boxes * others];
  const watches = plan.watchesAll ? kept + other : kept;
  const lists = kept / plan.listKeepingS + other / plan.listOthersS;
  // Each of all ranks is sent an opening.
  const opened = (kept + other) / OPENED_AGAIN_S;
  if (aNode === undefined) {
    const requestsPerS = watches / plan.carriedRenewS + lists + opened;
    return { watches, room: watches / CARRY_LIMITS.watches, openings: kept, requestsPerS, bytesPerS: requestsPerS * CARRIED_BYTES };
  }
  const nodes = people / aNode;
  const watching = nodes * (1 - Math.exp(-watches / nodes));
  const room = (watches + watching * KEEPER_LIMITS.watcherCost) / KEEPER_LIMITS.watchedByAll;
  // Requests of all nodes that have so many boxes at this keeper, each time.
  const rounds = (count: number): number => nodes * Math.max(1 - Math.exp(-count / nodes), count / nodes / BOXES_A_REQUEST);
  const renewing = rounds(watches) / plan.renewS;
  const listing = rounds(kept) / plan.listKeepingS + rounds(other) / plan.listOthersS;
  const naming = plan.confirms ? 0 : watches / plan.renewS;
  const requestsPerS = renewing + listing + opened;
  const bytesPerS = requestsPerS * REQUEST_BYTES + naming * NAMED_BYTES + lists * LISTED_BYTES + opened * OPENING_BYTES;
  return { watches, room, openings: kept, requestsPerS, bytesPerS };
}

/** The figures of a keeper in the middle, and of one that one of a hundred exceeds, each by itself. */
export function readingAt(parts: readonly KeeperParts[], readers: Readers, plan: ReadingPlan, part: number): ReadingLoad {
  const loads = parts.map((each) => readingLoad(each, readers, plan));
  const at = (figure: (load: ReadingLoad) => number): number => {
    const sorted = loads.map(figure).sort((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  };
  return {
    watches: at(({ watches }) => watches),
    room: at(({ room }) => room),
    openings: at(({ openings }) => openings),
    requestsPerS: at(({ requestsPerS }) => requestsPerS),
    bytesPerS: at(({ bytesPerS }) => bytesPerS),
  };
}

function spreadOf(over: readonly number[]): LoadSpread {
  const sorted = over.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { median: at(0.5), p99: at(0.99), most: at(1) };
}
