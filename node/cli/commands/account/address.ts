// parley address: the wallet address and key of a key file, a public key or a username.
import type { Command } from "commander";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { ACCOUNT, type AccountOptions, accountOf, namedAccount, resolveAccount } from "../../session/accounts/account-names.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { accountValue } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addAddressCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("address")
    .description("print the address of a key file, public key or name; only a username needs a node, and none needs a password")
    .argument("[account]", `${ACCOUNT}, instead of --key`, accountValue)
    .option("--key <file>", "key file");
  withExamples(withClientOptions(command), "address --key alice.json", "address @bob").action(
    (account: string | undefined, options: AccountOptions) => showAddress(context, namedAccount(account, options.key), options),
  );
}

async function showAddress(context: CommandContext, account: string, options: ClientOptions): Promise<void> {
  const publicKey = account.startsWith("@")
    ? await resolveAccount({ client: await connect(context, options), context }, account)
    : accountOf(context, account);
  const address = formatAddress(publicKey);
  report(context, options, { address, pub_key: publicKey }, [address, publicKey]);
}
