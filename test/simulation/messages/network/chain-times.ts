// The time of the chain as each device knows it: right, late by hours, or that of days ago while no node shows it a block. Never ahead: a
// device does not believe that. Own draws, so a schedule without it is the same as before.
import { createRandom, type Random } from "#test/support/host/random.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const STREAM = 0xb10c;

/** What one device knows. */
export interface ChainTime {
  /** Time of the newest block that it was shown, milliseconds; 0 while it was shown none. `worldMs` never falls. */
  at(worldMs: number): number;
}

/** The chain that everyone sees at once. */
export const PROMPT_CHAIN: ChainTime = { at: (worldMs): number => worldMs };

/** Of all devices of a schedule. */
export class ChainTimes {
  readonly #random: Random;
  /** Looks at a time that was late by an hour at least, or not known. */
  late = 0;
  /** Everyone sees the newest block. */
  isHonest = false;

  constructor(seed: number) {
    this.#random = createRandom(seed ^ STREAM);
  }

  /** The time as another device sees it. */
  another(): ChainTime {
    let knownMs = 0;
    let untilMs = Number.NEGATIVE_INFINITY;
    let lagMs: number | undefined = 0;
    return {
      at: (worldMs): number => {
        if (worldMs >= untilMs) {
          untilMs = worldMs + (0.5 + this.#random.next() * 8) * DAY_MS;
          lagMs = this.#lagMs();
        }
        if (this.isHonest) knownMs = Math.max(knownMs, worldMs);
        else if (lagMs !== undefined) knownMs = Math.max(knownMs, worldMs - lagMs);
        this.late += Number(worldMs - knownMs >= HOUR_MS);
        return knownMs;
      },
    };
  }

  /** By how much the time is late for the next days; undefined where it stands still. */
  #lagMs(): number | undefined {
    const draw = this.#random.next();
    if (draw < 0.4) return 0;
    return draw < 0.7 ? this.#random.next() * 12 * HOUR_MS : undefined;
  }
}
