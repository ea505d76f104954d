// One transaction in a list: kind, who and whom, amount, when. Says what was meant, and marks what failed.
import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import { memo, type ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import type { SentenceInput } from "#renderer/components/transactions/transaction-sentence.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { kindLabel, kindOfType } from "#renderer/lib/transactions/transaction-kind.ts";
import styles from "../rows.module.css";

/** What every listing gives; blocks leave out time and status. */
export interface ListedTransaction extends SentenceInput {
  readonly id: string;
  readonly time?: string;
  readonly status?: string;
}

export const TransactionRow = memo(function TransactionRow(props: { readonly transaction: ListedTransaction }): ReactElement {
  const { id, type, from, to, amount_ut: amountUt, time, status } = props.transaction;
  const t = useMessages();
  const kind = kindOfType(type);
  return (
    <Link to="/explorer/tx/$id" params={{ id }} className={styles.row}>
      <span className={styles.kind}>
        {kind === "other" ? type : kindLabel(t, kind)}
        {status === "failed" && <Badge tone="danger">{t("transactions.failed")}</Badge>}
      </span>
      <span className={styles.parties}>
        {from !== "" && <AddressChip publicKey={from} plain />}
        {from !== "" && to !== "" && <ArrowRight size={13} role="img" aria-label={t("explorer.to")} className={styles.arrow} />}
        {to !== "" && <AddressChip publicKey={to} plain />}
      </span>
      <span className={styles.amount}>{amountUt > 0 && <Amount amountUt={amountUt} />}</span>
      {time !== undefined && (
        <span className={styles.time}>
          <Time at={time} />
        </span>
      )}
    </Link>
  );
});
