// parley transactions: the newest transactions of the chain.
import type { Command } from "commander";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { countValue } from "../../session/option-values.ts";
import { tableLines } from "../../session/printing/table.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { TRANSACTION_COLUMNS } from "./transaction-columns.ts";

const DEFAULT_COUNT = 20;

export function addTransactionsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("transactions")
    .description("print the newest transactions of the chain, newest first")
    .option("--limit <count>", "maximum number, 100 at most", countValue, DEFAULT_COUNT);
  withExamples(withClientOptions(command), "transactions", "transactions --limit 100 --json").action(
    async (options: ClientOptions & { readonly limit: number }) => {
      const client = await connect(context, options);
      const transactions = await client.listRecentTransactions({ limit: options.limit });
      const lines = tableLines(transactions, TRANSACTION_COLUMNS);
      report(context, options, { count: transactions.length, transactions }, lines.length === 0 ? ["No transactions."] : lines);
    },
  );
}
