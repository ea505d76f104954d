// One entry of the activity in full: state, details, memo and one's own label.
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import { FiatValue } from "#renderer/components/rates/fiat-value.tsx";
import { sentenceOfSummary, TransactionSentence } from "#renderer/components/transactions/transaction-sentence.tsx";
import { formatExactTime } from "#renderer/lib/format/time.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useRate } from "#renderer/lib/node/access/use-rate.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { failureInWords } from "#renderer/lib/transactions/failure-in-words.ts";
import { MAX_LABEL_CHARS, setLabel, useLabels } from "#renderer/lib/transactions/label-store.ts";
import type { PendingTransaction } from "#renderer/lib/transactions/pending-store.ts";
import { kindLabel, kindOfIntent, kindOfType } from "#renderer/lib/transactions/transaction-kind.ts";
import { usePendingTransaction } from "#renderer/lib/transactions/use-pending.ts";
import type { TransactionDetail } from "#shared/api/schemas/chain.ts";
import { itemOfEntry } from "./activity-item.ts";
import styles from "./activity-sheet.module.css";
import { stateInWords } from "./activity-words.ts";
import { SaveProofButton } from "./proof/save-proof-button.tsx";
import { useChatPayments } from "./use-chat-payments.ts";

/** The sheet, open as long as its route is. */
export function ActivitySheet(): ReactElement {
  const { id } = useParams({ from: "/shell/wallet/activity/$id" });
  const t = useMessages();
  const navigate = useNavigate();
  const pending = usePendingTransaction(id);
  // One that is on its way is no record yet: the watch over what was submitted says when it is.
  const query = useQuery({ ...useNodeQueries().transaction(id), enabled: pending?.state.kind !== "submitted" });
  const { data } = query;
  const kind = data === undefined ? pending && kindOfIntent(pending.summary.kind) : kindOfType(data.type);
  return (
    <Dialog
      open
      placement="sheet"
      onOpenChange={(): void => void navigate({ to: "/wallet" })}
      title={kind === undefined ? t("transactions.type.other") : kindLabel(t, kind)}
    >
      <div className={styles.body}>
        {data !== undefined && <InBlock transaction={data} />}
        {data === undefined && pending !== undefined && <Waiting pending={pending} />}
        {pending === undefined && <QueryState query={query} rows={3} />}
        {(data !== undefined || pending !== undefined) && <LabelField key={id} id={id} />}
        {data !== undefined && (
          <ButtonLink to="/explorer/tx/$id" params={{ id }}>
            {t("common.openInExplorer")}
          </ButtonLink>
        )}
      </div>
    </Dialog>
  );
}

function InBlock(props: { readonly transaction: TransactionDetail }): ReactElement {
  const { transaction } = props;
  const { masterPub } = useAccount();
  const receipt = useChatPayments([itemOfEntry(transaction, masterPub)]).get(transaction.id);
  const { locale, t } = useLanguage();
  const { id, amount_ut: amountUt, fee_ut: feeUt, block_index: blockIndex, block_time: time, status, payload } = transaction;
  const hasFailed = status === "failed";
  const hasRate = useRate() !== undefined;
  const memo = memoOf(payload);
  const rows: readonly (KeyValueRow | false)[] = [
    {
      label: t("common.status"),
      value: stateInWords(t, hasFailed ? { kind: "failed", blockIndex, reason: "" } : { kind: "inBlock", blockIndex }),
    },
    amountUt > 0 && { label: t("transactions.amount"), value: <Amount amountUt={amountUt} /> },
    hasRate && amountUt > 0 && { label: t("rates.worth"), value: <FiatValue amountUt={amountUt} /> },
    { label: t("transactions.fee"), value: <Amount amountUt={feeUt} /> },
    receipt !== undefined && receipt.note !== "" && { label: t("wallet.notePrivate"), value: receipt.note },
    memo !== undefined && { label: t("transactions.memo"), value: memo },
    { label: t("wallet.time"), value: formatExactTime(locale, Date.parse(time)) },
    { label: t("wallet.transactionId"), value: <Copyable text={id} label={t("explorer.copyId")} /> },
  ];
  return (
    <>
      <p className={styles.sentence}>
        <TransactionSentence transaction={transaction} hasFailed={hasFailed} />
      </p>
      {hasFailed && (
        <Banner tone="danger" title={failureInWords(t, transaction.error) ?? t("transactions.failed")}>
          {t("transactions.failedText")}
        </Banner>
      )}
      <KeyValueList rows={rows.filter((row) => row !== false)} />
      {transaction.type === "TRANSFER" && !hasFailed && <SaveProofButton id={id} />}
      {receipt !== undefined && (
        <ButtonLink to="/inbox/$conversation" params={{ conversation: receipt.conversation }}>
          {t("inbox.openChat")}
        </ButtonLink>
      )}
    </>
  );
}

function Waiting(props: { readonly pending: PendingTransaction }): ReactElement {
  const { id, summary, state } = props.pending;
  const t = useMessages();
  return (
    <>
      <p className={styles.sentence}>
        <TransactionSentence transaction={sentenceOfSummary(summary)} />
      </p>
      <Banner tone={state.kind === "expired" ? "danger" : "accent"} title={stateInWords(t, state)}>
        {t(state.kind === "expired" ? "wallet.expiredText" : "transactions.pendingText")}
      </Banner>
      <KeyValueList
        rows={[
          { label: t("transactions.total"), value: <Amount amountUt={summary.totalUt} /> },
          ...(summary.publicText === null ? [] : [{ label: t("transactions.memo"), value: summary.publicText }]),
          { label: t("wallet.transactionId"), value: <Copyable text={id} label={t("explorer.copyId")} /> },
        ]}
      />
    </>
  );
}

function LabelField(props: { readonly id: string }): ReactElement {
  const { id } = props;
  const t = useMessages();
  const saved = useLabels()[id] ?? "";
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const change = (text: string): void => {
    setTyped(text);
    void setLabel(id, text);
  };
  return (
    <TextField
      label={t("wallet.label")}
      optional
      hint={t("wallet.labelHint")}
      maxLength={MAX_LABEL_CHARS}
      value={typed ?? saved}
      onChange={change}
    />
  );
}

function memoOf(payload: unknown): string | undefined {
  const memo = (payload as { readonly memo?: unknown } | null | undefined)?.memo;
  return typeof memo === "string" && memo !== "" ? memo : undefined;
}
