// What follows where the store is not as it was written last: the person is told until they have seen to it, and groups wait for their state.
// One commit, the first one on that store: a crash before it finds the same again.
import type { EngineContext } from "../state/engine-context.ts";
import { FINDINGS_KEY, type StoreWatch, type WatchFinding } from "../state/store-watch.ts";
import { askForGroup } from "./ask-for-group.ts";
import { writeChange } from "./change.ts";

/** Notes a finding. */
export async function noteFinding(context: EngineContext, watch: StoreWatch, finding: WatchFinding): Promise<void> {
  const findings = [...new Set([...watch.findings, finding])];
  await writeChange(context, async (change) => {
    change.batch.putMeta(FINDINGS_KEY, findings);
    // Messages alone decide nothing about groups.
    if (finding !== "messages") for (const id of context.registry.groups) askForGroup(context, change, id);
  });
  watch.setFindings(findings);
  context.changed();
}

/** The person has seen to what was found. */
export async function clearFindings(context: EngineContext, watch: StoreWatch): Promise<void> {
  await writeChange(context, async (change) => {
    change.batch.putMeta(FINDINGS_KEY, []);
    context.setBack.clear(change.batch);
  });
  watch.setFindings([]);
  context.changed();
}
