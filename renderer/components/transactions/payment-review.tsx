// The last check of a payment. Every detail comes from the keyring, which rebuilds the payment by itself before it signs.
import { useQuery } from "@tanstack/react-query";
import { Tag } from "lucide-react";
import { type ReactElement, useEffect, useRef } from "react";
import { FiatValue } from "#renderer/components/rates/fiat-value.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount, useKeyring, useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useRate } from "#renderer/lib/node/access/use-rate.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { usePersonActions } from "#renderer/lib/people/people-context.tsx";
import { useRecipientCheck } from "#renderer/lib/people/use-recipient-check.ts";
import { isUncertain } from "#renderer/lib/transactions/sending/intent-attempts.ts";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { IntentSummary, PayIntent } from "#shared/keyring/intents/intents.ts";
import type { WaitingChat } from "#shared/keyring/intents/spending/spending-api.ts";
import { Amount } from "../basics/amount.tsx";
import { Avatar } from "../basics/avatar.tsx";
import { Badge } from "../basics/badge.tsx";
import { FullAddress } from "../basics/full-address.tsx";
import { RichText, slot } from "../basics/rich-text.tsx";
import { Button } from "../controls/button.tsx";
import { IconButton } from "../controls/icon-button.tsx";
import { Banner } from "../feedback/banner.tsx";
import { ErrorState } from "../feedback/error-state.tsx";
import { SkeletonRows } from "../feedback/skeleton.tsx";
import { KeyValueList, type KeyValueRow } from "../layout/key-value-list.tsx";
import styles from "./payment-review.module.css";
import { refusalInWords, SpendingNote, useSpendingVerdict } from "./spending-note.tsx";
import { useHoldPayment } from "./use-hold-payment.ts";

export interface PaymentReviewProps {
  readonly intent: PayIntent;
  readonly onBack: () => void;
  readonly onConfirm: () => void;
  /** The spending rules make it wait, and it does now. */
  readonly onHeld: () => void;
  /** It is being signed. */
  readonly isBusy: boolean;
  /** Why the last try did not work. */
  readonly error: Error | null;
  /** Words for the other person alone, which are not signed. */
  readonly note?: string;
  /** The chat that it is made in. */
  readonly chat?: WaitingChat;
}

/** The payment in words and figures, with the buttons. */
export function PaymentReview(props: PaymentReviewProps): ReactElement {
  const { intent, onBack } = props;
  const keyring = useKeyring();
  const leastFeeUt = useLeastFee();
  const { data, error } = useQuery({
    queryKey: ["intent-summary", JSON.stringify(intent), leastFeeUt],
    queryFn: () => keyring.summarize({ intent, leastFeeUt }),
    retry: false,
    gcTime: 0,
  });
  if (error !== null) return <ErrorState error={error} onRetry={onBack} />;
  if (data === undefined) return <SkeletonRows count={2} />;
  return <Review {...props} summary={data} />;
}

function Review(props: PaymentReviewProps & { readonly summary: IntentSummary }): ReactElement {
  const { intent, summary, onBack, onConfirm, onHeld, isBusy, error, note = "", chat } = props;
  const t = useMessages();
  const { status } = useKeyringValue();
  const isLocked = status?.state !== "unlocked";
  const { data: verdict } = useSpendingVerdict(intent);
  const hold = useHoldPayment(intent, onHeld, { chat });
  const waits = verdict?.kind === "waits" && !isBusy;
  // What was signed already is counted, and is sent again as it is.
  const isRefused = error === null && refusalInWords(t, verdict) !== undefined;
  return (
    <div className={shared.stack4}>
      <ReviewSentence summary={summary} />
      <Payee summary={summary} />
      <KeyValueList rows={useRows(summary, note)} />
      <p className={shared.hint}>{t("wallet.finalNote")}</p>
      {error === null && !isBusy && <SpendingNote verdict={verdict} />}
      <SendProblem error={error ?? hold.error} />
      <footer className={shared.footer}>
        <Button onClick={onBack} disabled={isBusy || hold.isPending}>
          {t("common.back")}
        </Button>
        {waits ? (
          <Button variant="primary" onClick={(): void => hold.mutate()} busy={hold.isPending}>
            {t("spending.hold")}
          </Button>
        ) : (
          <Button variant="primary" onClick={onConfirm} busy={isBusy} disabled={isRefused}>
            {t(isLocked ? "wallet.unlockAndSend" : "wallet.signAndSend")}
          </Button>
        )}
      </footer>
    </div>
  );
}

/** Takes the focus, so that it is read first and a second Enter does not send. */
function ReviewSentence(props: { readonly summary: IntentSummary }): ReactElement {
  const { amountUt, totalUt, to, from } = props.summary;
  const t = useMessages();
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => sentence.current?.focus(), []);
  const person = useLabelOf(to ?? from);
  const isSelf = to === from;
  const text = isSelf
    ? t("wallet.reviewSelf", { amount: slot("amount"), cost: slot("cost") })
    : t("wallet.reviewSentence", { amount: slot("amount"), person: slot("person"), total: slot("total") });
  return (
    <p ref={sentence} className={styles.sentence} tabIndex={-1}>
      <RichText
        text={text}
        parts={{
          amount: <Amount amountUt={amountUt} size="strong" />,
          total: <Amount amountUt={totalUt} size="strong" />,
          cost: <Amount amountUt={props.summary.feeUt} size="strong" />,
          person: <strong>{person}</strong>,
        }}
      />
    </p>
  );
}

function Payee(props: { readonly summary: IntentSummary }): ReactElement {
  const { from, to } = props.summary;
  const key = to ?? from;
  const t = useMessages();
  const { masterPub } = useAccount();
  const check = useRecipientCheck(masterPub, key);
  const { rename } = usePersonActions();
  return (
    <div className={styles.person}>
      <Avatar publicKey={key} size={40} ofKey />
      <div className={styles.personText}>
        <FullAddress publicKey={key} />
        {check.kind === "firstTime" && <Badge tone="warning">{t("wallet.firstTime")}</Badge>}
      </div>
      {from !== key && rename !== undefined && (
        <IconButton icon={Tag} size="small" label={t("common.privateName")} onClick={(): void => rename(key)} />
      )}
    </div>
  );
}

function useRows(summary: IntentSummary, note: string): readonly KeyValueRow[] {
  const t = useMessages();
  const hasRate = useRate() !== undefined;
  const { amountUt, feeUt, totalUt, publicText } = summary;
  return [
    { label: t("transactions.amount"), value: <Amount amountUt={amountUt} /> },
    { label: t("transactions.fee"), value: <Amount amountUt={feeUt} /> },
    { label: t("transactions.total"), value: <Amount amountUt={totalUt} />, strong: true },
    ...(hasRate ? [{ label: t("rates.worth"), value: <FiatValue amountUt={totalUt} /> }] : []),
    ...(note === "" ? [] : [{ label: t("wallet.notePrivate"), value: note }]),
    ...(publicText === null ? [] : [{ label: t("wallet.memoPublic"), value: publicText }]),
  ];
}

/** Declining to unlock is no failure. Without a response of the node the payment may be on its way: the text says so. */
function SendProblem(props: { readonly error: Error | null }): ReactElement | null {
  const { error } = props;
  const t = useMessages();
  if (error === null || isCodedError(error, "KEYRING_LOCKED")) return null;
  const words = errorInWords(t, error);
  return (
    <Banner tone="danger" title={words.title}>
      {isUncertain(error) ? t("transactions.uncertain") : words.text}
    </Banner>
  );
}
