// What a run is made of, from its seed alone: how many validators, which of them are bad and how, whose clock strays, how harsh the faults are.
import { isQuorum } from "#shared/protocol/validators.ts";
import { createRandom, type Random } from "#test/support/random.ts";
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
  /** Every partition keeps the twins of a pair apart, from the start. */
  readonly keepsTwinsApart: boolean;
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
const RECOVERY_MS = 120_000;

/** The scenario of a seed. */
export function scenarioOf(seed: number, choice: ScenarioChoice = {}): Scenario {
  const random = createRandom(seed ^ 0x5eed);
  const validators = choice.validators ?? SIZES[random.between(0, SIZES.length - 1)] ?? 4;
  const tolerated = Math.floor((validators - 1) / 3);
  const places = shuffled(
    Array.from({ length: validators }, (_, index) => index),
    random,
  );
  const bad = new Map<number, Badness>();
  if (choice.isUnsafe === true)
    for (const index of places.slice(0, Math.min(validators - 1, tolerated + random.between(1, 2)))) bad.set(index, { kind: "twin" });
  else for (const index of places.slice(0, tolerated)) if (random.chance(0.8)) bad.set(index, badness(random));
  const spare = tolerated - bad.size;
  const honest = places.filter((index) => !bad.has(index));
  return {
    seed,
    validators,
    bad,
    // One too many for the others to outvote would make blocks of any time; two or three have nobody to outvote anyone.
    strayClocks: new Set(validators > 1 && validators < 4 ? honest.slice(0, random.between(0, 1)) : honest.slice(0, Math.max(0, spare))),
    damagedDisks: new Set(honest.slice(0, Math.max(0, spare))),
    keepsTwinsApart: choice.isUnsafe === true,
    // Forks need two halves that work well.
    loss: random.next() * (choice.isUnsafe === true ? 0.1 : 0.5),
    maxDelayMs: random.between(5, choice.isUnsafe === true ? 50 : 250),
    duplication: random.next() * 0.2,
    calm: random.between(1, 8) / 4,
    faultsMs: choice.faultsMs ?? DEFAULT_FAULTS_MS,
    recoveryMs: RECOVERY_MS,
  };
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
