// Third step: how far the payments are, each by itself.
import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { DataTable } from "#renderer/components/layout/data-table.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useChainId } from "#renderer/lib/node/known-chain.ts";
import { type Batch, type BatchRow, clearBatch } from "#renderer/lib/transactions/sending/batch-store.ts";
import { usePendingTransaction } from "#renderer/lib/transactions/use-pending.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { stateInWords } from "../activity/activity-words.ts";
import styles from "./batch.module.css";

export function BatchProgress({ batch, onDone }: { readonly batch: Batch; readonly onDone: () => void }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const { rows } = batch;
  const isElsewhere = batch.chainId !== useChainId();
  const waiting = rows.filter(({ state }) => state.kind === "waiting").length;
  const inBlock = rows.filter(({ state }) => state.kind === "inBlock").length;
  const failed = rows.filter(({ state }) => state.kind === "refused" || state.kind === "expired").length;
  const clear = useMutation({ mutationFn: clearBatch, onSuccess: onDone, onError: toasts.showError });
  return (
    <div className={shared.stack4}>
      {isElsewhere ? (
        <Banner tone="warning" title={t("batch.otherNetwork", { network: batch.chainId })}>
          {t("batch.otherNetworkText")}
        </Banner>
      ) : (
        <Summary waiting={waiting} failed={failed} inBlock={inBlock} total={rows.length} />
      )}
      <DataTable
        label={t("batch.progressTitle")}
        dense
        columns={[{ title: t("batch.recipient") }, { title: t("transactions.amount"), end: true }, { title: t("common.status") }]}
        rows={rows.map((row) => ({ key: row.signed.transaction.id, cells: <RowCells row={row} /> }))}
      />
      <footer className={shared.footer}>
        {waiting > 0 && !isElsewhere ? (
          <Button onClick={onDone}>{t("common.close")}</Button>
        ) : (
          <Button variant="primary" busy={clear.isPending} onClick={(): void => clear.mutate()}>
            {t("batch.clear")}
          </Button>
        )}
      </footer>
    </div>
  );
}

interface SummaryProps {
  readonly waiting: number;
  readonly failed: number;
  readonly inBlock: number;
  readonly total: number;
}

function Summary({ waiting, failed, inBlock, total }: SummaryProps): ReactElement {
  const t = useMessages();
  if (waiting > 0)
    return (
      <Banner tone="accent" title={t("batch.progress", { done: total - waiting, total })}>
        {t("batch.progressText")}
      </Banner>
    );
  return failed > 0 ? (
    <Banner tone="danger" title={t("batch.finishedInPart", { count: failed })} />
  ) : (
    <Banner tone="success" title={t(inBlock === total ? "batch.paid" : "batch.finished")} />
  );
}

function RowCells({ row }: { readonly row: BatchRow }): ReactElement {
  const t = useMessages();
  const { transaction, summary } = row.signed;
  const pending = usePendingTransaction(transaction.id);
  return (
    <>
      <td>
        <AddressChip publicKey={summary.to ?? summary.from} plain />
      </td>
      <td data-end>
        <Amount amountUt={summary.amountUt} />
      </td>
      <td className={styles.wrap}>{words()}</td>
    </>
  );

  function words(): string {
    const { state } = row;
    if (state.kind === "refused") return t("batch.state.refused", { reason: visibleText(state.reason) });
    if ((state.kind === "taken" || state.kind === "inBlock") && pending !== undefined) return stateInWords(t, pending.state);
    return t(`batch.state.${state.kind}`);
  }
}
