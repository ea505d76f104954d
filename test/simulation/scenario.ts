// What a run is made of, from its seed alone: how many validators, which of them are bad and how, whose clock strays, which faults occur.
import { isQuorum } from "#shared/protocol/chain/validators.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";
import { LIE_NAMES, type LieName } from "./lies.ts";

/** How a validator is bad. */
export type Badness =
  /** Runs twice with one key and two disks. */
  | { readonly kind: "twin" }
  /** Says what it should not. */
  | { readonly kind: "liar"; readonly lies: readonly LieName[] }
  /** Forgets at every start what it has signed. */
  | { readonly kind: "amnesiac" };

/** One run. */
export interface Scenario {
  readonly seed: number;
  readonly validators: number;
  /** By validator index; the others are honest. */
  readonly bad: ReadonlyMap<number, Badness>;
  /** Honest validators whose clock jumps by more than the precision. */
  readonly strayClocks: ReadonlySet<number>;
  /** Honest validators whose log is cut or damaged where it was durable. */
  readonly damagedDisks: ReadonlySet<number>;
  /** Honest validators whose folder is emptied: they catch up, and may not contradict what their former selves signed. */
  readonly emptied: ReadonlySet<number>;
  /** More logs may be lost than the network can do without: it must stay safe, but may stand still. */
  readonly mayStall: boolean;
  /** Every partition keeps the twins of a pair apart, from the start. */
  readonly separatesTwins: boolean;
  readonly loss: number;
  readonly maxDelayMs: number;
  readonly duplication: number;
  /** How rare crashes and partitions are: where they are, loss has more heights to work on. */
  readonly calm: number;
  readonly faultsMs: number;
  /** Virtual time within which everything is committed after the faults. */
  readonly recoveryMs: number;
}

/** What a caller may choose. */
export interface ScenarioChoice {
  readonly validators?: number;
  readonly faultsMs?: number;
  /** Twins beyond what the protocol tolerates: forks are expected, and are to be proven. */
  readonly isUnsafe?: boolean;
}

const SIZES = [1, 2, 3, 4, 4, 4, 5, 7] as const;
const DEFAULT_FAULTS_MS = 8_000;
const RECOVERY_MS = 240_000;
const STALLED_MS = 20_000;

/** The scenario of a seed. */
export function scenarioOf(seed: number, choice: ScenarioChoice = {}): Scenario {
  const random = createRandom(seed ^ 0x5eed);
  const isUnsafe = choice.isUnsafe === true;
  const validators = choice.validators ?? SIZES[random.between(0, SIZES.length - 1)] ?? 4;
  const tolerated = Math.floor((validators - 1) / 3);
  const positions = shuffled(
    Array.from({ length: validators }, (_, index) => index),
    random,
  );
  const isEmptying = !isUnsafe && seed % 5 === 1;
  const chosen = isUnsafe ? tooManyTwins(positions, tolerated, random) : someBad(positions, tolerated, random);
  // One that is emptied does not vote for a while, like the bad ones.
  const bad = isEmptying ? new Map<number, Badness>() : chosen;
  const honest = positions.filter((index) => !bad.has(index));
  // Those with a stray clock or a lost log are dealt with like the bad ones.
  const spare = honest.slice(0, Math.max(0, tolerated - bad.size));
  const emptied = new Set(isEmptying ? spare : []);
  const mayStall = validators > 1 && !isUnsafe && random.chance(0.1);
  return {
    seed,
    validators,
    bad,
    // With two or three there is no majority to outvote anyone: a block from a stray clock finds no quorum.
    // One that was emptied dates its start by its clock.
    strayClocks: new Set(
      validators === 2 || validators === 3 ? honest.slice(0, random.between(0, 1)) : spare.filter((index) => !emptied.has(index)),
    ),
    emptied,
    damagedDisks: new Set(mayStall ? honest : spare),
    mayStall,
    separatesTwins: isUnsafe,
    // Forks need two halves that work well.
    loss: random.next() * (isUnsafe ? 0.1 : 0.5),
    maxDelayMs: random.between(5, isUnsafe ? 50 : 250),
    duplication: random.next() * 0.2,
    calm: mayStall ? 0.25 : random.between(1, 8) / 4,
    faultsMs: choice.faultsMs ?? DEFAULT_FAULTS_MS,
    recoveryMs: mayStall ? STALLED_MS : RECOVERY_MS,
  };
}

function tooManyTwins(positions: readonly number[], tolerated: number, random: Random): ReadonlyMap<number, Badness> {
  const count = Math.min(positions.length - 1, tolerated + random.between(1, 2));
  return new Map(positions.slice(0, count).map((index) => [index, { kind: "twin" }]));
}

function someBad(positions: readonly number[], tolerated: number, random: Random): ReadonlyMap<number, Badness> {
  const chosen = positions.slice(0, tolerated).filter(() => random.chance(0.8));
  return new Map(chosen.map((index) => [index, badness(random)]));
}

/** True when those with a right clock are among every quorum, so that no block is from the future. */
export function hasRightTime({ validators, bad, strayClocks }: Scenario): boolean {
  return !isQuorum(bad.size + strayClocks.size, validators) && validators > 1;
}

function badness(random: Random): Badness {
  const choice = random.between(0, 9);
  if (choice < 3) return { kind: "twin" };
  if (choice === 3) return { kind: "amnesiac" };
  const lies = shuffled(LIE_NAMES, random).slice(0, random.between(1, 4));
  return { kind: "liar", lies };
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const result = [...items];
  for (let index = result.length - 1; index > 0; index -= 1) {
    const other = random.between(0, index);
    [result[index], result[other]] = [result[other] as T, result[index] as T];
  }
  return result;
}
