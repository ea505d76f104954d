// parley address: the wallet address and key of a key file or account.
import type { Command } from "commander";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress, type PublicKeyHex, parseAccount } from "#shared/protocol/address.ts";
import { report } from "./client-session.ts";
import { readKeyFile } from "./key-file.ts";
import type { CommandContext } from "./terminal.ts";

interface AddressOptions {
  readonly key?: string;
  readonly json?: boolean;
}

/** Adds the command. */
export function addAddressCommand(program: Command, context: CommandContext): void {
  program
    .command("address")
    .description("print the address of a key file or of a public key; needs no node and no password")
    .argument("[account]", "address or hex public key, instead of --key")
    .option("--key <file>", "key file")
    .option("--json", "print the result as JSON")
    .action((account: string | undefined, options: AddressOptions) => {
      const publicKey = accountOf(account, options.key);
      const address = formatAddress(publicKey);
      report(context, options, { address, pub_key: publicKey }, [address, publicKey]);
    });
}

/** Key of an account given as an argument or by a key file. @throws CodedError CONFIG_INVALID unless exactly one of them is given. */
export function accountOf(account: string | undefined, keyFile: string | undefined): PublicKeyHex {
  if ((account === undefined) === (keyFile === undefined))
    throw new CodedError("CONFIG_INVALID", "Name one account: an address or hex public key, or a key file with --key");
  return account === undefined ? readKeyFile(keyFile ?? "").publicKey : parseAccount(account);
}
