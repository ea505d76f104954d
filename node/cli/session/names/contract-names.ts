// Names of contracts: a file beside the author's projects that maps names to ids, by the chain on which they are, and the native contracts.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { NodeClient } from "#shared/api/client.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { type ContractId, isContractId, NATIVE_CONTRACTS, nativeContractId } from "#shared/protocol/transactions/contracts.ts";

export const NAMES_FILE = "contract-names.json";

/** Ids by names, by the id of the chain. */
type Names = Readonly<Record<string, Readonly<Record<string, ContractId>>>>;

/** Where names are, and on which chain. */
export interface NameScope {
  readonly file: string;
  readonly chainId: string;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

/** The names file of the current folder or the nearest one above it; where there is none, the one to begin. */
export function namesFile(given: string | undefined, folder = process.cwd()): string {
  if (given !== undefined) return given;
  let current = resolve(folder);
  while (!existsSync(join(current, NAMES_FILE))) {
    const parent = dirname(current);
    if (parent === current) return join(folder, NAMES_FILE);
    current = parent;
  }
  return join(current, NAMES_FILE);
}

/** A contract by what a person wrote. */
export interface ResolvedContract {
  readonly id: ContractId;
  /** True when the file of names has it: it was deployed on this chain. */
  readonly isDeployed: boolean;
}

/** The contract of an id, of a name in the file, or of the name of a native one. @throws CodedError NOT_FOUND */
export function resolveContract(text: string, { file, chainId }: NameScope): ResolvedContract {
  if (isContractId(text)) return { id: text.toLowerCase(), isDeployed: false };
  const known = readNames(file)[chainId] ?? {};
  if (Object.hasOwn(known, text) && known[text] !== undefined) return { id: known[text], isDeployed: true };
  const native = NATIVE_CONTRACTS.find((name) => name === text);
  if (native !== undefined) return { id: nativeContractId(native), isDeployed: false };
  const names = [...Object.keys(known), ...NATIVE_CONTRACTS].join(", ");
  throw new CodedError(
    "NOT_FOUND",
    `No contract is named ${text} on the chain ${chainId}: ${file} and the network know ${names}; or give its id, 16 hex characters`,
  );
}

/** The same for the chain of a node, which is asked for its id only where a name is given. @throws CodedError NOT_FOUND */
export async function contractIdOf(client: NodeClient, text: string, names?: string): Promise<ContractId> {
  if (isContractId(text)) return text.toLowerCase();
  const { chain_id: chainId } = await client.getNetworkInfo({});
  return resolveContract(text, { file: namesFile(names), chainId }).id;
}

/** Names a contract, one command after the other; gives the id that had the name before. @throws CodedError CONFIG_INVALID */
export async function rememberContract(name: string, id: ContractId, { file: path, chainId }: NameScope): Promise<ContractId | undefined> {
  checkName(name);
  // Only a deployment writes names.
  const { changeLocked } = await import("./locked-change.ts");
  try {
    return changeLocked(path, { mode: 0o666 }, (file) => {
      const names = readNames(file);
      const before = names[chainId]?.[name];
      const next: Names = { ...names, [chainId]: { ...names[chainId], [name]: id } };
      return { text: `${JSON.stringify(next, undefined, 2)}\n`, result: before === id ? undefined : before };
    });
  } catch (cause) {
    const reason = isCodedError(cause) ? cause.message : "check its permissions";
    throw new CodedError("CONFIG_INVALID", `${path} cannot be written, so the contract ${id} has no name: ${reason}`, { cause });
  }
}

/** @throws CodedError CONFIG_INVALID for what is no name, or that of a native contract. */
export function checkName(name: string): void {
  if (!NAME.test(name) || isContractId(name))
    throw new CodedError("CONFIG_INVALID", `"${name}" is no name for a contract: letters, digits and . _ -, a letter first, and no id`);
  if (NATIVE_CONTRACTS.some((native) => native === name))
    throw new CodedError("CONFIG_INVALID", `${name} is the name of a native contract: choose another one with --name`);
}

function readNames(file: string): Names {
  if (!existsSync(file)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isNames(value)) return value;
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `${file} is not JSON: mend it, or delete it`, { cause });
  }
  throw new CodedError("CONFIG_INVALID", `${file} is a JSON object of chains, each with the ids of its contracts by their names`);
}

function isNames(value: unknown): value is Names {
  const isObject = (item: unknown): item is object => typeof item === "object" && item !== null && !Array.isArray(item);
  return (
    isObject(value) &&
    Object.values(value).every((ids) => isObject(ids) && Object.values(ids).every((id) => typeof id === "string" && isContractId(id)))
  );
}
