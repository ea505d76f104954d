// Destroying tokens of one's own.
import { type ReactElement, useState } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { ReviewDialog } from "#renderer/components/transactions/review-form.tsx";
import { tokenAmountText } from "#renderer/lib/format/token-amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { TokenHolding } from "#renderer/lib/node/network-queries.ts";
import { readUnits, TokenAmountField } from "./token-amount-field.tsx";

export interface BurnTokenDialogProps {
  readonly holding: TokenHolding;
  readonly onClose: () => void;
}

export function BurnTokenDialog({ holding: { token, balance }, onClose }: BurnTokenDialogProps): ReactElement {
  const t = useMessages();
  const [text, setText] = useState("");
  const { units, problem } = readUnits(t, text, token, { max: { units: balance, problem: t("wallet.tokenTooMuch") } });
  return (
    <ReviewDialog
      title={t("assets.burnTitle", { name: token.name })}
      onClose={onClose}
      draft={units}
      review={(burned, ends): ReactElement => (
        <CallSheet
          danger
          call={{ contractId: token.contract_id, method: "burn", args: [token.token_id, burned] }}
          title={t("assets.burnTitle", { name: token.name })}
          sentence={t("assets.burnSentence", {
            amount: tokenAmountText(t, burned, token),
            rest: tokenAmountText(t, balance > burned ? balance - burned : 0n, token),
          })}
          confirmLabel={t("assets.signAndBurn")}
          {...ends}
        />
      )}
    >
      <Banner tone="warning">{t("assets.burnText")}</Banner>
      <TokenAmountField
        autoFocus
        token={token}
        value={text}
        onChange={setText}
        error={problem}
        hint={t("wallet.tokenAvailable", { amount: tokenAmountText(t, balance, token) })}
        max={balance}
      />
    </ReviewDialog>
  );
}
