// The statement as paper shows it: nothing of it on the screen, and nothing of the app on paper. The browser draws it, so names of every
// script come out.
import type { ReactElement } from "react";
import { createPortal } from "react-dom";
import { amountText } from "#renderer/lib/format/amount.ts";
import { formatDateTime } from "#renderer/lib/format/time.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useChainId } from "#renderer/lib/node/known-chain.ts";
import { kindLabel } from "#renderer/lib/transactions/transaction-kind.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { Statement, StatementLine } from "./make-statement.ts";
import styles from "./printed-statement.module.css";
import type { LineWords } from "./statement-csv.ts";

/** Most lines that are laid out for paper, some two hundred pages. */
export const MAX_PRINTED_LINES = 5_000;

export interface PrintedStatementProps {
  readonly statement: Statement;
  readonly wordsOf: (line: StatementLine) => LineWords;
}

export function PrintedStatement({ statement, wordsOf }: PrintedStatementProps): ReactElement {
  const { t, locale } = useLanguage();
  const { address } = useAccount();
  const network = useChainId() ?? "";
  const { period, lines, openingUt, closingUt, receivedUt, sentUt, feesUt, otherUt, unlistedUt } = statement;
  const sums = [
    [t("statement.opening"), openingUt],
    [t("statement.received"), receivedUt],
    [t("statement.sent"), -sentUt],
    [t("statement.fees"), -feesUt],
    ...(otherUt === 0 ? [] : [[t("statement.other"), otherUt] as const]),
    [t("statement.closing"), closingUt],
  ] as const;
  return createPortal(
    <div className={styles.page} data-printed="">
      <h1>{t("statement.page")}</h1>
      <p>{t("statement.range", { from: formatDateTime(locale, period.fromMs), to: formatDateTime(locale, period.toMs) })}</p>
      <p className={styles.address}>{address}</p>
      <p>{network}</p>
      <table className={styles.sums}>
        <tbody>
          {sums.map(([words, amountUt]) => (
            <tr key={words}>
              <th scope="row">{words}</th>
              <td className={styles.number}>{signed(amountUt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {unlistedUt !== undefined && unlistedUt !== 0 && <p>{t("statement.unlisted", { amount: signed(unlistedUt) })}</p>}
      <table className={styles.lines}>
        <thead>
          <tr>
            <th scope="col">{t("wallet.time")}</th>
            <th scope="col">{t("statement.entry")}</th>
            <th scope="col" className={styles.number}>
              {t("transactions.amount")}
            </th>
            <th scope="col" className={styles.number}>
              {t("transactions.fee")}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.item.id}>
              <td>{formatDateTime(locale, line.item.timeMs)}</td>
              <td>
                <Entry line={line} words={wordsOf(line)} />
              </td>
              <td className={styles.number}>{signed(line.movedUt)}</td>
              <td className={styles.number}>{signed(-line.feeUt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>,
    document.body,
  );

  function signed(amountUt: number): string {
    return amountUt < 0 ? `−${amountText(t, -amountUt)}` : amountText(t, amountUt);
  }
}

function Entry({ line, words }: { readonly line: StatementLine; readonly words: LineWords }): ReactElement {
  const { t } = useLanguage();
  const { peer, kind, id } = line.item;
  const rows = [
    words.name,
    peer === undefined ? "" : formatAddress(peer),
    words.memo === "" ? "" : `${t("transactions.memo")}: ${words.memo}`,
    words.label === "" ? "" : `${t("wallet.label")}: ${words.label}`,
    id,
  ];
  return (
    <>
      {kindLabel(t, kind)}
      {rows
        .filter((row) => row !== "")
        .map((row) => (
          <div key={row} className={styles.detail}>
            {row}
          </div>
        ))}
    </>
  );
}
