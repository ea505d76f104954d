// Repeating a measurement on a machine that others use too: a sample counts only when the machine was equally fast before and after it.
import { verificationsPerSecond } from "./process-figures.ts";

/** Largest change of the yardstick around a quiet sample. */
const TOLERANCE = 0.1;
/** Attempts for one wanted sample. */
const ATTEMPTS_PER_SAMPLE = 2;

/** Samples, and whether they were taken in quiet. */
export interface Samples<T> {
  readonly values: readonly T[];
  /** True when too few samples were quiet, so that all of them are counted. */
  readonly isNoisy: boolean;
  /** Samples left out. */
  readonly dropped: number;
}

/** Takes `wanted` quiet samples, in at most twice as many attempts; keeps them all when too few were quiet. */
export async function sample<T>(wanted: number, measure: () => Promise<T>, calibrate = verificationsPerSecond): Promise<Samples<T>> {
  const quiet: T[] = [];
  const all: T[] = [];
  let before = calibrate();
  while (quiet.length < wanted && all.length < wanted * ATTEMPTS_PER_SAMPLE) {
    const value = await measure();
    const after = calibrate();
    all.push(value);
    if (Math.abs(after - before) <= before * TOLERANCE) quiet.push(value);
    before = after;
  }
  const isNoisy = quiet.length < wanted;
  return { values: isNoisy ? all : quiet, isNoisy, dropped: isNoisy ? 0 : all.length - quiet.length };
}

/** A word for the table. */
export function noise({ values, isNoisy, dropped }: Samples<unknown>): string {
  return `${values.length} samples${isNoisy ? ", noisy" : ""}${dropped > 0 ? `, ${dropped} dropped` : ""}`;
}
