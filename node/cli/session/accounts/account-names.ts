// Whom a text on the command line means: an address, a hex key, a username of the registry, or a name of the user's address book.
import type { Command } from "commander";
import type { NodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress, type PublicKeyHex, parseAccount } from "#shared/protocol/primitives/address.ts";
import type { ContractId, NativeContractName } from "#shared/protocol/transactions/contracts.ts";
import { fromBase64, fromUtf8, isHex } from "#shared/util/bytes.ts";
import { type ClientOptions, connect, withClientOptions } from "../client-session.ts";
import { readKeyFile } from "../keys/key-file.ts";
import { isBookName } from "../names/address-book.ts";
import { accountValue } from "../option-values.ts";
import type { CommandContext } from "../terminal.ts";

/** Options of a command about one account. */
export interface AccountOptions extends ClientOptions {
  readonly key?: string;
}

/** Where names are looked up: usernames at the node, others in the user's address book. */
export interface AccountScope {
  readonly client: NodeClient;
  readonly context: Pick<CommandContext, "addressBook">;
}

/** How an account is written, for the description of an option or argument. */
export const ACCOUNT = "address, hex public key, @username or address-book name";

/**
 * Key of an address, a hex key, `@username` or a name of the address book.
 * @throws CodedError NOT_FOUND for an unknown username, BAD_REQUEST for any other text
 */
export async function resolveAccount({ client, context }: AccountScope, text: string, registry?: string): Promise<PublicKeyHex> {
  if (!text.startsWith("@")) return accountOf(context, text);
  const username = text.slice(1).toLowerCase();
  const contractID = await registryOf(client, registry);
  const { value_b64: value } = await client.getContractState({ contractID, key: `name:${username}` });
  if (value === null) throw new CodedError("NOT_FOUND", `No account has the username @${username}`);
  const owner = fromUtf8(fromBase64(value));
  if (!isHex(owner, 32))
    throw new CodedError("UPSTREAM_FAILED", `The contract ${contractID} holds no key for @${username}: it is not a username registry`);
  return parseAccount(owner);
}

async function registryOf(client: NodeClient, registry: string | undefined): Promise<ContractId> {
  if (registry === undefined) return await wellKnownContract(client, "username_registry");
  // Names of contracts are in files that most commands do not need.
  const { contractIdOf } = await import("../names/contract-names.ts");
  return await contractIdOf(client, registry);
}

/** Key of an address, a hex key or a name of the address book. @throws CodedError BAD_REQUEST for any other text */
export function accountOf({ addressBook }: AccountScope["context"], text: string): PublicKeyHex {
  const known = isBookName(text) ? addressBook?.keyOf(text) : undefined;
  if (known !== undefined) return known;
  try {
    return parseAccount(text);
  } catch (cause) {
    if (!isBookName(text)) throw cause;
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError(
      "BAD_REQUEST",
      `${problem}, and your address book has no such name: a username is written @${text}, and "parley address-book add" names an account`,
      { cause },
    );
  }
}

/** Id of the earliest contract of a name. @throws CodedError NOT_FOUND when the network has none. */
export async function wellKnownContract(client: NodeClient, name: NativeContractName): Promise<ContractId> {
  const { contracts } = await client.listWellKnownContracts({});
  const id = contracts[name]?.contract_id;
  if (id === undefined) throw new CodedError("NOT_FOUND", `The network of this node has no contract named ${name}`);
  return id;
}

/** An account as it was written, with its address behind a name: who pays a name sees whom it means. */
export function describeAccount(text: string, publicKey: PublicKeyHex): string {
  return text.startsWith("@") || isBookName(text) ? `${text} (${formatAddress(publicKey)})` : formatAddress(publicKey);
}

/** Name that the user gave to an account, else its address. */
export function shownAccount({ addressBook }: AccountScope["context"], publicKey: PublicKeyHex): string {
  return addressBook?.nameOf(publicKey) ?? formatAddress(publicKey);
}

/** Adds the argument of an account, --key and the options of every client command. */
export function withAccountOptions(command: Command): Command {
  return withClientOptions(
    command.argument("[account]", `${ACCOUNT}, instead of --key`, accountValue).option("--key <file>", "key file; no password needed"),
  );
}

/** Account of an argument or of a key file. @throws CodedError CONFIG_INVALID unless it is exactly one of them. */
export function namedAccount(account: string | undefined, keyFile: string | undefined): string {
  if ((account === undefined) === (keyFile === undefined))
    throw new CodedError(
      "CONFIG_INVALID",
      "Specify one account: an address, a hex public key, a @username, a name of your address book, or a key file with --key",
    );
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
  return { client, publicKey: await resolveAccount({ client, context }, named) };
}
