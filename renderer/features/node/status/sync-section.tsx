// Where the node is on its way to the newest block: stages, share, and how long it will take at the speed seen.
import { Check } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { formatBytes } from "#renderer/lib/format/bytes.ts";
import { formatDuration } from "#renderer/lib/format/time.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useLiveState } from "#renderer/lib/node/access/node-context.tsx";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import styles from "../node.module.css";
import { addSample, type HeightSample, remainingMs } from "./sync-estimate.ts";
import { syncPicture } from "./sync-picture.ts";

const STAGES = ["connect", "fetch", "live"] as const;

export function SyncSection({ status }: { readonly status: NodeStatus }): ReactElement {
  const { t, locale } = useLanguage();
  const live = useLiveState();
  const { height, target_height: target, tip_time: tipTime } = status.sync;
  const samples = useSamples(height);
  const { reached, share, words } = syncPicture(status, live);
  const isCatchingUp = words === "progress";
  const { snapshot } = status.sync;
  const isFetchingState = words === "state";
  const leftMs = isCatchingUp ? remainingMs(samples, target) : isFetchingState ? leftOf(snapshot) : undefined;
  const bytes = formatBytes(locale, snapshot?.bytes ?? 0);
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(share ?? 0);
  return (
    <Section title={t("node.sync")}>
      <ol className={styles.stages}>
        {STAGES.map((stage, index) => (
          <li key={stage} className={classNames(styles.stage, index < reached && styles.done, index === reached && styles.current)}>
            <span className={styles.stageMark}>
              {index < reached || reached === 2 ? <Check size={13} aria-hidden="true" /> : index + 1}
            </span>
            {t(stage === "fetch" && snapshot !== undefined ? "node.stage.state" : `node.stage.${stage}`)}
          </li>
        ))}
      </ol>
      <progress
        className={classNames(styles.progress, share === undefined && styles.unknown)}
        value={share ?? 0}
        max={1}
        aria-label={t("node.sync")}
      />
      <p className={shared.muted}>
        {words === "progress" && t("node.syncProgress", { height, target, percent })}
        {isFetchingState && t("node.syncState", { height: snapshot?.height ?? height, bytes, percent })}
        {words !== "progress" && words !== "state" && t(`node.sync.${words}`, { height })}{" "}
        {leftMs !== undefined && t("node.syncLeft", { time: formatDuration(locale, leftMs) })}
        {(isCatchingUp || isFetchingState) && leftMs === undefined && t("node.syncUnknown")}
      </p>
      <p className={shared.muted}>
        {t("node.newestBlock")} <Time at={tipTime} />
        {isCatchingUp && ` · ${t("node.syncUsable")}`}
      </p>
    </Section>
  );
}

function leftOf(snapshot: NodeStatus["sync"]["snapshot"]): number | undefined {
  return snapshot?.eta_seconds === undefined ? undefined : snapshot.eta_seconds * 1_000;
}

function useSamples(height: number): readonly HeightSample[] {
  const [samples, setSamples] = useState<readonly HeightSample[]>([]);
  useEffect(() => setSamples((before) => addSample(before, { atMs: Date.now(), height })), [height]);
  return samples;
}
