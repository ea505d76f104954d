// Headings between entries of the activity: a month with what it brought and took, and a day.
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { formatDay, formatMonth } from "#renderer/lib/format/days.ts";
import { toMilliseconds } from "#renderer/lib/format/time.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import type { MonthSums } from "./activity-days.ts";
import styles from "./activity-headings.module.css";

/** Midnight makes today yesterday. */
const RENEW_MS = 60_000;

export function MonthHeading(props: { readonly startMs: number; readonly sums: MonthSums }): ReactElement {
  const { startMs, sums } = props;
  const { locale, t } = useLanguage();
  return (
    <div className={styles.month}>
      <h3 className={styles.monthName}>{toMilliseconds(startMs) === undefined ? t("common.unknown") : formatMonth(locale, startMs)}</h3>
      <dl className={styles.sums}>
        <div className={styles.sum}>
          <dt className={shared.muted}>{t("wallet.monthReceived")}</dt>
          <dd>
            <Amount amountUt={sums.receivedUt} />
          </dd>
        </div>
        <div className={styles.sum}>
          <dt className={shared.muted}>{t("wallet.monthSpent")}</dt>
          <dd>
            <Amount amountUt={sums.spentUt} />
          </dd>
        </div>
      </dl>
    </div>
  );
}

export function DayHeading({ startMs }: { readonly startMs: number }): ReactElement {
  const { locale, t } = useLanguage();
  const nowMs = useNow(RENEW_MS);
  const isKnown = toMilliseconds(startMs) !== undefined;
  return <h3 className={styles.day}>{isKnown ? formatDay(locale, startMs, nowMs) : t("common.unknown")}</h3>;
}
