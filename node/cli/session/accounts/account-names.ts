// Whom a text on the command line means: an address, a hex key, or a username of the registry.
import type { Command } from "commander";
import type { NodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress, type PublicKeyHex, parseAccount } from "#shared/protocol/primitives/address.ts";
import type { ContractId, NativeContractName } from "#shared/protocol/transactions/contracts.ts";
import { fromBase64, fromUtf8, isHex } from "#shared/util/bytes.ts";
import { type ClientOptions, connect, withClientOptions } from "../client-session.ts";
import { readKeyFile } from "../keys/key-file.ts";
import { accountValue } from "../option-values.ts";
import type { CommandContext } from "../terminal.ts";

/** Options of a command about one account. */
export interface AccountOptions extends ClientOptions {
  readonly key?: string;
}

/** Key of an address, a hex key or `@username`. @throws CodedError NOT_FOUND for an unknown name, BAD_REQUEST for any other text. */
export async function resolveAccount(client: NodeClient, text: string, registry?: ContractId): Promise<PublicKeyHex> {
  if (!text.startsWith("@")) return parseAccount(text);
  const username = text.slice(1).toLowerCase();
  const contractID = registry ?? (await wellKnownContract(client, "username_registry"));
  const { value_b64: value } = await client.getContractState({ contractID, key: `name:${username}` });
  if (value === null) throw new CodedError("NOT_FOUND", `No account has the username @${username}`);
  const owner = fromUtf8(fromBase64(value));
  if (!isHex(owner, 32))
    throw new CodedError("UPSTREAM_FAILED", `The contract ${contractID} holds no key for @${username}: it is not a username registry`);
  return parseAccount(owner);
}

/** Id of the earliest contract of a name. @throws CodedError NOT_FOUND when the network has none. */
export async function wellKnownContract(client: NodeClient, name: NativeContractName): Promise<ContractId> {
  const { contracts } = await client.listWellKnownContracts({});
  const id = contracts[name]?.contract_id;
  if (id === undefined) throw new CodedError("NOT_FOUND", `The network of this node has no contract named ${name}`);
  return id;
}

/** An account as it was written, with its address behind a username: who pays a name sees whom it means. */
export function describeAccount(text: string, publicKey: PublicKeyHex): string {
  return text.startsWith("@") ? `${text} (${formatAddress(publicKey)})` : formatAddress(publicKey);
}

/** Adds the argument of an account, --key and the options of every client command. */
export function withAccountOptions(command: Command): Command {
  return withClientOptions(
    command
      .argument("[account]", "address, hex public key or @username, instead of --key", accountValue)
      .option("--key <file>", "key file; no password needed"),
  );
}

/** Account of an argument or of a key file. @throws CodedError CONFIG_INVALID unless it is exactly one of them. */
export function namedAccount(account: string | undefined, keyFile: string | undefined): string {
  if ((account === undefined) === (keyFile === undefined))
    throw new CodedError("CONFIG_INVALID", "Specify one account: an address, a hex public key, a @username, or a key file with --key");
  return account ?? readKeyFile(keyFile ?? "").publicKey;
}

/** The node's client, and the key of the named account. @throws CodedError CONFIG_INVALID like {@link namedAccount}, before the node is asked. */
export async function connectFor(
  context: CommandContext,
  account: string | undefined,
  options: AccountOptions,
): Promise<{ readonly client: NodeClient; readonly publicKey: PublicKeyHex }> {
  const named = namedAccount(account, options.key);
  const client = await connect(context, options);
  return { client, publicKey: await resolveAccount(client, named) };
}
