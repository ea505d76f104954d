// The paying half of the sheet: how much and what for, then the last check. What was signed is stored before any node gets it.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useRef, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { RichText, slot } from "#renderer/components/basics/rich-text.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { LookAlikeWarning } from "#renderer/components/people/look-alike-warning.tsx";
import { UncheckedNote } from "#renderer/components/people/unchecked-note.tsx";
import { FiatValue } from "#renderer/components/rates/fiat-value.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { FeeChoice } from "#renderer/components/transactions/fee-choice.tsx";
import { PaymentReview } from "#renderer/components/transactions/payment-review.tsx";
import { useSpendable } from "#renderer/components/transactions/use-spendable.ts";
import { leaveFocus } from "#renderer/lib/browser/window/leave-focus.ts";
import { useIsLeft } from "#renderer/lib/browser/window/use-is-left.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { sendSignedNow } from "#renderer/lib/messenger/signed-payments.ts";
import { isAllowed, type RecipientCheck, useRecipientCheck } from "#renderer/lib/people/use-recipient-check.ts";
import { amountProblem, readAmount, typedAmount } from "#renderer/lib/transactions/amount-input.ts";
import { type FeeLevel, feeOfLevel } from "#renderer/lib/transactions/sending/fee-level.ts";
import { leftBehind } from "#renderer/lib/transactions/sending/left-behind.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import { useSignIntent } from "#renderer/lib/transactions/use-send-intent.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { PayIntent } from "#shared/keyring/intents/intents.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { MAX_MEMO_BYTES } from "#shared/protocol/primitives/limits.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import type { FormProps } from "./form-props.ts";
import { LargeAmount } from "./large-amount.tsx";
import { NoteField, tooLong } from "./note-field.tsx";
import styles from "./pay-sheet.module.css";

export interface PayFormProps extends FormProps {
  /** Amount of the request that is answered, µT. */
  readonly asked: AmountUt | undefined;
  readonly onReview: (isReviewed: boolean) => void;
}

export function PayForm(props: PayFormProps): ReactElement {
  const { header, draft, onChange, onReview, asked } = props;
  const t = useMessages();
  const { masterPub } = useAccount();
  const [fee, setFee] = useState<FeeLevel>("normal");
  const feeUt = feeOfLevel(fee, useLeastFee());
  const spendable = useSpendable(feeUt);
  const isOnline = useMessengerValue((messenger) => messenger.isOnline);
  const check = useRecipientCheck(masterPub, header.peer);
  const [overridden, setOverridden] = useState(false);
  const [memo, setMemo] = useState<string>();
  const [wasTried, setTried] = useState(false);
  const [intent, setIntent] = useState<PayIntent>();
  const amount = readAmount(draft.amount, t.locale, spendable?.maxUt);
  const problem = amountProblem(t, amount) ?? (wasTried && amount.kind === "empty" ? t("wallet.amountEmpty") : undefined);
  const noteProblem = tooLong(t, draft.note);
  const memoBytes = utf8Length(memo ?? "");
  const memoProblem = memoBytes > MAX_MEMO_BYTES ? t("wallet.memoTooLong", { used: memoBytes, limit: MAX_MEMO_BYTES }) : undefined;
  const mayPay = isAllowed(check, overridden);
  if (intent !== undefined) {
    const back = (): void => {
      setIntent(undefined);
      leaveFocus();
      onReview(false);
    };
    return <Confirmation {...props} intent={intent} onBack={back} />;
  }
  const goOn = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (amount.kind !== "ok" || noteProblem !== undefined || memoProblem !== undefined || !mayPay) return;
    setIntent({
      kind: "pay",
      to: header.peer,
      amountUt: amount.amountUt,
      ...(memo !== undefined && memo !== "" && { memo }),
      ...(fee !== "normal" && { feeUt }),
    });
    leaveFocus();
    onReview(true);
  };
  return (
    <form className={shared.stack4} onSubmit={goOn}>
      <LargeAmount
        value={draft.amount}
        onChange={(text): void => onChange({ amount: text })}
        error={problem}
        hint={
          <>
            {amount.kind === "ok" && <FiatValue amountUt={amount.amountUt} />}
            {asked !== undefined && <Asked askedUt={asked} name={header.name} isLess={amount.kind === "ok" && amount.amountUt < asked} />}
            {spendable !== undefined && (
              <Balance spendable={spendable} onMax={(maxUt): void => onChange({ amount: typedAmount(maxUt, t.locale) })} />
            )}
          </>
        }
      />
      <NoteField
        note={draft.note}
        hint={t("payments.noteHint", { name: header.name })}
        error={noteProblem}
        onChange={(note): void => onChange({ note })}
      />
      <MemoField memo={memo} error={memoProblem} onChange={setMemo} />
      <RecipientWarnings name={header.name} check={check} isOverridden={overridden} onOverride={setOverridden} />
      <FeeChoice level={fee} feeUt={feeUt} onChange={setFee} />
      <footer className={styles.footer}>
        <Total amountUt={amount.kind === "ok" ? amount.amountUt : undefined} feeUt={feeUt} />
        <Button type="submit" variant="primary" disabled={problem !== undefined || !mayPay} busy={check.kind === "checking" && isOnline}>
          {t("payments.review")}
        </Button>
      </footer>
    </form>
  );
}

