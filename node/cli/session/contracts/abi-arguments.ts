// Arguments of a method as a person writes them, in the types of its ABI.
import { parseArguments } from "#node/ledger/contracts/contract-value.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ContractAbi, MethodAbi } from "#shared/protocol/transactions/contracts.ts";

const MAX_U64 = (1n << 64n) - 1n;

/** The method of a name. @throws CodedError CONFIG_INVALID that names those there are. */
export function methodOf(abi: ContractAbi, name: string): MethodAbi {
  const method = abi.methods.find((candidate) => candidate.name === name);
  if (method !== undefined) return method;
  throw new CodedError("CONFIG_INVALID", `${abi.contract} has no method ${name}: it has ${abi.methods.map(signatureOf).join(", ")}`);
}

/** JSON list of the arguments. @throws CodedError CONFIG_INVALID that names the argument. */
export function argumentsJson(method: MethodAbi, texts: readonly string[]): string {
  if (texts.length !== method.args.length)
    throw new CodedError(
      "CONFIG_INVALID",
      `${signatureOf(method)} needs ${method.args.length === 1 ? "1 argument" : `${method.args.length} arguments`}, not ${texts.length}`,
    );
  return `[${method.args.map(({ name, type }, index) => READERS[type](texts[index] ?? "", name)).join(",")}]`;
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
