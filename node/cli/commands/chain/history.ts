// parley history: the transactions of an account, as a table or as a CSV file.
import type { Command } from "commander";
import { type PublicKeyHex, parseAccount } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import { textCell } from "#shared/text/csv.ts";
import { type AccountOptions, connectFor, shownAccount, withAccountOptions } from "../../session/accounts/account-names.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { countValue } from "../../session/option-values.ts";
import { onOneLine } from "../../session/printing/printable-line.ts";
import { type Column, tableLines } from "../../session/printing/table.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { type HistoryEntry, readHistory } from "./read-history.ts";

interface HistoryOptions extends AccountOptions {
  readonly limit: number;
  readonly all?: boolean;
  readonly csv?: boolean;
}

const DEFAULT_COUNT = 50;
const CSV_HEAD = ["time", "type", "counterparty", "amount", "fee", "status", "block", "transaction", "memo"];

export function addHistoryCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("history")
    .description("print the transactions of an account, newest first, with their memos")
    .option("--limit <count>", "maximum number", countValue, DEFAULT_COUNT)
    .option("--all", "all of them, whatever --limit says")
    .option("--csv", "as a CSV file: amounts are T, negative for what left the account");
  withExamples(withAccountOptions(command), "history --key alice.json", "history @bob --all --csv > bob.csv").action(
    async (account: string | undefined, options: HistoryOptions) => {
      const { client, publicKey } = await connectFor(context, account, options);
      const limit = options.all === true ? Number.POSITIVE_INFINITY : options.limit;
      const { total, entries } = await readHistory(client, publicKey, limit);
      if (options.csv === true && options.json !== true) {
        for (const line of csvLines(entries, publicKey)) context.terminal.out(line);
        return;
      }
      const lines = tableLines(entries, columnsFor(context, publicKey));
      report(context, options, { pub_key: publicKey, tx_count: total, count: entries.length, transactions: entries }, [
        ...(lines.length === 0 ? ["No transactions."] : lines),
      ]);
      if (entries.length < total) context.terminal.err(`There are ${total}: raise --limit, or take --all.`);
    },
  );
}

function columnsFor(context: CommandContext, account: PublicKeyHex): readonly Column<HistoryEntry>[] {
  return [
    { head: "TIME", cell: ({ time }) => time },
    { head: "TYPE", cell: ({ type }) => type },
    { head: "AMOUNT", cell: (entry) => `${signOf(entry, account)}${formatAmount(entry.amount_ut)}`, isNumber: true },
    { head: "FEE", cell: (entry) => (entry.from === account ? formatAmount(entry.fee_ut) : ""), isNumber: true },
    { head: "STATUS", cell: ({ status }) => status },
    { head: "FROM OR TO", cell: (entry) => nameOf(context, counterpartyOf(entry, account)) },
    { head: "TRANSACTION", cell: ({ id }) => id },
    { head: "MEMO", cell: ({ memo }) => memo },
  ];
}

function csvLines(entries: readonly HistoryEntry[], account: PublicKeyHex): readonly string[] {
  const rows = entries.map((entry) =>
    [
      textCell(entry.time),
      textCell(entry.type),
      textCell(counterpartyOf(entry, account)),
      `${signOf(entry, account)}${plainAmount(entry.amount_ut)}`,
      entry.from === account ? plainAmount(entry.fee_ut) : "0",
      textCell(entry.status),
      String(entry.block_index),
      textCell(entry.id),
      textCell(onOneLine(entry.memo)),
    ].join(","),
  );
  return [CSV_HEAD.map(textCell).join(","), ...rows];
}

function signOf({ from, amount_ut }: HistoryEntry, account: PublicKeyHex): string {
  return from === account && amount_ut > 0 ? "-" : "";
}

/** The other party; nothing for what an account does alone. */
function counterpartyOf({ from, from_addr, to_addr }: HistoryEntry, account: PublicKeyHex): string {
  return from === account ? to_addr : from_addr;
}

/** An address, or the name that the user gave to it. */
function nameOf(context: CommandContext, address: string): string {
  return address === "" ? "" : shownAccount(context, parseAccount(address));
}

function plainAmount(amountUt: AmountUt): string {
  return formatAmount(amountUt).replace(" T", "");
}
