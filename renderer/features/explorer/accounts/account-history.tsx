// Everything that touched an account, newest first.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { OlderMissing } from "#renderer/components/feedback/older-missing.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { VirtualRows } from "#renderer/components/layout/virtual-rows.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { useAccountHistory } from "#renderer/lib/node/use-account-history.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { TransactionRow } from "../transactions/transaction-row.tsx";

const ROW_HEIGHT = 44;

export function AccountHistory(props: { readonly publicKey: PublicKeyHex }): ReactElement {
  const { publicKey } = props;
  const t = useMessages();
  const { transactions, isPending, error, hasMore, missingBelow, loadMore, retry } = useAccountHistory(publicKey);
  const count = useQuery(useNodeQueries().balance(publicKey)).data?.transactionCount;
  const title = count === undefined ? t("explorer.transactions") : t("explorer.transactionsOf", { count });
  return (
    <Section title={title} bare>
      {isPending && <SkeletonRows />}
      {error !== null && transactions.length === 0 && <ErrorState error={error} onRetry={retry} />}
      {!isPending && error === null && missingBelow === undefined && transactions.length === 0 && (
        <p className={shared.muted}>{t("explorer.neverUsed")}</p>
      )}
      <div className={shared.outdented}>
        <VirtualRows
          label={t("explorer.transactions")}
          items={transactions}
          keyOf={(transaction): string => transaction.id}
          estimateSize={ROW_HEIGHT}
          renderItem={(transaction): ReactElement => <TransactionRow transaction={transaction} />}
          onEnd={loadMore}
        />
        {!hasMore && missingBelow !== undefined && <OlderMissing text={t("explorer.olderTransactionsMissing", { height: missingBelow })} />}
      </div>
    </Section>
  );
}
