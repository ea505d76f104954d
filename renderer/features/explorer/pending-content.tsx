// A transaction that was sent from here and that no block holds yet.
import type { ReactElement } from "react";
import { Banner } from "#renderer/components/banner.tsx";
import { Copyable } from "#renderer/components/copyable.tsx";
import { KeyValueList } from "#renderer/components/key-value-list.tsx";
import { Section } from "#renderer/components/section.tsx";
import { Time } from "#renderer/components/time.tsx";
import { factsOfSummary, TransactionSentence } from "#renderer/components/transaction-sentence.tsx";
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
        {t(isExpired ? "explorer.expiredText" : "explorer.pendingText")}
      </Banner>
      <Section title={kindLabel(t, kindOfIntent(summary.kind))}>
        <p>
          <TransactionSentence transaction={factsOfSummary(summary)} />
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
