// Second step: how much, and a public note.

import { type FormEvent, type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { RichText, slot } from "#renderer/components/basics/rich-text.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { FeeChoice } from "#renderer/components/transactions/fee-choice.tsx";
import { useSpendable } from "#renderer/components/transactions/use-spendable.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { amountProblem, readAmount, typedAmount } from "#renderer/lib/transactions/amount-input.ts";
import { feeOfLevel } from "#renderer/lib/transactions/sending/fee-level.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import type { PayIntent } from "#shared/keyring/intents/intents.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { MAX_MEMO_BYTES } from "#shared/protocol/primitives/limits.ts";
import { utf8 } from "#shared/util/bytes.ts";
import styles from "./send.module.css";
import type { SendDraft } from "./send-draft.ts";

export interface AmountStepProps {
  readonly to: PublicKeyHex;
  readonly draft: SendDraft;
  readonly onChange: (changes: Partial<SendDraft>) => void;
  readonly onBack: () => void;
  readonly onReady: (intent: PayIntent) => void;
}

export function AmountStep(props: AmountStepProps): ReactElement {
  const { to, draft, onChange, onBack, onReady } = props;
  const t = useMessages();
  const feeUt = feeOfLevel(draft.fee, useLeastFee());
  const [wasTried, setTried] = useState(false);
  const spendable = useSpendable(feeUt);
  const amount = readAmount(draft.amount, t.locale, spendable?.maxUt);
  const memoBytes = utf8(draft.memo).length;
  const isMemoTooLong = memoBytes > MAX_MEMO_BYTES;
  const problem = amountProblem(t, amount) ?? (wasTried && amount.kind === "empty" ? t("wallet.amountEmpty") : undefined);
  const goOn = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (amount.kind !== "ok" || isMemoTooLong) return;
    onReady({
      kind: "pay",
      to,
      amountUt: amount.amountUt,
      ...(draft.memo !== "" && { memo: draft.memo }),
      ...(draft.fee !== "normal" && { feeUt }),
    });
  };
  return (
    <form className={shared.stack4} onSubmit={goOn}>
      <p className={shared.muted}>
        <RichText text={t("wallet.payTo", { person: slot("person") })} parts={{ person: <AddressChip publicKey={to} plain /> }} />
      </p>
      <TextField
        label={t("transactions.amount")}
        autoFocus
        inputMode="decimal"
        mono
        placeholder="0"
        value={draft.amount}
        onChange={(text): void => onChange({ amount: text })}
        error={problem}
        hint={<AvailableHint availableUt={spendable?.availableUt} feeUt={feeUt} />}
        affix={
          <span className={styles.unit}>
            T
            <Button
              size="small"
              disabled={spendable === undefined || spendable.maxUt === 0}
              onClick={(): void => onChange({ amount: typedAmount(spendable?.maxUt ?? 0, t.locale) })}
            >
              {t("wallet.max")}
            </Button>
          </span>
        }
      />
      <MemoField memo={draft.memo} bytes={memoBytes} onChange={(memo): void => onChange({ memo })} />
      <FeeChoice level={draft.fee} feeUt={feeUt} onChange={(fee): void => onChange({ fee })} />
      <footer className={shared.footer}>
        <Button onClick={onBack}>{t("common.back")}</Button>
        <Button type="submit" variant="primary" disabled={problem !== undefined || isMemoTooLong}>
          {t("transactions.review")}
        </Button>
      </footer>
    </form>
  );
}

/** A memo is for everyone, so it has to be asked for. What brought one has asked: the field stays when that is emptied. */
function MemoField(props: { readonly memo: string; readonly bytes: number; readonly onChange: (memo: string) => void }): ReactElement {
  const { memo, bytes, onChange } = props;
  const t = useMessages();
  const [asked, setAsked] = useState<"here" | "before" | undefined>(memo === "" ? undefined : "before");
  if (asked === undefined)
    return (
      <div>
        <Button size="small" variant="ghost" onClick={(): void => setAsked("here")}>
          {t("payments.addMemo")}
        </Button>
      </div>
    );
  const size = { used: bytes, limit: MAX_MEMO_BYTES };
  return (
    <TextField
      label={t("transactions.memo")}
      autoFocus={asked === "here"}
      optional
      value={memo}
      onChange={onChange}
      hint={t("wallet.memoHint", size)}
      error={bytes > MAX_MEMO_BYTES ? t("wallet.memoTooLong", size) : undefined}
    />
  );
}

function AvailableHint(props: { readonly availableUt: AmountUt | undefined; readonly feeUt: AmountUt }): ReactElement {
  const t = useMessages();
  const { availableUt, feeUt } = props;
  if (availableUt === undefined) return <>{t("wallet.feeHint", { fee: typedAmount(feeUt, t.locale) })}</>;
  return (
    <RichText
      text={t("wallet.availableHint", { available: slot("available"), fee: slot("fee") })}
      parts={{ available: <Amount amountUt={availableUt} />, fee: <Amount amountUt={feeUt} /> }}
    />
  );
}