/** What the payment is to settle. */
function Asked(props: { readonly askedUt: AmountUt; readonly name: string; readonly isLess: boolean }): ReactElement {
  const { askedUt, name, isLess } = props;
  const t = useMessages();
  const amount = amountText(t, askedUt);
  return <span>{isLess ? t("payments.less", { name, amount }) : t("payments.answers", { amount })}</span>;
}

/** A memo is for everyone, so it has to be asked for. */
function MemoField(props: {
  readonly memo: string | undefined;
  readonly error: string | undefined;
  readonly onChange: (memo: string) => void;
}): ReactElement {
  const { memo, error, onChange } = props;
  const t = useMessages();
  if (memo === undefined)
    return (
      <div className={styles.more}>
        <Button size="small" variant="ghost" onClick={(): void => onChange("")}>
          {t("payments.addMemo")}
        </Button>
      </div>
    );
  return (
    <TextField label={t("wallet.memoPublic")} autoFocus value={memo} onChange={onChange} hint={t("payments.memoHint")} error={error} />
  );
}

interface WarningsProps {
  readonly name: string;
  readonly check: RecipientCheck;
  readonly isOverridden: boolean;
  readonly onOverride: (isOverridden: boolean) => void;
}

/** What speaks against paying this address, or why it cannot be said. */
function RecipientWarnings({ name, check, isOverridden, onOverride }: WarningsProps): ReactElement | null {
  const t = useMessages();
  const isOnline = useMessengerValue((messenger) => messenger.isOnline);
  if (check.kind === "firstTime" && check.lookAlike !== undefined)
    return <LookAlikeWarning lookAlike={check.lookAlike} isOverridden={isOverridden} onOverride={onOverride} />;
  if (check.kind === "unchecked") return <UncheckedNote onRetry={check.retry} />;
  if (check.kind !== "checking" || isOnline) return null;
  return (
    <p className={shared.hint} role="status">
      {t("payments.checkOffline", { name })}
    </p>
  );
}

/** The last check. The signed payment is in the store, with the mark on its request, before the sheet closes. */
function Confirmation(props: PayFormProps & { readonly intent: PayIntent; readonly onBack: () => void }): ReactElement {
  const { order, header, messenger, draft, intent, asked, onBack, onDone } = props;
  const t = useMessages();
  const toasts = useToasts();
  const sign = useSignIntent();
  const { request } = order;
  // As the messenger has it: less than what was asked for leaves the request as it is. One that is declined already is paid all the same,
  // without naming it: who declines a request whose payment waits takes that back.
  const isSettled = request !== undefined && request.payment?.closed !== "declined" && intent.amountUt >= (asked ?? 0);
  // Two presses within one picture are one: the state of the mutation is only known with the next.
  const isRunning = useRef(false);
  const isLeft = useIsLeft();
  const end = (): void => {
    order.onSigned?.();
    onDone();
  };
  const pay = useMutation({
    mutationFn: async () => {
      const { transaction } = await sign(intent);
      await messenger.holdPayment(header.peer, {
        transaction,
        note: draft.note.trim(),
        request: order.request?.key ?? null,
        after: order.after ?? null,
      });
    },
    onSuccess: () => {
      sendSignedNow();
      if (!isLeft()) return end();
      // Another sheet may be open by now.
      order.onSigned?.();
      toasts.show({ title: t("wallet.sending", { amount: amountText(t, intent.amountUt) }), description: t("payments.leftText") });
    },
    onError: (error) => {
      isRunning.current = false;
      if (isLeft()) return toasts.show(leftBehind(t, intent.kind, error));
      if (!isCodedError(error, "PAYMENT_UNDER_WAY")) return;
      toasts.show({ title: t("payments.underWay"), tone: "warning" });
      onDone();
    },
  });
  return (
    <PaymentReview
      intent={intent}
      note={draft.note.trim()}
      onBack={onBack}
      onHeld={end}
      chat={{ request: isSettled ? request.key : null, after: isSettled ? (order.after ?? null) : null, note: draft.note.trim() }}
      onConfirm={(): void => {
        if (isRunning.current) return;
        isRunning.current = true;
        pay.mutate();
      }}
      isBusy={pay.isPending}
      error={pay.error}
    />
  );
}

function Balance(props: {
  readonly spendable: { readonly availableUt: AmountUt; readonly maxUt: AmountUt };
  readonly onMax: (maxUt: AmountUt) => void;
}): ReactElement {
  const { spendable, onMax } = props;
  const t = useMessages();
  return (
    <span className={styles.balance}>
      <RichText text={t("payments.balance", { amount: slot("amount") })} parts={{ amount: <Amount amountUt={spendable.availableUt} /> }} />
      <Button size="small" variant="ghost" disabled={spendable.maxUt === 0} onClick={(): void => onMax(spendable.maxUt)}>
        {t("wallet.max")}
      </Button>
    </span>
  );
}

function Total({ amountUt, feeUt }: { readonly amountUt: AmountUt | undefined; readonly feeUt: AmountUt }): ReactElement {
  const t = useMessages();
  return (
    <dl className={styles.total}>
      <div>
        <dt>{t("transactions.total")}</dt>
        <dd>{amountUt === undefined ? "–" : <Amount amountUt={amountUt + feeUt} size="strong" />}</dd>
      </div>
    </dl>
  );
}
