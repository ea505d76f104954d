// Until when a payment waits by the spending rules.
import type { ReactElement } from "react";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { formatClock, formatDateTime } from "#renderer/lib/format/time.ts";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { WaitingClaim } from "../use-waiting-payment.ts";

const SECOND_MS = 1_000;

/** The words; once its time is over, what it waits for then. */
export function WaitsUntil({ payment: { untilMs, isSigned } }: { readonly payment: WaitingClaim }): ReactElement {
  const t = useMessages();
  const { locale } = useLanguage();
  const { status } = useKeyringValue();
  const now = useNow(SECOND_MS);
  if (isSigned) return <>{t("payments.paying")}</>;
  if (untilMs <= now) return <>{t(status?.state === "unlocked" ? "payments.paying" : "payments.waitsUnlocked")}</>;
  const isToday = new Date(untilMs).toDateString() === new Date(now).toDateString();
  return <>{t("payments.waitsUntil", { time: isToday ? formatClock(locale, untilMs) : formatDateTime(locale, untilMs) })}</>;
}
