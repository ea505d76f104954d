// parley tx: one transaction as the node knows it.
import type { Command } from "commander";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addTxCommand(program: Command, context: CommandContext): void {
  const command = program.command("tx").description("print a transaction that is in a block").argument("<id>", "transaction id");
  withExamples(withClientOptions(command), "tx tx1…", "tx reward-12 --json").action((id: string, options: ClientOptions) =>
    showTransaction(context, id, options),
  );
}

async function showTransaction(context: CommandContext, id: string, options: ClientOptions): Promise<void> {
  const client = await connect(context, options);
  const tx = await client.getTransaction({ txid: id });
  report(context, options, tx, [
    `${tx.type} ${tx.status}${tx.error === undefined ? "" : ` (${tx.error})`}`,
    `block   ${tx.block_index}  ${tx.time}`,
    `from    ${tx.from_addr}`,
    ...(tx.to_addr === "" ? [] : [`to      ${tx.to_addr}`]),
    `amount  ${tx.amount}`,
    `fee     ${tx.fee}`,
    ...(tx.gas_used === undefined || tx.gas_used === 0 ? [] : [`gas     ${tx.gas_used}`]),
    ...(tx.payload === undefined ? [] : [`payload ${JSON.stringify(tx.payload)}`]),
  ]);
}
