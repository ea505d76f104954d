// A request for money, and what has become of it. The note stays between the two: it never becomes the public memo of the payment.
import { BanknoteArrowDown, BanknoteArrowUp, BellRing, Coins, ReceiptText } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { KeptFocus } from "#renderer/components/layout/kept-focus.tsx";
import { ConfirmSheet } from "#renderer/components/overlays/confirm-sheet.tsx";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { formatLongDate } from "#renderer/lib/format/time.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { openPaySheet } from "#renderer/lib/messenger/pay-order.ts";
import type { PayLine } from "#shared/content/pay-content.ts";
import { type StatedPayment, usePaymentsOnChain } from "../payment-on-chain.ts";
import { type RequestState, requestState } from "../request-state.ts";
import { useWaitingPayment } from "../use-waiting-payment.ts";
import { CancelWaiting } from "./cancel-waiting.tsx";
import styles from "./card.module.css";
import type { CardProps } from "./card-props.ts";
import { RequestStateLine } from "./request-state-line.tsx";

const MINUTE_MS = 60_000;

/** The card of a request, on either side. */
export function RequestCard(props: CardProps<"pay.request">): ReactElement {
  const { message, header, body } = props;
  const t = useMessages();
  const { state, isKnown } = useRequestState(props);
  const isOwn = message.direction === "out";
  const isInvoice = body.lines !== undefined || body.number !== undefined;
  const Icon = isInvoice ? ReceiptText : isOwn ? BanknoteArrowDown : BanknoteArrowUp;
  const title = isOwn
    ? t(isInvoice ? "payments.youInvoice" : "payments.youRequest")
    : t(isInvoice ? "payments.theyInvoice" : "payments.theyRequest", { name: header.name });
  return (
    <div className={styles.card}>
      <p className={styles.head}>
        <Icon size={16} aria-hidden="true" />
        <span className={styles.title}>{title}</span>
        {body.number !== undefined && <bdi className={styles.number}>{t("payments.number", { number: body.number })}</bdi>}
      </p>
      <Amount amountUt={body.amountUt} size="large" />
      {body.note !== "" && (
        <p className={styles.note} dir="auto">
          {body.note}
        </p>
      )}
      <Lines lines={body.lines ?? []} />
      <Due due={body.due} isOver={state.kind === "overdue"} />
      <RequestStateLine state={state} isOwn={isOwn} name={header.name} />
      <KeptFocus>
        <Actions {...props} state={state} isKnown={isKnown} />
      </KeptFocus>
    </div>
  );
}

/** The state of the request now, by its messages and the chain. */
function useRequestState({ id, message, body, claims }: CardProps<"pay.request">): {
  readonly state: RequestState;
  readonly isKnown: boolean;
} {
  const now = useNow(MINUTE_MS);
  const stated = statedClaims({ id, message, body, claims });
  const onChain = usePaymentsOnChain(stated);
  const { waiting, isKnown } = useWaitingPayment(message.key);
  const state = requestState(
    {
      closed: message.payment?.closed ?? null,
      due: body.due,
      claims: stated.map((claim, index) => ({ ...claim, onChain: onChain[index] ?? { kind: "checking" } })),
      waiting,
    },
    now,
  );
  return { state, isKnown };
}

/** What receipts name, and the own payment whose receipt was deleted here. Refused and outdated ones were never on their way. */
function statedClaims({
  id,
  message,
  body,
  claims,
}: Pick<CardProps<"pay.request">, "id" | "message" | "body" | "claims">): readonly StatedPayment[] {
  const common = { peer: id, since: message.at, direction: message.direction === "in" ? "out" : "in" } as const;
  const named = claims
    .filter(({ payment }) => payment?.held?.fate.kind !== "refused" && payment?.held?.fate.kind !== "expired")
    .map(({ at, body: { txId, amountUt } }) => ({ ...common, txId, amountUt, at }));
  const { ownTxId = null, ownPaidAt = null } = message.payment ?? {};
  if (ownTxId === null || named.some(({ txId }) => txId === ownTxId)) return named;
  return [...named, { ...common, txId: ownTxId, amountUt: body.amountUt, at: ownPaidAt ?? message.at }];
}

