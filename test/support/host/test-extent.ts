// How much of a long, exhaustive or random test runs: `npm test` takes a part of it that is the same each time, `npm test -- --whole` all.
import { WHOLE_TAG } from "#build/scripts/test/extent.ts";

/** Options of a case, or of a group of cases, that runs in a whole run and where its file is named; `npm test` counts and names what it leaves out. */
export const WHOLE_ONLY = { tags: WHOLE_TAG };

/** The same for all but some: of cases that differ in one value, `npm test` runs those for which this holds. */
export function wholeUnless(isPart: boolean): { readonly tags?: string } {
  return isPart ? {} : WHOLE_ONLY;
}

/** Whether everything runs. */
export const isWhole = Boolean(process.env.PARLEY_TEST_WHOLE);

/** `whole` where everything runs, else `part`: for numbers of runs, steps and seeds. */
export function extent(part: number, whole: number): number {
  return isWhole ? whole : part;
}

/** All items where everything runs, else at most so many (2 or more): evenly spread, the first and the last among them. */
export function spread<T>(items: readonly T[], atMost: number, all = isWhole): readonly T[] {
  if (all || items.length <= atMost) return items;
  const last = items.length - 1;
  return Array.from({ length: atMost }, (_, index) => items[Math.round((index * last) / (atMost - 1))] as T);
}

/** Numbers from 0 below `count`, likewise. */
export function spreadBelow(count: number, atMost: number): readonly number[] {
  return spread([...Array(count).keys()], atMost);
}
