// Who asks a contract or would sign a call: an account, or the owner of a key file.
import type { Command } from "commander";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { ACCOUNT, type AccountScope, resolveAccount } from "../accounts/account-names.ts";
import { readKeyFile } from "../keys/key-file.ts";
import { accountValue } from "../option-values.ts";

/** Options of commands that act for a caller without signing. */
export interface CallerOptions {
  readonly from?: string;
  readonly key?: string;
}

/** Adds --from and --key. */
export function withCallerOptions(command: Command): Command {
  return command
    .option("--from <account>", `caller: ${ACCOUNT}`, accountValue)
    .option("--key <file>", "the caller's key file, instead of --from; no password needed");
}

/** Key of the caller; undefined when none is named. @throws CodedError CONFIG_INVALID when two are. */
export async function callerKey(scope: AccountScope, { from, key }: CallerOptions): Promise<PublicKeyHex | undefined> {
  if (from !== undefined && key !== undefined) throw new CodedError("CONFIG_INVALID", "Name the caller once: --from or --key");
  if (key !== undefined) return readKeyFile(key).publicKey;
  return from === undefined ? undefined : await resolveAccount(scope, from);
}