function Lines({ lines }: { readonly lines: readonly PayLine[] }): ReactElement | null {
  if (lines.length === 0) return null;
  return (
    <ul className={styles.lines}>
      {lines.map(({ text, amountUt }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines never change their order
        <li key={index}>
          <bdi>{text}</bdi>
          <Amount amountUt={amountUt} />
        </li>
      ))}
    </ul>
  );
}

function Due({ due, isOver }: { readonly due: number | undefined; readonly isOver: boolean }): ReactElement | null {
  const t = useMessages();
  const { locale } = useLanguage();
  if (due === undefined) return null;
  return <p className={styles.due}>{t(isOver ? "payments.wasDue" : "payments.due", { date: formatLongDate(locale, due) })}</p>;
}

type ActionsProps = CardProps<"pay.request"> & { readonly state: RequestState; readonly isKnown: boolean };

function Actions({ state, isKnown, ...props }: ActionsProps): ReactElement | null {
  const isAskedOfMe = props.message.direction === "in";
  if (isAskedOfMe && state.kind === "waits") return <CancelWaiting payment={state.payment} />;
  if (isAskedOfMe) return <AskedActions {...props} state={state} isKnown={isKnown} />;
  return state.kind === "open" || state.kind === "overdue" ? <AuthorActions {...props} /> : null;
}

/** It is not offered again while a payment is on its way, and only as a second payment afterwards. */
function AskedActions({ id, message, header, messenger, state, isKnown }: ActionsProps): ReactElement | null {
  const t = useMessages();
  const toasts = useToasts();
  const [isDeclining, setDeclining] = useState(false);
  if (header.kind !== "person" || state.kind === "paying" || state.kind === "waits" || state.kind === "cancelled") return null;
  const isOpen = state.kind === "open" || state.kind === "overdue";
  const hasPaid = state.kind === "paid" || (isOpen && state.hasFailed);
  const pay = (): void => openPaySheet({ conversation: id, request: message, after: message.payment?.ownTxId ?? null });
  return (
    <div className={styles.actions}>
      <Button size="small" variant={isOpen ? "primary" : "secondary"} icon={Coins} disabled={!isKnown} onClick={pay}>
        {t(hasPaid ? "payments.payAgain" : "payments.pay")}
      </Button>
      {isOpen && (
        <Button size="small" onClick={(): void => setDeclining(true)}>
          {t("payments.decline")}
        </Button>
      )}
      <ConfirmSheet
        open={isDeclining}
        title={t("payments.declineTitle")}
        sentence={t("payments.declineText", { name: header.name })}
        confirmLabel={t("payments.decline")}
        onCancel={(): void => setDeclining(false)}
        onConfirm={(): void => {
          setDeclining(false);
          messenger.closePayRequest(message.key).catch(toasts.showError);
        }}
      />
    </div>
  );
}

function AuthorActions({ message, header, messenger, body }: CardProps<"pay.request">): ReactElement {
  const t = useMessages();
  const { locale } = useLanguage();
  const toasts = useToasts();
  const [isCancelling, setCancelling] = useState(false);
  const amount = amountText(t, body.amountUt);
  const remind = (): void => {
    const { due } = body;
    const text =
      due === undefined ? t("payments.reminder", { amount }) : t("payments.reminderDue", { amount, date: formatLongDate(locale, due) });
    messenger.sendReply(message.key, text).catch(toasts.showError);
  };
  return (
    <div className={styles.actions}>
      <Button size="small" icon={BellRing} onClick={remind}>
        {t("payments.remind")}
      </Button>
      <Button size="small" onClick={(): void => setCancelling(true)}>
        {t("payments.cancelRequest")}
      </Button>
      <ConfirmSheet
        open={isCancelling}
        title={t("payments.cancelTitle")}
        sentence={t("payments.cancelText", { name: header.name, amount })}
        confirmLabel={t("payments.cancelRequest")}
        cancelLabel={t("payments.keep")}
        onCancel={(): void => setCancelling(false)}
        onConfirm={(): void => {
          setCancelling(false);
          messenger.closePayRequest(message.key).catch(toasts.showError);
        }}
      />
    </div>
  );
}
