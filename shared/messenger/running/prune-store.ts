// What the local store forgets with time.
import type { EngineContext } from "../state/engine-context.ts";
import { RETENTION_MS } from "../store/store-bounds.ts";

/** Forgets what has had its time, by the slower of two clocks: one that is wrong forgets nothing. */
export async function pruneStore({ store, clock, newestBlock }: Pick<EngineContext, "store" | "clock" | "newestBlock">): Promise<void> {
  if (newestBlock.timeS === undefined) return;
  const batch = store.begin();
  await batch.prune(Math.min(clock.nowMs(), newestBlock.timeS * 1000) - RETENTION_MS);
  await batch.commit();
}
