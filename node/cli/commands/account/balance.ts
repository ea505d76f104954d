// parley balance: what an account holds.
import type { Command } from "commander";
import { type AccountOptions, connectFor, withAccountOptions } from "../../session/accounts/account-names.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addBalanceCommand(program: Command, context: CommandContext): void {
  const command = program.command("balance").description("print the balance of an account");
  withExamples(withAccountOptions(command), "balance --key alice.json", "balance @bob --json").action(
    async (account: string | undefined, options: AccountOptions) => {
      const { client, publicKey } = await connectFor(context, account, options);
      const { address, pub_key, balance_ut, balance, tx_count } = await client.getAddress({ addr: publicKey, limit: 1 });
      report(context, options, { address, pub_key, balance_ut, balance, tx_count }, [balance]);
    },
  );
}
