// What the local store forgets with time.
import { Change, LEFT_FILES_KEY } from "../changes/change.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { RETENTION_MS } from "../store/store-bounds.ts";

/** Forgets what has had its time, by the slower of two clocks: one that is wrong forgets nothing. */
export async function pruneStore(context: EngineContext): Promise<void> {
  const { store, clock, newestBlock, slower } = context;
  const change = new Change(context);
  change.makeRoomForStreams(slower.nowMs() - RETENTION_MS);
  await change.commit();
  if (newestBlock.timeS === undefined) return;
  const batch = store.begin();
  await batch.prune(Math.min(clock.nowMs(), newestBlock.timeS * 1000) - RETENTION_MS);
  await batch.commit();
}

/** Removes the bytes of files whose messages were removed, where the program ended before that could no longer be undone. */
export async function clearRemoved(context: EngineContext): Promise<void> {
  const left = await context.store.readMeta<readonly unknown[]>(LEFT_FILES_KEY);
  if (left !== undefined && left.length > 0) await (await import("../commands/removing/removals.ts")).clearLeftFiles(context);
}
