// The table of what reading costs a keeper.
import { EARLIER_PLAN, PLAN, readingAt, simulateParts, WEIGHTS } from "./load-spread.ts";

const BOXES_EACH = [40, 100, 200] as const;
/** Readers of a node that asks keepers itself; undefined through carriers. */
const NODES = [undefined, 1_000, 100, 25] as const;
const PLANS = { before: EARLIER_PLAN, now: PLAN } as const;

/** Prints a row for each choice: the keeper in the middle, and the one at the 99th percentile. */
export function printReading(
  {
    seed,
    relays,
    people,
    slotStep,
  }: { readonly seed: number; readonly relays: number; readonly people: number; readonly slotStep: number },
  row: (...cells: readonly string[]) => void,
): void {
  row("weights", "boxes a person", "asked", "plan", "watches p50 · p99", "of the room, %", "openings", "requests a second", "kB a second");
  for (const [weights, listed] of Object.entries(WEIGHTS)) {
    const parts = simulateParts({ seed, relays, slotStep }, listed);
    for (const boxesEach of BOXES_EACH)
      for (const aNode of NODES)
        for (const [name, plan] of Object.entries(PLANS)) {
          const [p50, p99] = [0.5, 0.99].map((part) => readingAt(parts, { people, boxesEach, ...(aNode && { aNode }) }, plan, part));
          const both = (figure: (load: NonNullable<typeof p50>) => number): string =>
            [p50, p99].map((load) => Math.round(load === undefined ? 0 : figure(load)).toLocaleString("en")).join(" · ");
          row(
            ...[weights, `${boxesEach}`, aNode === undefined ? "through carriers" : `by nodes of ${aNode}`, name],
            both(({ watches }) => watches),
            both(({ room }) => room * 100),
            both(({ openings }) => openings),
            both(({ requestsPerS }) => requestsPerS),
            both(({ bytesPerS }) => bytesPerS / 1_000),
          );
        }
  }
}
