// What the spending rules say to an intent, before it is signed.
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { amountText } from "#renderer/lib/format/amount.ts";
import { durationInWords } from "#renderer/lib/format/duration.ts";
import { formatClock } from "#renderer/lib/format/time.ts";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useBlockMs } from "#renderer/lib/keyring/use-spending.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import type { Intent } from "#shared/keyring/intents/intents.ts";
import type { SpendingVerdict } from "#shared/keyring/intents/spending/judge-spending.ts";
import { Banner } from "../feedback/banner.tsx";

/** How often it is asked again while a sheet is open. */
const AGAIN_MS = 10_000;
const DAY_MS = 86_400_000;

/** What the keyring says to an intent. */
export function useSpendingVerdict(intent: Intent): UseQueryResult<SpendingVerdict> {
  const keyring = useKeyring();
  const leastFeeUt = useLeastFee();
  const blockMs = useBlockMs();
  return useQuery({
    queryKey: ["spending-verdict", JSON.stringify(intent), leastFeeUt],
    queryFn: () => keyring.judgeSpending({ intent, leastFeeUt, blockMs: blockMs() }),
    refetchInterval: AGAIN_MS,
    retry: false,
    gcTime: 0,
  });
}

/** Why it cannot be signed now, in words; undefined where it can. */
export function refusalInWords(t: Translate, verdict: SpendingVerdict | undefined): string | undefined {
  if (verdict?.kind === "forbidden") return t("spending.forbidden");
  if (verdict?.kind !== "overLimit") return undefined;
  const { dailyUt, leftUt, fitsInMs } = verdict;
  const amounts = { limit: amountText(t, dailyUt), left: amountText(t, leftUt) };
  if (fitsInMs === null) return t("spending.overAlways", amounts);
  const time = formatClock(t.locale, Date.now() + fitsInMs);
  return fitsInMs < DAY_MS ? t("spending.overUntil", { ...amounts, time }) : t("spending.overUntilTomorrow", { ...amounts, time });
}

/** The words above the buttons; nothing where the rules say nothing. */
export function SpendingNote({ verdict }: { readonly verdict: SpendingVerdict | undefined }): ReactElement | null {
  const t = useMessages();
  if (verdict?.kind === "waits") {
    const duration = durationInWords(t, verdict.delayMs);
    return (
      <Banner tone="warning" title={t("spending.waitsTitle", { duration })}>
        {t(verdict.because === "large" ? "spending.waitsLarge" : "spending.waitsFirst")}
      </Banner>
    );
  }
  const refusal = refusalInWords(t, verdict);
  return refusal === undefined ? null : (
    <Banner tone="danger" title={t("spending.refusedTitle")}>
      {refusal}
    </Banner>
  );
}
