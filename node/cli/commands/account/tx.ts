// parley tx: one transaction as the node knows it.
import type { Command } from "commander";
import { isInBlock } from "#shared/api/known-transaction.ts";
import type { TransactionDetail } from "#shared/api/schemas/chain.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addTxCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("tx")
    .description("print a transaction that is in a block, or waits for one")
    .argument("<id>", "transaction id");
  withExamples(withClientOptions(command), "tx tx1…", "tx reward-12 --json").action((id: string, options: ClientOptions) =>
    showTransaction(context, id, options),
  );
}

async function showTransaction(context: CommandContext, id: string, options: ClientOptions): Promise<void> {
  const client = await connect(context, options);
  const tx = await client.getTransaction({ txid: id });
  report(context, options, tx, [
    ...(isInBlock(tx) ? outcomeLines(tx) : [`${tx.type} pending: accepted by the node, not in a block yet`, `signed  ${tx.time}`]),
    `from    ${tx.from_addr}`,
    ...(tx.to_addr === "" ? [] : [`to      ${tx.to_addr}`]),
    `amount  ${tx.amount}`,
    `fee     ${tx.fee}`,
    ...(isInBlock(tx) && tx.gas_fee_ut > 0 ? [`gas     ${tx.gas_used}, ${formatAmount(tx.gas_fee_ut)} of the fee`] : []),
    ...(tx.payload === undefined ? [] : [`payload ${JSON.stringify(tx.payload)}`]),
  ]);
}

function outcomeLines({ type, status, error, block_index: height, time }: TransactionDetail): readonly string[] {
  return [`${type} ${status}${error === undefined ? "" : ` (${error})`}`, `block   ${height}  ${time}`];
}
