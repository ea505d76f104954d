// Payments that the spending rules make wait: how long still, and the way to stop them. The keyring has them, so a reload changes nothing.
import { Hourglass } from "lucide-react";
import { type ReactElement, useRef } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useCancelWaiting } from "#renderer/components/transactions/use-cancel-waiting.ts";
import { useFocusPassedOn } from "#renderer/lib/browser/window/use-focus-passed-on.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { durationInWords } from "#renderer/lib/format/duration.ts";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { useSpending } from "#renderer/lib/keyring/use-spending.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { WaitingPayment } from "#shared/keyring/intents/spending/spending-api.ts";

export function WaitingPayments(): ReactElement | null {
  const t = useMessages();
  const { data } = useSpending();
  if (data === undefined || data.waiting.length === 0) return null;
  return (
    <Section title={t("spending.waiting")} hint={t("spending.waitingHint")}>
      <div className={shared.stack2}>
        {data.waiting.map((payment) => (
          <Waiting key={payment.id} payment={payment} />
        ))}
      </div>
    </Section>
  );
}

function Waiting({ payment }: { readonly payment: WaitingPayment }): ReactElement {
  const { id, summary, leftMs, isSigned } = payment;
  const t = useMessages();
  const { status } = useKeyringValue();
  const label = useLabelOf(summary.to ?? summary.from);
  const amount = amountText(t, summary.amountUt);
  const { cancel, isPending } = useCancelWaiting();
  const time = isSigned
    ? t("spending.going")
    : leftMs > 0
      ? t("spending.goesIn", { duration: durationInWords(t, leftMs) })
      : t(status?.state === "unlocked" ? "spending.going" : "spending.goesUnlocked");
  const words =
    summary.to === null
      ? t("spending.waitingOther", { amount: amountText(t, summary.totalUt) })
      : t("spending.waitingTo", { amount, name: label });
  const row = useRef<HTMLDivElement>(null);
  useFocusPassedOn(row);
  return (
    <div ref={row}>
      <ListRow
        leading={summary.to === null ? <Hourglass size={20} aria-hidden="true" /> : <Avatar publicKey={summary.to} size={32} />}
        heading={words}
        isWhole
        subtitle={time}
        trailing={
          // What was signed may be at a node: there is nothing to stop any more.
          !isSigned && (
            <Button size="small" busy={isPending} onClick={(): void => cancel(id)}>
              {t("common.cancel")} <VisuallyHidden>{words}</VisuallyHidden>
            </Button>
          )
        }
      />
    </div>
  );
}
