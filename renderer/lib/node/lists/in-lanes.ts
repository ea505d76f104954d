// Requests that a view makes many of: so many under way at once, in the order in which they were wanted. A node counts what each call without a
// transaction may use from its start, so that fifty at once would be refused.

/** Runs tasks in so many lanes. */
export function createLanes(count: number): <T>(task: () => Promise<T>) => Promise<T> {
  const lanes: Promise<unknown>[] = Array.from({ length: count }, () => Promise.resolve());
  let turn = 0;
  return (task) => {
    const lane = turn % count;
    turn += 1;
    const result = (lanes[lane] ?? Promise.resolve()).then(task);
    lanes[lane] = result.catch(() => undefined);
    return result;
  };
}
