// What a node that fetches the state of a block does now, in words. Pure.
import { formatBytes } from "#renderer/lib/format/bytes.ts";
import type { Language } from "#renderer/lib/messages/messages-context.tsx";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";

type Snapshot = NonNullable<NodeStatus["sync"]["snapshot"]>;

const MS_PER_SECOND = 1_000;

/** The words of a step with its amounts; those of its stage where the node names no step, as older ones do. */
export function joinWords(
  { t, locale }: Language,
  { height, target_height: target }: Pick<NodeStatus["sync"], "height" | "target_height">,
  { stage, step, share, bytes: stateBytes, height: block = height }: Snapshot,
): string {
  if (step === undefined && stage !== "state") return t(`node.sync.${stage}`);
  // Until headers are verified up to where the others are, no state can be chosen.
  if (step?.name === "peers" && height < target) return t("node.join.verify", { height, target });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(share);
  return t(`node.join.${step?.name ?? "records"}`, {
    height: block,
    percent,
    bytes: formatBytes(locale, step?.bytes ?? stateBytes),
    done: step?.done ?? 0,
    total: step?.total ?? 0,
  });
}

/** How long the step will take, ms; undefined where the node has no estimate. */
export function joinLeftMs({ step, eta_seconds: eta }: Snapshot): number | undefined {
  const seconds = step === undefined ? eta : step.eta_seconds;
  return seconds === undefined ? undefined : seconds * MS_PER_SECOND;
}
