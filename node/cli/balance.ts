// parley balance: what an account holds.
import type { Command } from "commander";
import { accountOf } from "./address.ts";
import { type ClientOptions, connect, report, withClientOptions } from "./client-session.ts";
import type { CommandContext } from "./terminal.ts";

/** Adds the command. */
export function addBalanceCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("balance")
    .description("print the balance of an account")
    .argument("[account]", "address or hex public key, instead of --key")
    .option("--key <file>", "key file; its password is not needed");
  withClientOptions(command).action((account: string | undefined, options: ClientOptions & { readonly key?: string }) =>
    balance(context, accountOf(account, options.key), options),
  );
}

async function balance(context: CommandContext, account: string, options: ClientOptions): Promise<void> {
  const client = await connect(context, options);
  const { address, pub_key, balance_ut, balance: text, tx_count } = await client.getAddress({ addr: account, limit: 1 });
  report(context, options, { address, pub_key, balance_ut, balance: text, tx_count }, [text]);
}
