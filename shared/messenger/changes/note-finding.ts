// What follows where the store is not as it was written last: the person is told until they have seen to it, and groups wait for their state.
// One commit, the first one on that store: a crash before it finds the same again.
import type { EngineContext } from "../state/engine-context.ts";
import { FINDINGS_KEY, type StoreWatch, type WatchFinding } from "../state/store-watch.ts";
import { askForGroup } from "./ask-for-group.ts";
import { Change } from "./change.ts";

/**
 * Notes a finding. `isHearsay`: other people alone say so. Then groups wait for nothing: who lies together would keep this person from
 * writing to groups whose owners are away.
 */
export async function noteFinding(
  context: EngineContext,
  watch: StoreWatch,
  { finding, isHearsay }: { readonly finding: WatchFinding; readonly isHearsay: boolean },
): Promise<void> {
  await context.writer.run(async () => {
    if (isHearsay && watch.findings.includes(finding)) return;
    const findings = [...new Set([...watch.findings, finding])];
    const change = new Change(context);
    change.batch.putMeta(FINDINGS_KEY, findings);
    // Messages alone decide nothing about groups.
    if (finding !== "messages" && !isHearsay) for (const id of context.registry.groups) askForGroup(context, change, id);
    await change.commit();
    watch.setFindings(findings);
  });
  context.changed();
}

/** The person has seen to what was found. */
export async function clearFindings(context: EngineContext, watch: StoreWatch): Promise<void> {
  await context.writer.run(async () => {
    const change = new Change(context);
    change.batch.putMeta(FINDINGS_KEY, []);
    context.setBack.clear(change.batch, context.clock.nowMs());
    await change.commit();
    watch.setFindings([]);
  });
  context.changed();
}
