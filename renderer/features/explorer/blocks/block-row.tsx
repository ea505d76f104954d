// One block in a list.
import { Link } from "@tanstack/react-router";
import { memo, type ReactElement } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import type { BlockSummary } from "#shared/api/schemas/chain.ts";
import { parseAddress } from "#shared/protocol/primitives/address.ts";
import styles from "../rows.module.css";

export const BlockRow = memo(function BlockRow(props: { readonly block: BlockSummary }): ReactElement {
  const { index, validator, tx_count: count, time } = props.block;
  const { locale, t } = useLanguage();
  const proposer = parseAddress(validator);
  return (
    <Link to="/explorer/block/$height" params={{ height: String(index) }} className={styles.row}>
      <span className={styles.number}>{new Intl.NumberFormat(locale).format(index)}</span>
      <span className={styles.parties}>{proposer === undefined ? validator : <AddressChip publicKey={proposer} plain />}</span>
      <span className={styles.amount}>{t("explorer.transactionCount", { count })}</span>
      <span className={styles.time}>
        <Time at={time} />
      </span>
    </Link>
  );
});
