// A contact's request for money in the queue: what it is for, until when, and the same answers as on its card in the chat.
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import { ConfirmSheet } from "#renderer/components/overlays/confirm-sheet.tsx";
import { WholeLabel } from "#renderer/components/people/names/whole-label.tsx";
import { formatDate } from "#renderer/lib/format/time.ts";
import { useSpending } from "#renderer/lib/keyring/use-spending.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import { openPaySheet } from "#renderer/lib/messenger/pay-order.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import type { AskingMessage } from "#shared/messenger/model/conversation.ts";
import styles from "../contacts.module.css";
import { QueueRow } from "./request-row.tsx";

/** Leads to the chat; Pay opens the sheet there. */
export function AskRow({ ask }: { readonly ask: AskingMessage }): ReactElement {
  const { conversation, body } = ask;
  const [day, subject] = [useDay(ask), useSubject(ask)];
  return (
    <QueueRow>
      <ListRowLink
        to="/inbox/$conversation"
        params={{ conversation }}
        leading={<Avatar publicKey={conversation} size={36} />}
        heading={<WholeLabel publicKey={conversation} />}
        isWhole
        meta={day}
        subtitle={<bdi>{subject}</bdi>}
        trailing={<Amount amountUt={body.amountUt} />}
      />
      <Answers ask={ask} />
    </QueueRow>
  );
}

/** The day until which it is to be paid, else the one on which it came. */
function useDay({ body: { due }, message }: AskingMessage): string {
  const t = useMessages();
  const { locale } = useLanguage();
  const [openedAt] = useState(Date.now);
  if (due === undefined) return formatDate(locale, message.at, openedAt);
  return t(due < openedAt ? "payments.wasDue" : "payments.due", { date: formatDate(locale, due, openedAt) });
}

/** What it is for. */
function useSubject({ body: { note, number } }: AskingMessage): string {
  const t = useMessages();
  if (note !== "") return note;
  return number === undefined ? t("contacts.asksForMoney") : t("payments.number", { number });
}

function Answers({ ask: { conversation, message } }: { readonly ask: AskingMessage }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const messenger = useMessenger();
  const navigate = useNavigate();
  const name = useLabelOf(conversation);
  // What waits by the spending rules answers it already: it can be taken back in the chat.
  const { data, isPending } = useSpending();
  const hasWaiting = data?.waiting.some(({ chat }) => chat?.request === message.key) === true;
  const [isDeclining, setDeclining] = useState(false);
  const of = <VisuallyHidden> {name}</VisuallyHidden>;
  const pay = (): void => {
    openPaySheet({ conversation, request: message, after: message.payment?.ownTxId ?? null });
    void navigate({ to: "/inbox/$conversation", params: { conversation } });
  };
  return (
    <div className={styles.answers}>
      <Button size="small" variant="primary" disabled={isPending || hasWaiting} onClick={pay}>
        {t("payments.pay")}
        {of}
      </Button>
      <Button size="small" onClick={(): void => setDeclining(true)}>
        {t("payments.decline")}
        {of}
      </Button>
      <ConfirmSheet
        open={isDeclining}
        title={t("payments.declineTitle")}
        sentence={t("payments.declineText", { name })}
        confirmLabel={t("payments.decline")}
        onCancel={(): void => setDeclining(false)}
        onConfirm={(): void => {
          setDeclining(false);
          messenger?.closePayRequest(message.key).catch(toasts.showError);
        }}
      />
    </div>
  );
}
