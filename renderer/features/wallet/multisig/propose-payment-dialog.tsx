// Proposing a payment from a multisig; it is one's first approval as well.
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { RecipientForm } from "#renderer/components/people/recipient-form.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { amountProblem, readAmount } from "#renderer/lib/transactions/amount-input.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import send from "../send/send.module.css";
import type { PurseDialogProps } from "./deposit-dialog.tsx";
import type { Purse } from "./purses.ts";

export function ProposePaymentDialog({ purse, onClose }: PurseDialogProps): ReactElement {
  const t = useMessages();
  const [to, setTo] = useState<PublicKeyHex>();
  const [text, setText] = useState("");
  const [isReviewing, setReviewing] = useState(false);
  const amount = readAmount(text, t.locale);
  const isShort = amount.kind === "ok" && amount.amountUt > purse.balanceUt;
  const isReady = to !== undefined && amount.kind === "ok";
  return (
    <Dialog open keepOpen onOpenChange={onClose} title={t("multisig.proposePayment")} description={t("multisig.proposeText")}>
      <form
        className={shared.stack4}
        noValidate
        onSubmit={(event): void => {
          event.preventDefault();
          setReviewing(isReady);
        }}
      >
        <RecipientForm allowsSelf onChosen={setTo} />
        <TextField
          label={t("transactions.amount")}
          mono
          inputMode="decimal"
          affix="T"
          value={text}
          onChange={setText}
          hint={t(isShort ? "multisig.balanceShort" : "multisig.balanceNow", { amount: amountText(t, purse.balanceUt) })}
          error={amountProblem(t, amount)}
        />
        <footer className={send.footer}>
          <Button type="submit" variant="primary" disabled={!isReady}>
            {t("transactions.review")}
          </Button>
        </footer>
      </form>
      {isReviewing && isReady && (
        <Review purse={purse} to={to} amountUt={amount.amountUt} onBack={(): void => setReviewing(false)} onSent={onClose} />
      )}
    </Dialog>
  );
}

interface ReviewProps {
  readonly purse: Purse;
  readonly to: PublicKeyHex;
  readonly amountUt: number;
  readonly onBack: () => void;
  readonly onSent: () => void;
}

function Review({ purse, to, amountUt, onBack, onSent }: ReviewProps): ReactElement {
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
      onClose={onBack}
      onSent={onSent}
    />
  );
}
