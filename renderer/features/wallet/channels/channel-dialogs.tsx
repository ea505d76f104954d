// What one does with a payment channel: open it, promise an amount, redeem a promise, take back what has expired.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Select } from "#renderer/components/controls/select.tsx";
import { TextArea } from "#renderer/components/controls/text-area.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import { RecipientForm } from "#renderer/components/people/recipient-form.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { AmountField } from "#renderer/components/transactions/amount-field.tsx";
import { IntentSheet } from "#renderer/components/transactions/intent-sheet.tsx";
import { ReviewDialog, type SheetEnds } from "#renderer/components/transactions/review-form.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useEnsureUnlocked } from "#renderer/lib/keyring/unlock-context.tsx";
import { useBlockMs } from "#renderer/lib/keyring/use-spending.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useChainId } from "#renderer/lib/node/known-chain.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { amountProblem, readAmount } from "#renderer/lib/transactions/amount-input.ts";
import type { PaymentChannel } from "#shared/api/schemas/channels.ts";
import type { OpenChannelIntent } from "#shared/keyring/intents/intents.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { formatVoucher, isVoucherOf, parseVoucher, type Voucher } from "#shared/protocol/transactions/voucher.ts";
import { toHex } from "#shared/util/bytes.ts";
import styles from "../channels.module.css";

const DAY_S = 86_400;
const LIFETIMES = ["1", "7", "30", "180"] as const;
const CHANNEL_ID_BYTES = 16;

/** A channel as it is to be opened. */
interface NewChannel {
  readonly to: PublicKeyHex;
  readonly amountUt: AmountUt;
  /** Seconds from the review to the day on which it expires. */
  readonly lifeS: number;
}

interface ChannelDialogProps {
  readonly channel: PaymentChannel;
  readonly onClose: () => void;
}

/** Opening a channel: to whom, how much, for how long. */
export function OpenChannelDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useMessages();
  const [to, setTo] = useState<PublicKeyHex>();
  const [text, setText] = useState("");
  const [days, setDays] = useState<(typeof LIFETIMES)[number]>("7");
  const amount = readAmount(text, t.locale);
  return (
    <ReviewDialog<NewChannel>
      title={t("wallet.openChannel")}
      description={t("wallet.openChannelText")}
      onClose={onClose}
      draft={to !== undefined && amount.kind === "ok" ? { to, amountUt: amount.amountUt, lifeS: Number(days) * DAY_S } : undefined}
      review={(channel, ends): ReactElement => <OpenReview channel={channel} ends={ends} />}
    >
      <RecipientForm onChosen={setTo} />
      <AmountField label={t("wallet.deposit")} value={text} onChange={setText} error={amountProblem(t, amount)} />
      <Select
        label={t("wallet.channelLife")}
        hint={t("wallet.channelLifeHint")}
        value={days}
        onChange={setDays}
        options={LIFETIMES.map((value) => ({ value, label: t("common.time.days", { count: Number(value) }) }))}
      />
    </ReviewDialog>
  );
}

function OpenReview({ channel, ends }: { readonly channel: NewChannel; readonly ends: SheetEnds }): ReactElement {
  const { to, amountUt, lifeS } = channel;
  const t = useMessages();
  const name = useLabelOf(to);
  const [intent] = useState<OpenChannelIntent>(() => ({
    kind: "openChannel",
    to,
    amountUt,
    channelId: toHex(crypto.getRandomValues(new Uint8Array(CHANNEL_ID_BYTES))),
    expiresAt: Math.floor(Date.now() / 1_000) + lifeS,
  }));
  return (
    <IntentSheet
      intent={intent}
      title={t("wallet.openChannel")}
      sentence={t("wallet.openChannelSentence", { amount: amountText(t, intent.amountUt), person: name })}
      rows={[{ label: t("common.address"), value: formatAddress(intent.to), mono: true }]}
      confirmLabel={t("wallet.signAndOpen")}
      {...ends}
    />
  );
}

