// A token of balances alone: what moving one costs without the library's allowances, 128-bit amounts and typed events.
// @ts-nocheck — AssemblyScript, compiled by the benchmark.
import { argKey, argU64, caller, demand, storage } from "parley";

/** All of them are the deployer's. */
export function init(): void {
  storage.setU64(caller(), argU64(0));
}

/** To whom, and how many. */
export function transfer(): void {
  const from = caller();
  const to = argKey(0, "to");
  const amount = argU64(1);
  const held = storage.getU64(from);
  demand(held >= amount && from != to, "the balance does not suffice");
  storage.setU64(from, held - amount);
  storage.setU64(to, storage.getU64(to) + amount);
}
