// The history as a CSV file that a spreadsheet opens right: UTF-8 with its mark, CRLF.
import { plainAmount } from "#renderer/lib/format/amount.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { kindLabel } from "#renderer/lib/transactions/transaction-kind.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { textCell } from "#shared/text/csv.ts";
import type { ActivityItem } from "../activity-item.ts";

const MARK = "\uFEFF";

/** What a row needs besides the entry. */
export interface CsvWords {
  readonly label: string | undefined;
  readonly peerName: string | undefined;
  /** The public memo; undefined for none. */
  readonly memo: string | undefined;
}

/** The file. Amounts are plain numbers in T, negative for what left the account. */
export function activityCsv(t: Translate, items: readonly ActivityItem[], wordsOf: (item: ActivityItem) => CsvWords): string {
  const head = [
    t("wallet.csv.time"),
    t("wallet.csv.kind"),
    t("wallet.csv.address"),
    t("wallet.csv.name"),
    t("wallet.csv.amount"),
    t("wallet.csv.fee"),
    t("wallet.csv.state"),
    t("explorer.block"),
    t("transactions.transaction"),
    t("transactions.memo"),
    t("wallet.label"),
  ].map(textCell);
  return `${MARK}${[head.join(","), ...items.map((item) => rowOf(t, item, wordsOf(item)))].join("\r\n")}\r\n`;
}

function rowOf(t: Translate, item: ActivityItem, { label, peerName, memo }: CsvWords): string {
  const { id, kind, direction, peer, amountUt, feeUt, timeMs, state } = item;
  return [
    textCell(new Date(timeMs).toISOString()),
    textCell(kindLabel(t, kind)),
    textCell(peer === undefined ? "" : formatAddress(peer)),
    textCell(peerName ?? ""),
    direction === "in" ? number(amountUt) : `${amountUt > 0 ? "-" : ""}${number(amountUt)}`,
    number(feeUt),
    textCell(t(`wallet.csv.state.${state.kind}`)),
    "blockIndex" in state ? String(state.blockIndex) : "",
    textCell(id),
    textCell(memo ?? ""),
    textCell(label ?? ""),
  ].join(",");
}

function number(amountUt: AmountUt): string {
  return plainAmount(amountUt);
}
