// Proposing a payment from a multisig; it is one's first approval as well.
import { type ReactElement, useState } from "react";
import { RecipientForm } from "#renderer/components/people/recipient-form.tsx";
import { AmountField } from "#renderer/components/transactions/amount-field.tsx";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { ReviewDialog, type SheetEnds } from "#renderer/components/transactions/review-form.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { amountProblem, readAmount } from "#renderer/lib/transactions/amount-input.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { PurseDialogProps } from "./deposit-dialog.tsx";
import type { Purse } from "./purses.ts";

export function ProposePaymentDialog({ purse, onClose }: PurseDialogProps): ReactElement {
  const t = useMessages();
  const [to, setTo] = useState<PublicKeyHex>();
  const [text, setText] = useState("");
  const amount = readAmount(text, t.locale);
  const isShort = amount.kind === "ok" && amount.amountUt > purse.balanceUt;
  return (
    <ReviewDialog
      title={t("multisig.proposePayment")}
      description={t("multisig.proposeText")}
      onClose={onClose}
      draft={to !== undefined && amount.kind === "ok" ? { to, amountUt: amount.amountUt } : undefined}
      review={(payment, ends): ReactElement => <Review purse={purse} {...payment} ends={ends} />}
    >
      <RecipientForm allowsSelf onChosen={setTo} />
      <AmountField
        value={text}
        onChange={setText}
        hint={t(isShort ? "multisig.balanceShort" : "multisig.balanceNow", { amount: amountText(t, purse.balanceUt) })}
        error={amountProblem(t, amount)}
      />
    </ReviewDialog>
  );
}

interface ReviewProps {
  readonly purse: Purse;
  readonly to: PublicKeyHex;
  readonly amountUt: AmountUt;
  readonly ends: SheetEnds;
}

function Review({ purse, to, amountUt, ends }: ReviewProps): ReactElement {
  const t = useMessages();
  const person = useLabelOf(to);
  return (
    <CallSheet
      call={{ contractId: purse.id, method: "propose_payment", args: [to, BigInt(amountUt)] }}
      title={t("multisig.proposePayment")}
      sentence={t("multisig.paymentSentence", { amount: amountText(t, amountUt), person, needed: purse.needed })}
      rows={[
        { label: t("common.address"), value: formatAddress(to), mono: true },
        { label: t("explorer.contractId"), value: purse.id, mono: true },
      ]}
      confirmLabel={t("multisig.signProposal")}
      {...ends}
    />
  );
}
