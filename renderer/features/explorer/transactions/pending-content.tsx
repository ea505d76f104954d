// A transaction that was sent from here and that no block holds yet.
import type { ReactElement } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import { sentenceOfSummary, TransactionSentence } from "#renderer/components/transactions/transaction-sentence.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { PendingTransaction } from "#renderer/lib/transactions/pending-store.ts";
import { kindLabel, kindOfIntent } from "#renderer/lib/transactions/transaction-kind.ts";

/** What is known of it. */
export function PendingContent(props: { readonly pending: PendingTransaction }): ReactElement {
  const { id, summary, submittedAtMs, state } = props.pending;
  const t = useMessages();
  const isExpired = state.kind === "expired";
  return (
    <>
      <Banner tone={isExpired ? "danger" : "accent"} title={t(isExpired ? "transactions.state.expired" : "transactions.state.submitted")}>
        {t(isExpired ? "explorer.expiredText" : "transactions.pendingText")}
      </Banner>
      <Section title={kindLabel(t, kindOfIntent(summary.kind))}>
        <p>
          <TransactionSentence transaction={sentenceOfSummary(summary)} />
        </p>
        <KeyValueList
          rows={[
            { label: t("explorer.transactionId"), value: <Copyable text={id} label={t("explorer.copyId")} /> },
            { label: t("explorer.sentAt"), value: <Time at={submittedAtMs} /> },
          ]}
        />
      </Section>
    </>
  );
}
