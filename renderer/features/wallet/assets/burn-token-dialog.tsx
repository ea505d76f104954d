// Destroying tokens of one's own.
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { tokenAmountText } from "#renderer/lib/format/token-amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { TokenHolding } from "#renderer/lib/node/network-queries.ts";
import send from "../send/send.module.css";
import { readUnits, TokenAmountField } from "./token-amount-field.tsx";

export interface BurnTokenDialogProps {
  readonly holding: TokenHolding;
  readonly onClose: () => void;
}

export function BurnTokenDialog({ holding: { token, balance }, onClose }: BurnTokenDialogProps): ReactElement {
  const t = useMessages();
  const [text, setText] = useState("");
  const [reviewed, setReviewed] = useState<bigint>();
  const { units, problem } = readUnits(t, text, token, { max: { units: balance, problem: t("wallet.tokenTooMuch") } });
  return (
    <Dialog open keepOpen onOpenChange={onClose} title={t("assets.burnTitle", { name: token.name })}>
      <form
        className={shared.stack4}
        onSubmit={(event): void => {
          event.preventDefault();
          setReviewed(units);
        }}
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
        <footer className={send.footer}>
          <Button type="submit" variant="primary" disabled={units === undefined}>
            {t("transactions.review")}
          </Button>
        </footer>
      </form>
      {reviewed !== undefined && (
        <CallSheet
          danger
          call={{ contractId: token.contract_id, method: "burn", args: [token.token_id, reviewed] }}
          title={t("assets.burnTitle", { name: token.name })}
          sentence={t("assets.burnSentence", {
            amount: tokenAmountText(t, reviewed, token),
            rest: tokenAmountText(t, balance > reviewed ? balance - reviewed : 0n, token),
          })}
          confirmLabel={t("assets.signAndBurn")}
          onClose={(): void => setReviewed(undefined)}
          onSent={onClose}
        />
      )}
    </Dialog>
  );
}
