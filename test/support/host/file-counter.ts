// Numbers that start at 1 in every test file, also where files share a process: what a test makes does not depend on the files before it.
const counts = new Map<string, number>();

/** The next number of a name in this test file, from 1. */
export function nextOf(name: string): number {
  const next = (counts.get(name) ?? 0) + 1;
  counts.set(name, next);
  return next;
}

/** Lets all of them start at 1. */
export function beginCounters(): void {
  counts.clear();
}
