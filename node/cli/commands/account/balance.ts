// parley balance: what an account holds.
import type { Command } from "commander";
import { resolveAccount } from "../../session/account-names.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { accountValue } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";
import { namedAccount } from "./address.ts";

export function addBalanceCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("balance")
    .description("print the balance of an account")
    .argument("[account]", "address, hex public key or @username, instead of --key", accountValue)
    .option("--key <file>", "key file; no password needed");
  withExamples(withClientOptions(command), "balance --key alice.json", "balance @bob --json").action(
    (account: string | undefined, options: ClientOptions & { readonly key?: string }) =>
      balance(context, namedAccount(account, options.key), options),
  );
}

async function balance(context: CommandContext, account: string, options: ClientOptions): Promise<void> {
  const client = await connect(context, options);
  const addr = await resolveAccount(client, account);
  const { address, pub_key, balance_ut, balance: text, tx_count } = await client.getAddress({ addr, limit: 1 });
  report(context, options, { address, pub_key, balance_ut, balance: text, tx_count }, [text]);
}
