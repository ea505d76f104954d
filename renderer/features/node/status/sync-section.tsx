// Where the node is on its way to the newest block: stages, share, and how long it will take at the speed seen.
import { Check } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { formatDuration } from "#renderer/lib/format/time.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useLiveState } from "#renderer/lib/node/access/node-context.tsx";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import styles from "../node.module.css";
import { addSample, type HeightSample, remainingMs } from "./sync-estimate.ts";

const STAGES = ["connect", "fetch", "live"] as const;

export function SyncSection({ status }: { readonly status: NodeStatus }): ReactElement {
  const { t, locale } = useLanguage();
  const live = useLiveState();
  const { state, height, target_height: target, tip_time: tipTime } = status.sync;
  const samples = useSamples(height);
  const isCatchingUp = state === "syncing" && target > height;
  const isHalted = status.light !== undefined && state === "stalled";
  const reached = live !== "open" || isHalted ? 0 : isCatchingUp ? 1 : 2;
  const share = target === 0 ? 1 : Math.min(1, height / target);
  const leftMs = isCatchingUp ? remainingMs(samples, target) : undefined;
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(share);
  return (
    <Section title={t("node.sync")}>
      <ol className={styles.stages}>
        {STAGES.map((stage, index) => (
          <li key={stage} className={classNames(styles.stage, index < reached && styles.done, index === reached && styles.current)}>
            <span className={styles.stageMark}>
              {index < reached || reached === 2 ? <Check size={13} aria-hidden="true" /> : index + 1}
            </span>
            {t(`node.stage.${stage}`)}
          </li>
        ))}
      </ol>
      <progress className={styles.progress} value={share} max={1} aria-label={t("node.sync")} />
      <p className={shared.muted}>
        {isCatchingUp ? t("node.syncProgress", { height, target, percent }) : t(isHalted ? "node.syncHalted" : "node.syncDone", { height })}{" "}
        {leftMs !== undefined && t("node.syncLeft", { time: formatDuration(locale, leftMs) })}
        {isCatchingUp && leftMs === undefined && t("node.syncUnknown")}
      </p>
      <p className={shared.muted}>
        {t("node.newestBlock")} <Time at={tipTime} />
        {isCatchingUp && ` · ${t("node.syncUsable")}`}
      </p>
    </Section>
  );
}

function useSamples(height: number): readonly HeightSample[] {
  const [samples, setSamples] = useState<readonly HeightSample[]>([]);
  useEffect(() => setSamples((before) => addSample(before, { atMs: Date.now(), height })), [height]);
  return samples;
}
