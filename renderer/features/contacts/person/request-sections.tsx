// Their request with its answer buttons, and one's own request with its state.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { type ContactDecision, ContactDecisionSheet } from "#renderer/components/people/contact-decision-sheet.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { ContactEntry } from "#renderer/lib/people/contacts/contact-directory.ts";
import { changeNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { useContactProgress } from "#renderer/lib/people/contacts/use-contact-progress.ts";
import type { ContactInfo, SentContactInfo } from "#shared/api/schemas/relay.ts";
import { AnswerBadge } from "../list/contact-row.tsx";
import styles from "../person.module.css";

/** What they wrote and paid, and the way to answer while it is open. */
export function ReceivedRequest(props: { readonly entry: ContactEntry; readonly request: ContactInfo }): ReactElement {
  const { entry, request } = props;
  const t = useMessages();
  return (
    <Section title={t("contacts.theirRequest")} hint={t("contacts.theirRequestHint")}>
      <Intro text={request.intro} />
      {request.intro !== undefined && request.intro !== "" && <p className={shared.hint}>{t("contacts.introBy")}</p>}
      <KeyValueList
        rows={[
          { label: t("contacts.paidYou"), value: <Amount amountUt={request.fee_ut} />, strong: true },
          { label: t("contacts.asked"), value: <Time at={request.created_at * 1000} /> },
          { label: t("transactions.transaction"), value: <TransactionLink id={request.tx_id} /> },
        ]}
      />
      {request.status === "pending" && <Answer entry={entry} request={request} />}
    </Section>
  );
}

/** One's own request and its status. */
export function SentRequest({ request }: { readonly request: SentContactInfo }): ReactElement {
  const t = useMessages();
  const rows: readonly KeyValueRow[] = [
    { label: t("contacts.answer"), value: <AnswerBadge status={request.status} /> },
    { label: t("contacts.paidThem"), value: <Amount amountUt={request.fee_ut} size="strong" /> },
    { label: t("contacts.asked"), value: <Time at={request.created_at * 1000} /> },
    { label: t("transactions.transaction"), value: <TransactionLink id={request.tx_id} /> },
  ];
  return (
    <Section title={t("contacts.yourRequest")}>
      <Intro text={request.intro} />
      <KeyValueList rows={rows} />
    </Section>
  );
}

function Answer({ entry, request }: { readonly entry: ContactEntry; readonly request: ContactInfo }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { publicKey, relation } = entry;
  const [decision, setDecision] = useState<ContactDecision>();
  const isUnderWay = useContactProgress(publicKey)?.transaction.state.kind === "submitted";
  const hide = (isHidden: boolean): void => void changeNotes(publicKey, { declinedRequest: isHidden ? request.tx_id : "" });
  const decline = (): void => {
    hide(true);
    toasts.show({ title: t("contacts.declineDone"), action: { label: t("common.undo"), onSelect: () => hide(false) } });
  };
  return (
    <>
      <div className={shared.buttons}>
        <Button variant="primary" disabled={isUnderWay} onClick={(): void => setDecision("accept")}>
          {t("contacts.accept")}
        </Button>
        {relation === "declined" ? (
          <Button onClick={(): void => hide(false)}>{t("contacts.undecline")}</Button>
        ) : (
          relation === "request" && <Button onClick={decline}>{t("contacts.decline")}</Button>
        )}
        <Button variant="ghost" disabled={isUnderWay} onClick={(): void => setDecision("block")}>
          {t("contacts.block")}
        </Button>
      </div>
      <p className={shared.hint}>{t("contacts.declineHint")}</p>
      {decision !== undefined && (
        <ContactDecisionSheet decision={decision} publicKey={publicKey} onClose={(): void => setDecision(undefined)} />
      )}
    </>
  );
}

function Intro({ text }: { readonly text: string | undefined }): ReactElement {
  const t = useMessages();
  if (text === undefined || text === "") return <p className={shared.hint}>{t("contacts.noIntro")}</p>;
  return (
    <p className={styles.intro} dir="auto">
      {text}
    </p>
  );
}

function TransactionLink({ id }: { readonly id: string }): ReactElement {
  const t = useMessages();
  const { data } = useQuery(useNodeQueries().transaction(id));
  return (
    <Link to="/explorer/tx/$id" params={{ id }}>
      {data === undefined ? shorten(id) : t("transactions.inBlock", { height: data.block_index })}
    </Link>
  );
}
