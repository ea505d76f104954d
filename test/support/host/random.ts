// Seeded pseudo-random numbers (mulberry32): the same seed gives the same run.

/** Random choices of one run. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Integer in [least, most]. */
  between(least: number, most: number): number;
  /** True with the probability. */
  chance(probability: number): boolean;
}

/** A generator for a seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability) => next() < probability,
  };
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Hex of random bytes. */
export function randomHex(random: Random, bytes: number): string {
  let text = "";
  for (let at = 0; at < bytes; at += 1) text += HEX[random.between(0, 255)];
  return text;
}
