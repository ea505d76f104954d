// Before the browser tests, once: what all of them use is made here, so that no two of them make it side by side.
import { runNode } from "#build/scripts/process.ts";
import { cacheSeededChain, recipeOfRun, SMALL_RECIPE } from "./seeded-chain.ts";

/** For browser tests alone: integration tests run in the same project. Builds the interface and the desktop, and makes the seeded chains, each unless it is up to date. */
export async function setup(): Promise<void> {
  if (process.env.PARLEY_TEST_BROWSER === undefined) return;
  // In a process of its own: here NODE_ENV says "test", and React would be built for development.
  const exitCode = await runNode("build/scripts/build/build.ts", [], { NODE_ENV: "production" });
  if (exitCode !== 0) throw new Error(`The build ended with ${exitCode}`);
  for (const recipe of [SMALL_RECIPE, recipeOfRun()]) cacheSeededChain(recipe);
}
