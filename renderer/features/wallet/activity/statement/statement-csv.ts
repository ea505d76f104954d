// A statement as a CSV file: its entries with the balance after each, then the sums.
import { plainAmount } from "#renderer/lib/format/amount.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { kindLabel } from "#renderer/lib/transactions/transaction-kind.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { textCell } from "#shared/text/csv.ts";
import type { Statement, StatementLine } from "./make-statement.ts";

const MARK = "\uFEFF";

/** What is known of a line beside its entry. */
export interface LineWords {
  readonly name: string;
  readonly memo: string;
  readonly label: string;
}

/** The file. Amounts are plain numbers in T, negative for what left the account. */
export function statementCsv(t: Translate, statement: Statement, wordsOf: (line: StatementLine) => LineWords): string {
  const heads = [
    t("wallet.csv.time"),
    t("wallet.csv.kind"),
    t("wallet.csv.name"),
    t("wallet.csv.address"),
    t("wallet.csv.amount"),
    t("wallet.csv.fee"),
    t("statement.csvBalance"),
    t("transactions.memo"),
    t("wallet.label"),
    t("transactions.transaction"),
  ];
  const empty = "";
  const { openingUt, closingUt, period } = statement;
  let balanceUt = openingUt;
  const lines = statement.lines.map((line) => {
    const { item, movedUt, feeUt } = line;
    const { name, memo, label } = wordsOf(line);
    balanceUt += movedUt - feeUt;
    return [
      textCell(new Date(item.timeMs).toISOString()),
      textCell(kindLabel(t, item.kind)),
      textCell(name),
      textCell(item.peer === undefined ? "" : formatAddress(item.peer)),
      signedPlain(movedUt),
      plainAmount(feeUt),
      signedPlain(balanceUt),
      textCell(memo),
      textCell(label),
      textCell(item.id),
    ].join(",");
  });
  const sum = (timeMs: number, words: string, amountUt: AmountUt, moved = empty): string =>
    [
      textCell(new Date(timeMs).toISOString()),
      textCell(words),
      empty,
      empty,
      moved,
      empty,
      signedPlain(amountUt),
      empty,
      empty,
      empty,
    ].join(",");
  const first = sum(period.fromMs, t("statement.opening"), openingUt);
  const other = statement.otherUt === 0 ? [] : [sum(period.toMs, t("statement.other"), closingUt, signedPlain(statement.otherUt))];
  const last = sum(period.toMs, t("statement.closing"), closingUt);
  return `${MARK}${[heads.map(textCell).join(","), first, ...lines, ...other, last].join("\r\n")}\r\n`;
}

function signedPlain(amountUt: number): string {
  return amountUt < 0 ? `-${plainAmount(-amountUt)}` : plainAmount(amountUt);
}
