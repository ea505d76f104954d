// Addresses inside arguments of contracts: a contract knows keys and ids in hex, a person writes addresses and usernames.
import { writeExactJson } from "#node/api/json/exact-json.ts";
import { type ContractValue, parseArguments } from "#node/ledger/contracts/contract-value.ts";
import { HttpError } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type AbiType, parseAbiType } from "#shared/protocol/transactions/abi-types.ts";
import { type ContractAbi, isContractId } from "#shared/protocol/transactions/contracts.ts";
import { type AccountScope, resolveAccount } from "../accounts/account-names.ts";

/** Usernames of one argument at most: each is asked of the node. */
const MAX_USERNAMES = 256;

/** A JSON argument whose type has addresses in it. */
export interface TypedJson {
  readonly abi: ContractAbi;
  /** An {@link AbiType} of the ABI. */
  readonly format: string;
  /** Name of the argument. */
  readonly name: string;
}

/** Hex of a key that is written as for any command that takes an account, or of a contract's id. @throws CodedError that names the argument. */
export async function addressText(scope: AccountScope, name: string, text: string): Promise<string> {
  if (isContractId(text)) return text.toLowerCase();
  try {
    return await resolveAccount(scope, text);
  } catch (error) {
    if (!(error instanceof CodedError) || error instanceof HttpError) throw error;
    throw new CodedError(error.code === "NOT_FOUND" ? "NOT_FOUND" : "CONFIG_INVALID", `${name}: ${error.message}`, { cause: error });
  }
}

/** True for a type that holds addresses, itself or in a struct. */
export function hasAddresses({ structs = [] }: ContractAbi, format: string): boolean {
  const seen = new Set<string>();
  const holds = (type: AbiType | undefined): boolean => {
    if (type === undefined) return false;
    if (type.kind === "scalar") return type.name === "address";
    if (type.kind !== "struct") return holds(type.of);
    if (seen.has(type.name)) return false;
    seen.add(type.name);
    return structs.find(({ name }) => name === type.name)?.fields.some((field) => holds(parseAbiType(field.type))) ?? false;
  };
  return holds(parseAbiType(format));
}

/** JSON with all addresses in hex; what does not fit the type stays as it is, for the contract to refuse. @throws CodedError */
export async function withAddresses(scope: AccountScope, { abi, format, name }: TypedJson, json: string): Promise<string> {
  const [value = null] = parseArguments(`[${json}]`) ?? [];
  return writeExactJson(await new AddressReplacer(scope, abi, name).convert(parseAbiType(format), value));
}

class AddressReplacer {
  readonly #scope: AccountScope;
  readonly #abi: ContractAbi;
  readonly #name: string;
  readonly #usernames = new Map<string, string>();

  constructor(scope: AccountScope, abi: ContractAbi, name: string) {
    this.#scope = scope;
    this.#abi = abi;
    this.#name = name;
  }

  async convert(type: AbiType | undefined, value: ContractValue): Promise<unknown> {
    if (type?.kind === "optional") return await this.convert(type.of, value);
    if (typeof value === "string") return type?.kind === "scalar" && type.name === "address" ? await this.#resolve(value) : value;
    if (Array.isArray(value)) return await this.#list(type, value as readonly ContractValue[]);
    return value instanceof Map ? await this.#object(type, value as ReadonlyMap<string, ContractValue>) : value;
  }

  async #list(type: AbiType | undefined, values: readonly ContractValue[]): Promise<unknown[]> {
    const items: unknown[] = [];
    for (const item of values) items.push(await this.convert(type?.kind === "list" ? type.of : undefined, item));
    return items;
  }

  async #object(type: AbiType | undefined, value: ReadonlyMap<string, ContractValue>): Promise<unknown> {
    const fields = type?.kind === "struct" ? this.#abi.structs?.find((struct) => struct.name === type.name)?.fields : undefined;
    const members = Object.create(null) as Record<string, unknown>;
    for (const [key, item] of value) {
      const field = fields?.find((candidate) => candidate.name === key);
      members[key] = await this.convert(field === undefined ? undefined : parseAbiType(field.type), item);
    }
    return members;
  }

  async #resolve(text: string): Promise<string> {
    if (!text.startsWith("@")) return await addressText(this.#scope, this.#name, text);
    const known = this.#usernames.get(text);
    if (known !== undefined) return known;
    if (this.#usernames.size >= MAX_USERNAMES)
      throw new CodedError("CONFIG_INVALID", `${this.#name} has more than ${MAX_USERNAMES} usernames: write the others as addresses`);
    const key = await addressText(this.#scope, this.#name, text);
    this.#usernames.set(text, key);
    return key;
  }
}
