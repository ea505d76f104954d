// The payments of a batch under review, a row each, with what is to be known of it.
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { DataTable } from "#renderer/components/layout/data-table.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { visibleText } from "#shared/text/visible-text.ts";
import styles from "./batch.module.css";
import type { MarkedRow } from "./mark-rows.ts";

export function BatchTable({ rows }: { readonly rows: readonly MarkedRow[] }): ReactElement {
  const t = useMessages();
  const columns = [
    { title: t("batch.line"), end: true },
    { title: t("batch.recipient") },
    { title: t("transactions.amount"), end: true },
    { title: t("transactions.memo"), start: true },
  ];
  return (
    <DataTable
      label={t("batch.lines")}
      dense
      columns={columns}
      rows={rows.map((row) => ({
        key: String(row.line),
        cells: (
          <>
            <td data-end>{row.line}</td>
            <td className={styles.wrap}>
              {row.to === undefined ? visibleText(row.recipient) : <AddressChip publicKey={row.to} plain />}
              <div className={styles.marks}>
                <Marks row={row} />
              </div>
            </td>
            <td data-end>{row.amountUt > 0 && <Amount amountUt={row.amountUt} />}</td>
            <td className={styles.wrap} data-start="">
              <bdi>{visibleText(row.memo)}</bdi>
            </td>
          </>
        ),
      }))}
    />
  );
}

function Marks({ row }: { readonly row: MarkedRow }): ReactElement {
  const t = useMessages();
  const { mark, lookAlike, isSelf, isFirst, repeats } = row;
  if (mark === "looking") return <Badge>{t("batch.mark.looking")}</Badge>;
  if (mark !== undefined) return <Badge tone="danger">{t(`batch.mark.${mark}`)}</Badge>;
  return (
    <>
      {lookAlike !== undefined && <Badge tone="danger">{t("batch.mark.lookAlike")}</Badge>}
      {lookAlike === undefined && isFirst && <Badge tone="warning">{t("wallet.firstTime")}</Badge>}
      {isSelf && <Badge tone="warning">{t("wallet.toSelf")}</Badge>}
      {repeats > 0 && <Badge tone="warning">{t("batch.repeats")}</Badge>}
    </>
  );
}
