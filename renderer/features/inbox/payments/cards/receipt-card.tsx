// A payment of the chat. The message only says where to look: that the other person paid is stated once the chain shows it.
import { Link } from "@tanstack/react-router";
import { ArrowDownLeft, ArrowUpRight, Check, CircleAlert, CircleX, Clock, CloudOff, Hourglass } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { formatClock } from "#renderer/lib/format/time.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { openPaySheet } from "#renderer/lib/messenger/pay-order.ts";
import { sendSignedNow } from "#renderer/lib/messenger/signed-payments.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ChatMessage, HeldPayment } from "#shared/messenger/model/message.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { type PaymentOnChain, usePaymentsOnChain } from "../payment-on-chain.ts";
import styles from "./card.module.css";
import type { CardProps } from "./card-props.ts";

/** The card of a payment, on either side. */
export function ReceiptCard(props: CardProps<"pay.receipt">): ReactElement {
  const { message, body, header } = props;
  const t = useMessages();
  const held = message.payment?.held ?? null;
  const onChain = useOnChain(props, held);
  const isOwn = message.direction === "out";
  const isPaid = onChain.kind === "inBlock";
  const Arrow = isOwn ? ArrowUpRight : ArrowDownLeft;
  const title = isOwn
    ? t(isPaid ? "payments.youPaid" : "payments.youPay")
    : t(isPaid ? "payments.theyPaid" : "payments.theySayTheyPaid", { name: header.name });
  return (
    <div className={styles.card}>
      <p className={styles.head}>
        <Arrow size={16} aria-hidden="true" />
        <span className={styles.title}>{title}</span>
      </p>
      <Amount amountUt={body.amountUt} size="large" {...(!isOwn && isPaid && { direction: "in" })} />
      {body.note !== undefined && (
        <p className={styles.note} dir="auto">
          {body.note}
        </p>
      )}
      {held === null ? <ChainLine txId={body.txId} onChain={onChain} /> : <HeldLine {...props} held={held} />}
    </div>
  );
}

function useOnChain({ id, message, body, isRepeated }: CardProps<"pay.receipt">, held: HeldPayment | null): PaymentOnChain {
  const { txId, amountUt } = body;
  const stated = { txId, amountUt, peer: id, direction: message.direction, at: message.at };
  const [onChain = { kind: "checking" }] = usePaymentsOnChain(held === null ? [stated] : []);
  return isRepeated ? { kind: "repeated" } : onChain;
}

const TONES = { failed: "bad", different: "bad", repeated: "bad", inBlock: "good", waiting: undefined, checking: undefined } as const;

/** The line below the amount; of a payment in a block, a link to it. */
function ChainLine({ txId, onChain }: { readonly txId: string; readonly onChain: PaymentOnChain }): ReactElement {
  const t = useMessages();
  const Icon = onChain.kind === "inBlock" ? Check : TONES[onChain.kind] === "bad" ? CircleAlert : Clock;
  return (
    <Line icon={<Icon size={15} aria-hidden="true" />} tone={TONES[onChain.kind]}>
      {onChain.kind === "inBlock" ? (
        <>
          <strong>{t("payments.paid")}</strong>
          {" · "}
          <Link className={styles.link} to="/explorer/tx/$id" params={{ id: txId }}>
            {t("transactions.inBlock", { height: String(onChain.height) })}
          </Link>
        </>
      ) : (
        t(`payments.${onChain.kind}`)
      )}
    </Line>
  );
}

type HeldProps = CardProps<"pay.receipt"> & { readonly held: HeldPayment };

/** A payment that no node is known to have, and the ways out. */
function HeldLine({ id, message, messenger, held }: HeldProps): ReactElement {
  const t = useMessages();
  const { locale } = useLanguage();
  const isOnline = useMessengerValue((messenger) => messenger.isOnline);
  const isFresh = useNow(FRESH_MS) - message.at < FRESH_MS;
  const { fate, transaction } = held;
  switch (fate.kind) {
    case "unsent":
      if (isOnline) return <Line icon={<Hourglass size={15} aria-hidden="true" />}>{t("payments.sending")}</Line>;
      return (
        <>
          <Line icon={<CloudOff size={15} aria-hidden="true" />} tone="late">
            {t("payments.offline", { time: formatClock(locale, Date.parse(transaction.timestamp) + TX_WINDOW_MS) })}
          </Line>
          <div className={styles.actions}>
            <Discard message={message} messenger={messenger}>
              {t("payments.dontSend")}
            </Discard>
          </div>
        </>
      );
    case "handed":
      return (
        <>
          <Line icon={<Hourglass size={15} aria-hidden="true" />} tone={isOnline ? undefined : "late"}>
            {t(isFresh ? "payments.sending" : "payments.unclear")}
          </Line>
          {!isFresh && (
            <div className={styles.actions}>
              <Button size="small" onClick={sendSignedNow}>
                {t("payments.tryAgain")}
              </Button>
            </div>
          )}
        </>
      );
    case "refused":
    case "expired": {
      const again = (): void =>
        openPaySheet({
          conversation: id,
          amountUt: transaction.amount,
          note: message.body.kind === "pay.receipt" ? (message.body.note ?? "") : "",
        });
      return (
        <>
          <Line icon={<CircleX size={15} aria-hidden="true" />} tone="bad">
            {fate.kind === "refused" ? t("payments.refused", { reason: reasonOf(t, fate.problem) }) : t("payments.expired")}
          </Line>
          <div className={styles.actions}>
            {held.request === null && (
              <Button size="small" onClick={again}>
                {t("payments.payAgain")}
              </Button>
            )}
            <Discard message={message} messenger={messenger}>
              {t("payments.remove")}
            </Discard>
          </div>
        </>
      );
    }
  }
}

/** The first answer usually comes within this time. */
const FRESH_MS = 5_000;

function reasonOf(
  t: ReturnType<typeof useMessages>,
  { code, message }: Extract<HeldPayment["fate"], { readonly kind: "refused" }>["problem"],
): string {
  const { title, text } = errorInWords(t, new CodedError(code, message));
  return `${title}. ${text}`;
}

function Discard(props: { readonly message: ChatMessage; readonly messenger: Messenger; readonly children: ReactNode }): ReactElement {
  const toasts = useToasts();
  const discard = (): void => void props.messenger.discardPayment(props.message.key).catch(toasts.showError);
  return (
    <Button size="small" onClick={discard}>
      {props.children}
    </Button>
  );
}

function Line(props: {
  readonly icon: ReactNode;
  readonly tone?: "good" | "bad" | "late" | undefined;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <p className={styles.state} data-tone={props.tone} role="status">
      {props.icon}
      <span>{props.children}</span>
    </p>
  );
}
