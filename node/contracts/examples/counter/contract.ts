// Counts. The smallest contract with state, a limit and a view.
import { caller, demand, log, owner, StorageValue } from "parley";

export const NAME = "counter";
export const VERSION = "2.0.0";

const count = new StorageValue<u64>("count");

/** Adds n. */
export function add(n: u64): void {
  const sum = count.get() + n;
  demand(sum >= n, "the count would overflow");
  count.set(sum);
  log("count " + sum.toString());
}

/** Starts again at zero; only for the owner, who deployed the contract. */
export function reset(): void {
  demand(caller() == owner(), "only the owner resets");
  count.set(0);
}

/** The count. */
@view
export function get(): u64 {
  return count.get();
}
