// Where the node is on its way to the newest block: stages, share, and how long it will take at the speed seen.
import { Check } from "lucide-react";
import type { ReactElement } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { formatDuration } from "#renderer/lib/format/time.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useLiveState } from "#renderer/lib/node/access/node-context.tsx";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import styles from "../node.module.css";
import { joinLeftMs, joinWords } from "./join-words.ts";
import { syncPicture } from "./sync-picture.ts";

const MS_PER_SECOND = 1_000;

export function SyncSection({ status }: { readonly status: NodeStatus }): ReactElement {
  const language = useLanguage();
  const { t, locale } = language;
  const live = useLiveState();
  const { height, target_height: target, tip_time: tipTime, snapshot, eta_seconds: eta } = status.sync;
  const { stages, reached, share, words } = syncPicture(status, live);
  const isCatchingUp = words === "progress";
  const joining = words === "join" ? snapshot : undefined;
  const leftMs = joining === undefined ? eta && eta * MS_PER_SECOND : joinLeftMs(joining);
  const left = leftMs === undefined ? t("node.syncUnknown") : t("node.syncLeft", { time: formatDuration(locale, leftMs) });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(share ?? 0);
  return (
    <Section title={t("node.sync")}>
      <ol className={styles.stages}>
        {stages.map((stage, index) => (
          <li key={stage} className={classNames(styles.stage, index < reached && styles.done, index === reached && styles.current)}>
            <span className={styles.stageMark}>
              {index < reached || reached === stages.length - 1 ? <Check size={13} aria-hidden="true" /> : index + 1}
            </span>
            {t(`node.stage.${stage}`)}
          </li>
        ))}
      </ol>
      <progress
        className={classNames(styles.progress, share === undefined && styles.unknown)}
        value={share ?? 0}
        max={1}
        aria-label={t("node.sync")}
      />
      {joining === undefined ? (
        <p className={shared.muted}>
          {words === "progress" && `${t("node.syncProgress", { height, target, percent })} ${left}`}
          {words !== "progress" && words !== "join" && t(`node.sync.${words}`, { height })}
        </p>
      ) : (
        <div className={classNames(shared.muted, styles.joining)}>
          <p>{joinWords(language, status.sync, joining)}</p>
          <p>{left}</p>
        </div>
      )}
      <p className={shared.muted}>
        {t("node.newestBlock")} <Time at={tipTime} />
        {isCatchingUp && ` · ${t("node.syncUsable")}`}
      </p>
    </Section>
  );
}
