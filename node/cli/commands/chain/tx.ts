// parley tx: one transaction as the node knows it.
import type { Command } from "commander";
import type { Output } from "#shared/api/api.ts";
import { isInBlock } from "#shared/api/reads/known-transaction.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { onOneLine } from "../../session/printing/printable-line.ts";
import { fieldLines } from "../../session/printing/table.ts";
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
    onOneLine(headlineOf(tx)),
    ...fieldLines([
      isInBlock(tx) ? ["block", `${tx.block_index}  ${tx.time}`] : ["signed", tx.time],
      ["from", tx.from_addr],
      ...(tx.to_addr === "" ? [] : ([["to", tx.to_addr]] as const)),
      ["amount", tx.amount],
      ["fee", tx.fee],
      ...(isInBlock(tx) && tx.gas_fee_ut > 0 ? ([["gas", `${tx.gas_used}, ${formatAmount(tx.gas_fee_ut)} of the fee`]] as const) : []),
      ...(tx.payload === undefined ? [] : ([["payload", JSON.stringify(tx.payload)]] as const)),
    ]),
  ]);
}

function headlineOf(tx: Output<"getTransaction">): string {
  if (!isInBlock(tx)) return `${tx.type} pending: accepted by the node, not in a block yet`;
  return `${tx.type} ${tx.status}${tx.error === undefined ? "" : ` (${tx.error})`}`;
}
