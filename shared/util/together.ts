// Calls of one kind that are made at about the same time, as few requests. What is asked for in one turn goes together; while requests are
// under way, what comes gathers for the next one.

/** What becomes of one item: its result, or why there is none. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

export interface TogetherOptions<Item, Result> {
  /** Items of one request, at most. */
  readonly maxItems: number;
  /** Sum of the sizes of a request's items, at most; a larger one goes alone. */
  readonly maxSize?: number;
  readonly sizeOf?: (item: Item) => number;
  /** Makes the request: an outcome for each item, in their order. What it throws is the error of all. */
  readonly send: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
}

/** Requests under way at once. */
const REQUESTS = 4;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** The call for one item. @throws what its outcome or the request has failed with */
export function together<Item, Result>(options: TogetherOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { maxItems, maxSize = Number.POSITIVE_INFINITY, sizeOf = (): number => 0, send } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  const take = (): readonly Waiting<Item, Result>[] => {
    let end = 0;
    for (let size = 0; end < waiting.length && end < maxItems; end += 1) {
      size += sizeOf((waiting[end] as Waiting<Item, Result>).item);
      if (end > 0 && size > maxSize) break;
    }
    const some = waiting.slice(0, end);
    waiting = waiting.slice(end);
    return some;
  };
  const request = async (some: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const outcomes = await send(some.map(({ item }) => item));
      some.forEach(({ resolve, reject }, at) => {
        const outcome = outcomes[at];
        if (outcome === undefined) reject(new RangeError("A request of several has fewer outcomes than items"));
        else if ("result" in outcome) resolve(outcome.result);
        else reject(outcome.error);
      });
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  };
  const run = async (): Promise<void> => {
    underWay += 1;
    // First all that is asked for in this turn.
    await Promise.resolve();
    while (waiting.length > 0) await request(take());
    underWay -= 1;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (underWay < REQUESTS) void run();
    });
}
