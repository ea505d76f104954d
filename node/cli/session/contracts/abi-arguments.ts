// Arguments of a method as a person writes them, in the types of its ABI.
import { parseArguments } from "#node/ledger/contracts/contract-value.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ArgumentAbi, ContractAbi, MethodAbi } from "#shared/protocol/transactions/contracts.ts";
import type { AccountScope } from "../accounts/account-names.ts";
import { addressText, hasAddresses, withAddresses } from "./address-arguments.ts";

const MAX_U64 = (1n << 64n) - 1n;

/** The method of a name. @throws CodedError CONFIG_INVALID that names those there are. */
export function methodOf(abi: ContractAbi, name: string): MethodAbi {
  const method = abi.methods.find((candidate) => candidate.name === name);
  if (method !== undefined) return method;
  throw new CodedError("CONFIG_INVALID", `${abi.contract} has no method ${name}: it has ${abi.methods.map(signatureOf).join(", ")}`);
}

/** The interface of a contract, and where names of accounts are looked up. */
export interface ArgumentSurroundings extends AccountScope {
  readonly abi: ContractAbi;
}

/**
 * JSON list of the arguments; where the ABI has an address, a key may be written as an address, a @username or a name of the address book.
 * @throws CodedError CONFIG_INVALID that names the argument, NOT_FOUND for a username that has no account.
 */
export async function argumentsJson(surroundings: ArgumentSurroundings, method: MethodAbi, texts: readonly string[]): Promise<string> {
  if (texts.length !== method.args.length)
    throw new CodedError(
      "CONFIG_INVALID",
      `${signatureOf(method)} needs ${method.args.length === 1 ? "1 argument" : `${method.args.length} arguments`}, not ${texts.length}`,
    );
  const parts: string[] = [];
  for (const [index, argument] of method.args.entries()) parts.push(await argumentJson(surroundings, argument, texts[index] ?? ""));
  return `[${parts.join(",")}]`;
}

async function argumentJson(
  { client, context, abi }: ArgumentSurroundings,
  { name, type, format }: ArgumentAbi,
  text: string,
): Promise<string> {
  if (format === "address") return JSON.stringify(await addressText({ client, context }, name, text));
  const json = READERS[type](text, name);
  return format !== undefined && hasAddresses(abi, format) ? await withAddresses({ client, context }, { abi, format, name }, json) : json;
}

/** "add(n: u64)". */
export function signatureOf({ name, args, view, payable }: MethodAbi): string {
  const words = [...(view === true ? ["view"] : []), ...(payable === true ? ["payable"] : [])];
  return `${name}(${args.map((arg) => `${arg.name}: ${arg.type}`).join(", ")})${words.map((word) => ` ${word}`).join("")}`;
}

const READERS: Readonly<Record<MethodAbi["args"][number]["type"], (text: string, name: string) => string>> = {
  string: (text) => JSON.stringify(text),
  u64: (text, name) => {
    if (!/^\d{1,20}$/.test(text) || BigInt(text) > MAX_U64)
      throw new CodedError("CONFIG_INVALID", `${name} is a whole number from 0 to ${MAX_U64}, and "${text}" is none`);
    return BigInt(text).toString();
  },
  bool: (text, name) => {
    if (text !== "true" && text !== "false") throw new CodedError("CONFIG_INVALID", `${name} is true or false, and not "${text}"`);
    return text;
  },
  json: (text, name) => {
    if (parseArguments(`[${text}]`)?.length !== 1)
      throw new CodedError("CONFIG_INVALID", `${name} is JSON without fractions, and "${text}" is not`);
    return text;
  },
};
