// One transaction: what it did in a sentence, whether it counts, the details, what it carried, and the raw record.
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { FileQuestion, Hourglass } from "lucide-react";
import type { ReactElement } from "react";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { isWaitingForBlock, useNodeQueries } from "#renderer/lib/node/queries.ts";
import { usePendingTransaction } from "#renderer/lib/transactions/use-pending.ts";
import { MAX_TX_ID_CHARS } from "#shared/protocol/primitives/limits.ts";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";
import { PendingContent } from "./pending-content.tsx";
import { TransactionContent } from "./transaction-content.tsx";

/** How often a transaction that waits for a block is asked for. */
const AGAIN_MS = 2_000;
const ID_FORM = /^[A-Za-z0-9._:-]+$/;

export function TransactionPage(): ReactElement {
  const { id } = useParams({ from: "/shell/explorer/tx/$id" });
  const t = useMessages();
  const isWellFormed = ID_FORM.test(id) && id.length <= MAX_TX_ID_CHARS;
  return (
    <ExplorerFrame title={t("explorer.transactionTitle", { id: shorten(id) })}>
      {isWellFormed ? (
        <Transaction key={id} id={id} />
      ) : (
        <EmptyState icon={FileQuestion} title={t("explorer.malformedIdTitle")} text={t("explorer.malformedId")} />
      )}
    </ExplorerFrame>
  );
}

function Transaction(props: { readonly id: string }): ReactElement {
  const { id } = props;
  const t = useMessages();
  const pending = usePendingTransaction(id);
  const query = useQuery({
    ...useNodeQueries().transaction(id),
    enabled: pending?.state.kind !== "submitted",
    // No push says when another one's transaction enters a block.
    refetchInterval: ({ state }) => (isWaitingForBlock(state.error) ? AGAIN_MS : false),
  });
  if (query.data !== undefined) return <TransactionContent transaction={query.data} />;
  if (pending !== undefined) return <PendingContent pending={pending} />;
  if (isWaitingForBlock(query.error))
    return <EmptyState icon={Hourglass} title={t("transactions.state.submitted")} text={t("transactions.pendingText")} />;
  const missing = (
    <EmptyState
      icon={FileQuestion}
      title={t("explorer.transactionMissingTitle")}
      text={t("explorer.transactionMissing")}
      actions={<ButtonLink to="/explorer">{t("explorer.toOverview")}</ButtonLink>}
    />
  );
  return <QueryState query={query} missing={missing} />;
}
