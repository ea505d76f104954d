// What an amount is worth in the currency that the person chose, with the time of the rate. Nothing where no source of rates is named.
import type { ReactElement } from "react";
import shared from "#renderer/components/styles/shared.module.css";
import { fiatText } from "#renderer/lib/format/fiat.ts";
import { formatClock, formatDateTime } from "#renderer/lib/format/time.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useRate } from "#renderer/lib/node/access/use-rate.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

export function FiatValue({ amountUt }: { readonly amountUt: AmountUt }): ReactElement | null {
  const t = useMessages();
  const rate = useRate();
  if (rate === undefined) return null;
  const { atMs, isOld } = rate;
  const time = isOld ? formatDateTime(t.locale, atMs) : formatClock(t.locale, atMs);
  return (
    <span className={shared.hint}>{t(isOld ? "rates.valueOld" : "rates.value", { value: fiatText(t.locale, amountUt, rate), time })}</span>
  );
}