/** Promising an amount: a text to hand over. Nothing goes to the chain. */
export function VoucherDialog({ channel, onClose }: ChannelDialogProps): ReactElement {
  const t = useMessages();
  const keyring = useKeyring();
  const ensureUnlocked = useEnsureUnlocked();
  const chainId = useChainId();
  const blockMs = useBlockMs();
  const [text, setText] = useState("");
  const amount = readAmount(text, t.locale, channel.deposit_ut);
  const sign = useMutation({
    mutationFn: async (paidUt: number) => {
      await ensureUnlocked();
      const signature = await keyring.signVoucher({ chainId: chainId ?? "", channelId: channel.channel_id, paidUt, blockMs: blockMs() });
      return formatVoucher({ channelId: channel.channel_id, paidUt, signature });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (amount.kind === "ok" && chainId !== undefined) sign.mutate(amount.amountUt);
  };
  return (
    <Dialog open onOpenChange={onClose} title={t("wallet.writeVoucher")} description={t("wallet.voucherText")}>
      <form className={shared.stack4} onSubmit={submit}>
        <AmountField
          label={t("wallet.voucherTotal")}
          hint={t("wallet.voucherTotalHint", { deposit: amountText(t, channel.deposit_ut) })}
          autoFocus
          value={text}
          onChange={(next): void => {
            setText(next);
            sign.reset();
          }}
          error={amountProblem(t, amount) ?? (sign.error === null ? undefined : errorInWords(t, sign.error).text)}
        />
        {sign.data !== undefined && <Copyable text={sign.data} label={t("wallet.copyVoucher")} />}
        <footer className={styles.footer}>
          <Button type="submit" variant="primary" busy={sign.isPending} disabled={amount.kind !== "ok"}>
            {t("wallet.signVoucher")}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Redeeming a promise: closes the channel with the latest voucher. */
export function RedeemDialog({ channel, onClose }: ChannelDialogProps): ReactElement {
  const t = useMessages();
  const chainId = useChainId();
  const [text, setText] = useState("");
  const parsed = parseVoucher(text);
  const isOfChannel =
    parsed?.channelId === channel.channel_id &&
    parsed.paidUt <= channel.deposit_ut &&
    isVoucherOf(channel.payer_pub, parsed, chainId ?? "");
  return (
    <ReviewDialog<Voucher>
      title={t("wallet.redeem")}
      description={t("wallet.redeemText")}
      onClose={onClose}
      draft={isOfChannel ? parsed : undefined}
      review={({ paidUt, signature }, ends): ReactElement => (
        <IntentSheet
          intent={{ kind: "closeChannel", to: channel.payer_pub, channelId: channel.channel_id, paidUt, voucher: signature }}
          title={t("wallet.redeem")}
          sentence={t("wallet.redeemSentence", { amount: amountText(t, paidUt) })}
          confirmLabel={t("wallet.signAndClose")}
          {...ends}
        />
      )}
    >
      <TextArea
        label={t("wallet.voucher")}
        mono
        autoFocus
        spellCheck={false}
        value={text}
        onChange={setText}
        error={text.trim() === "" || isOfChannel ? undefined : t("wallet.voucherWrong")}
      />
    </ReviewDialog>
  );
}

/** Taking the deposit back once the channel has expired. */
export function CloseExpiredSheet({ channel, onClose }: ChannelDialogProps): ReactElement {
  const t = useMessages();
  return (
    <IntentSheet
      intent={{ kind: "closeChannel", to: channel.payee_pub, channelId: channel.channel_id, paidUt: 0 }}
      title={t("wallet.closeExpired")}
      sentence={t("wallet.closeExpiredSentence", { amount: amountText(t, channel.deposit_ut) })}
      confirmLabel={t("wallet.signAndClose")}
      onClose={onClose}
    />
  );
}
