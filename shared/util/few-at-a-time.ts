// Tasks that share something of which there is little, as connections to a node: so many at the same time, the others in their order.

/** The call of a task, once fewer than `most` are under way. Its result is the task's own. */
export function fewAtATime(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (task) => {
    // Who ends gives its place to the first that waits.
    if (underWay < most) underWay += 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  };
}
