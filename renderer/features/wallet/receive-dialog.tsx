// One's own address to give away: as a QR code, as text, and as a link that asks for an amount.
import { useNavigate } from "@tanstack/react-router";
import { Copy, Link2 } from "lucide-react";
import { type ReactElement, useRef, useState } from "react";
import { FullAddress } from "#renderer/components/basics/full-address.tsx";
import { QrCode } from "#renderer/components/basics/qr-code.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { amountProblem, readAmount } from "#renderer/lib/transactions/amount-input.ts";
import { formatPaymentLink } from "#renderer/lib/transactions/payment-link.ts";
import styles from "./receive-dialog.module.css";

const QR_PIXELS = 208;

/** The dialog, open as long as its route is. */
export function ReceiveDialog(): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const navigate = useNavigate();
  const { masterPub, address } = useAccount();
  const [text, setText] = useState("");
  const first = useRef<HTMLElement>(null);
  const amount = readAmount(text, t.locale);
  const isAmountWrong = amount.kind !== "ok" && amount.kind !== "empty";
  const link = formatPaymentLink({ to: masterPub, ...(amount.kind === "ok" && { amountUt: amount.amountUt }) });
  const copy = async (copied: string, title: string): Promise<void> => {
    if (await copyText(copied)) toasts.show({ title, tone: "success" });
  };
  return (
    <Dialog
      open
      onOpenChange={(): void => void navigate({ to: "/wallet" })}
      title={t("wallet.receive")}
      description={t("wallet.receiveText")}
      initialFocus={first}
    >
      <div className={styles.body}>
        <div className={styles.code}>
          <QrCode text={amount.kind === "ok" ? link : address} label={t("wallet.myAddress")} size={QR_PIXELS} />
        </div>
        <div className={styles.address}>
          <FullAddress publicKey={masterPub} />
        </div>
        <div className={styles.actions}>
          <Button ref={first} variant="primary" icon={Copy} onClick={(): void => void copy(address, t("common.addressCopied"))}>
            {t("common.copyAddress")}
          </Button>
          <Button icon={Link2} disabled={isAmountWrong} onClick={(): void => void copy(link, t("wallet.linkCopied"))}>
            {t("wallet.copyLink")}
          </Button>
        </div>
        <div className={styles.amount}>
          <TextField
            label={t("wallet.requestAmount")}
            optional
            hint={t("wallet.requestAmountHint")}
            error={isAmountWrong ? amountProblem(t, amount) : undefined}
            inputMode="decimal"
            mono
            value={text}
            onChange={setText}
            affix={<span className={styles.unit}>T</span>}
          />
        </div>
      </div>
    </Dialog>
  );
}
