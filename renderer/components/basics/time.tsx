// A moment, relative to now, with the exact time in its title.
import type { ReactElement } from "react";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { formatExactTime, formatRelativeTime, toMilliseconds } from "#renderer/lib/format/time.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";

/** How often "2 minutes ago" is renewed. */
const RENEW_MS = 10_000;

export interface TimeProps {
  /** RFC 3339 text or milliseconds since 1970. Unix seconds must be multiplied first. */
  readonly at: string | number;
}

/** A moment in words. */
export function Time(props: TimeProps): ReactElement {
  const { locale, t } = useLanguage();
  const now = useNow(RENEW_MS);
  const timeMs = toMilliseconds(props.at);
  if (timeMs === undefined) return <span>{t("common.unknown")}</span>;
  return (
    <time dateTime={new Date(timeMs).toISOString()} title={formatExactTime(locale, timeMs)}>
      {formatRelativeTime(locale, timeMs, now) ?? t("common.justNow")}
    </time>
  );
}
