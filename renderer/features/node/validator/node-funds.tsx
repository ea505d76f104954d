// Money of the node's own account, to the wallet of the person. The shell's window shows amount and address before the node signs.

import { type FormEvent, type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { RichText, slot } from "#renderer/components/basics/rich-text.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useNodeDuty } from "#renderer/components/transactions/use-node-duty.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { amountProblem, readAmount, typedAmount } from "#renderer/lib/transactions/amount-input.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import type { DesktopApi } from "#shared/desktop/desktop-api.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

export interface NodeFundsProps {
  readonly desktop: DesktopApi;
  /** Of the node's account. */
  readonly balanceUt: AmountUt;
}

/** The form. */
export function NodeFunds({ desktop, balanceUt }: NodeFundsProps): ReactElement {
  const t = useMessages();
  const leastFeeUt = useLeastFee();
  const { masterPub } = useAccount();
  const ask = useNodeDuty(desktop);
  const [text, setText] = useState("");
  const maxUt = Math.max(0, balanceUt - leastFeeUt);
  const amount = readAmount(text, t.locale, maxUt);
  const problem = amountProblem(t, amount);
  const pay = (event: FormEvent): void => {
    event.preventDefault();
    if (amount.kind !== "ok") return;
    ask.mutate({ duty: "pay_wallet", wallet_pub: masterPub, amount_ut: amount.amountUt }, { onSuccess: () => setText("") });
  };
  return (
    <form className={shared.stack4} onSubmit={pay}>
      <TextField
        label={t("node.toWallet")}
        inputMode="decimal"
        mono
        placeholder="0"
        value={text}
        onChange={setText}
        error={problem}
        hint={
          <RichText
            text={t("node.toWalletHint", { balance: slot("balance"), fee: slot("fee") })}
            parts={{ balance: <Amount amountUt={balanceUt} />, fee: <Amount amountUt={leastFeeUt} /> }}
          />
        }
        affix={
          <span className={shared.row3}>
            <span className={shared.muted}>T</span>
            <Button size="small" disabled={maxUt === 0} onClick={(): void => setText(typedAmount(maxUt, t.locale))}>
              {t("wallet.max")}
            </Button>
          </span>
        }
      />
      <div className={shared.buttons}>
        <Button type="submit" busy={ask.isPending} disabled={amount.kind !== "ok"}>
          {t("node.toWalletPay")}
        </Button>
      </div>
    </form>
  );
}
