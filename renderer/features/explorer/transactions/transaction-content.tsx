// A transaction in a block.
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleX } from "lucide-react";
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { TransactionSentence } from "#renderer/components/transactions/transaction-sentence.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { formatExactTime } from "#renderer/lib/format/time.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { failureInWords } from "#renderer/lib/transactions/failure-in-words.ts";
import { kindLabel, kindOfType } from "#renderer/lib/transactions/transaction-kind.ts";
import type { TransactionDetail } from "#shared/api/schemas/chain.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { RawSection } from "../frame/raw-section.tsx";
import { CallSection } from "./call-section.tsx";
import { PayloadSection } from "./payload-section.tsx";
import styles from "./transaction-content.module.css";

/** Everything about it. */
export function TransactionContent(props: { readonly transaction: TransactionDetail }): ReactElement {
  const { transaction } = props;
  const t = useMessages();
  const hasFailed = transaction.status === "failed";
  const Icon = hasFailed ? CircleX : CircleCheck;
  return (
    <>
      <div className={shared.stack2}>
        <p className={styles.sentence}>
          <TransactionSentence transaction={transaction} hasFailed={hasFailed} />
        </p>
        <p className={hasFailed ? styles.failed : styles.final}>
          <Icon size={16} aria-hidden="true" />
          <Link to="/explorer/block/$height" params={{ height: String(transaction.block_index) }}>
            {t(hasFailed ? "transactions.state.failed" : "transactions.state.inBlock", { height: transaction.block_index })}
          </Link>
          <span className={styles.time}>
            <Time at={transaction.block_time} />
          </span>
        </p>
      </div>
      {hasFailed && (
        <Banner tone="danger" title={failureInWords(t, transaction.error) ?? t("transactions.failed")}>
          {t("transactions.failedText")}
        </Banner>
      )}
      <Section title={t("explorer.details")}>
        <KeyValueList rows={useDetails(transaction)} />
      </Section>
      {transaction.type === "CALL_CONTRACT" ? <CallSection transaction={transaction} /> : <PayloadSection transaction={transaction} />}
      <RawSection value={transaction} />
    </>
  );
}

function useDetails(transaction: TransactionDetail): readonly KeyValueRow[] {
  const { locale, t } = useLanguage();
  const { id, type, from, to, amount_ut: amountUt, fee_ut: feeUt, gas_fee_ut: gasFeeUt } = transaction;
  const { time, block_time: blockTime, gas_used: gasUsed } = transaction;
  const kind = kindOfType(type);
  const rows: readonly (KeyValueRow | false)[] = [
    { label: t("explorer.kind"), value: kind === "other" ? type : kindLabel(t, kind) },
    { label: t("explorer.transactionId"), value: <Copyable text={id} label={t("explorer.copyId")} /> },
    from !== "" && { label: t("explorer.from"), value: <Party publicKey={from} /> },
    to !== "" && { label: t("common.to"), value: <Party publicKey={to} /> },
    { label: t("transactions.amount"), value: <Amount amountUt={amountUt} /> },
    { label: t("transactions.fee"), value: <Amount amountUt={feeUt} /> },
    gasUsed !== undefined &&
      gasUsed > 0 && {
        label: t("explorer.gasUsed"),
        value: t("explorer.gasOfFee", { gas: new Intl.NumberFormat(locale).format(gasUsed), amount: amountText(t, gasFeeUt) }),
      },
    { label: t("explorer.signedAt"), value: formatExactTime(locale, Date.parse(time)) },
    { label: t("explorer.blockTime"), value: formatExactTime(locale, Date.parse(blockTime)) },
  ];
  return rows.filter((row) => row !== false);
}

function Party(props: { readonly publicKey: PublicKeyHex }): ReactElement {
  const { publicKey } = props;
  return (
    <div>
      <AddressChip publicKey={publicKey} />
      <div className={styles.address}>{formatAddress(publicKey)}</div>
    </div>
  );
}
