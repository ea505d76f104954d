// parley address: the wallet address and key of a key file, a public key or a username.
import type { Command } from "commander";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress, parseAccount } from "#shared/protocol/primitives/address.ts";
import { resolveAccount } from "../../session/account-names.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { readKeyFile } from "../../session/key-file.ts";
import { accountValue } from "../../session/option-values.ts";
import type { CommandContext } from "../../session/terminal.ts";

export function addAddressCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("address")
    .description("print the address of a key file, public key or username; only a username needs a node, and none needs a password")
    .argument("[account]", "address, hex public key or @username, instead of --key", accountValue)
    .option("--key <file>", "key file");
  withExamples(withClientOptions(command), "address --key alice.json", "address @bob").action(
    (account: string | undefined, options: ClientOptions & { readonly key?: string }) =>
      showAddress(context, namedAccount(account, options.key), options),
  );
}

async function showAddress(context: CommandContext, account: string, options: ClientOptions): Promise<void> {
  const publicKey = account.startsWith("@") ? await resolveAccount(await connect(context, options), account) : parseAccount(account);
  const address = formatAddress(publicKey);
  report(context, options, { address, pub_key: publicKey }, [address, publicKey]);
}

/** Account of an argument or of a key file. @throws CodedError CONFIG_INVALID unless it is exactly one of them. */
export function namedAccount(account: string | undefined, keyFile: string | undefined): string {
  if ((account === undefined) === (keyFile === undefined))
    throw new CodedError("CONFIG_INVALID", "Specify one account: an address, a hex public key, a @username, or a key file with --key");
  return account ?? readKeyFile(keyFile ?? "").publicKey;
}
