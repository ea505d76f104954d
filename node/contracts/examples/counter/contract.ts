// Counts. The smallest contract with state, a limit and a view.
import { argU64, caller, demand, log, owner, returnU64, storage } from "parley";

/** Adds n. */
export function add(): void {
  const n = argU64(0);
  const count = storage.getU64("count");
  demand(count + n >= count, "the count would overflow");
  storage.setU64("count", count + n);
  log("count " + (count + n).toString());
}

/** Starts again at zero; only for the owner, who deployed the contract. */
export function reset(): void {
  demand(caller() == owner(), "only the owner resets");
  storage.setU64("count", 0);
}

/** The count. */
export function get(): void {
  returnU64(storage.getU64("count"));
}
