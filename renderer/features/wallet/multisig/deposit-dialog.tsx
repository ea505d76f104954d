// Putting money into a multisig.
import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { amountProblem, readAmount } from "#renderer/lib/transactions/amount-input.ts";
import { MIN_FEE_UT } from "#shared/protocol/primitives/limits.ts";
import send from "../send/send.module.css";
import type { Purse } from "./purses.ts";

export interface PurseDialogProps {
  readonly purse: Purse;
  readonly onClose: () => void;
}

export function DepositDialog({ purse, onClose }: PurseDialogProps): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const [text, setText] = useState("");
  const [reviewed, setReviewed] = useState<number>();
  const { data: balance } = useQuery(useNodeQueries().balance(masterPub));
  const amount = readAmount(text, t.locale, balance === undefined ? undefined : Math.max(0, balance.balanceUt - MIN_FEE_UT));
  return (
    <Dialog open keepOpen onOpenChange={onClose} title={t("multisig.deposit")} description={t("multisig.depositText")}>
      <form
        className={shared.stack4}
        noValidate
        onSubmit={(event): void => {
          event.preventDefault();
          if (amount.kind === "ok") setReviewed(amount.amountUt);
        }}
      >
        {!purse.isKnownCode && <Banner tone="warning">{t("multisig.unknownCodeText")}</Banner>}
        <TextField
          label={t("transactions.amount")}
          autoFocus
          mono
          inputMode="decimal"
          affix="T"
          value={text}
          onChange={setText}
          error={amountProblem(t, amount)}
        />
        <footer className={send.footer}>
          <Button type="submit" variant="primary" disabled={amount.kind !== "ok"}>
            {t("transactions.review")}
          </Button>
        </footer>
      </form>
      {reviewed !== undefined && (
        <CallSheet
          danger={!purse.isKnownCode}
          call={{ contractId: purse.id, method: "deposit", args: [], amountUt: reviewed }}
          title={t("multisig.deposit")}
          sentence={t("multisig.depositSentence", { amount: amountText(t, reviewed), needed: purse.needed, members: purse.members.length })}
          rows={[{ label: t("explorer.contractId"), value: purse.id, mono: true }]}
          confirmLabel={t("multisig.signDeposit")}
          onClose={(): void => setReviewed(undefined)}
          onSent={onClose}
        />
      )}
    </Dialog>
  );
}
