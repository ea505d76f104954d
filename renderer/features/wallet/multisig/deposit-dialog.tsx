// Putting money into a multisig.

import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { AmountField } from "#renderer/components/transactions/amount-field.tsx";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { ReviewDialog } from "#renderer/components/transactions/review-form.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { amountProblem, readAmount } from "#renderer/lib/transactions/amount-input.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import type { Purse } from "./purses.ts";

export interface PurseDialogProps {
  readonly purse: Purse;
  readonly onClose: () => void;
}

export function DepositDialog({ purse, onClose }: PurseDialogProps): ReactElement {
  const t = useMessages();
  const leastFeeUt = useLeastFee();
  const { masterPub } = useAccount();
  const [text, setText] = useState("");
  const { data: balance } = useQuery(useNodeQueries().balance(masterPub));
  const amount = readAmount(text, t.locale, balance === undefined ? undefined : Math.max(0, balance.balanceUt - leastFeeUt));
  return (
    <ReviewDialog
      title={t("multisig.deposit")}
      description={t("multisig.depositText")}
      onClose={onClose}
      draft={amount.kind === "ok" ? amount.amountUt : undefined}
      review={(amountUt, ends): ReactElement => (
        <CallSheet
          danger={!purse.isKnownCode}
          call={{ contractId: purse.id, method: "deposit", args: [], amountUt }}
          title={t("multisig.deposit")}
          sentence={t("multisig.depositSentence", { amount: amountText(t, amountUt), needed: purse.needed, members: purse.members.length })}
          rows={[{ label: t("explorer.contractId"), value: purse.id, mono: true }]}
          confirmLabel={t("multisig.signDeposit")}
          {...ends}
        />
      )}
    >
      {!purse.isKnownCode && <Banner tone="warning">{t("multisig.unknownCodeText")}</Banner>}
      <AmountField autoFocus value={text} onChange={setText} error={amountProblem(t, amount)} />
    </ReviewDialog>
  );
}
