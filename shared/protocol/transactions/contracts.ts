// Contracts as clients see them: ids, the interface that a contract declares, what gas costs.
import { concatBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import type { AmountUt } from "../primitives/amount.ts";
import { sha256 } from "../primitives/hash.ts";
import { GAS_PER_UT, MAX_ABI_BYTES } from "../primitives/limits.ts";
import { isPrintable } from "../primitives/printable.ts";
import { parseStrictJson } from "../primitives/strict-json.ts";

/** Contracts that are part of the program; a network has those that its genesis lists. */
export const NATIVE_CONTRACTS = ["username_registry", "tokens", "nfts", "escrow"] as const;

export type NativeContractName = (typeof NATIVE_CONTRACTS)[number];

/** 16 lower-case hex characters. */
export type ContractId = string;

/** Types of arguments. A `u64` travels as a JSON integer or as its decimal digits in a text. */
export const ARGUMENT_TYPES = ["string", "u64", "bool", "json"] as const;

/** One argument of a method. */
export interface ArgumentAbi {
  readonly name: string;
  readonly type: (typeof ARGUMENT_TYPES)[number];
}

export interface MethodAbi {
  readonly name: string;
  readonly args: readonly ArgumentAbi[];
  /** True when µT may be attached. */
  readonly payable?: boolean;
  /** True when it changes nothing. */
  readonly view?: boolean;
}

/** What a contract says about itself. */
export interface ContractAbi {
  readonly contract: string;
  readonly version: string;
  readonly methods: readonly MethodAbi[];
}

/** Method that a deployment calls, and no other caller can. */
export const INIT_METHOD = "init";

const ID_BYTES = 8;
const NAME = /^[a-z0-9][a-z0-9_.-]{0,63}$/;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const MAX_METHODS = 128;
const MAX_ARGUMENTS = 16;
const MAX_VERSION_CHARS = 32;
const MAX_ABI_DEPTH = 8;

/** Id of a native contract, the same on every network: the first 8 bytes of SHA-256("native:" and the name). */
export function nativeContractId(name: NativeContractName): ContractId {
  return toHex(sha256(utf8(`native:${name}`)).subarray(0, ID_BYTES));
}

/** Id of a deployed contract: the first 8 bytes of SHA-256(deployer's key ‖ transaction id). */
export function deployedContractId(deployer: PublicKeyHex, txId: string): ContractId {
  return toHex(sha256(concatBytes(fromHex(deployer), utf8(txId))).subarray(0, ID_BYTES));
}

/** True for 16 hex characters. */
export function isContractId(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-fA-F]{16}$/.test(value);
}

/** True for a name that a method may have. */
export function isMethodName(value: unknown): value is string {
  return typeof value === "string" && IDENTIFIER.test(value);
}

/** Price of gas, µT, rounded up. */
export function gasPriceUt(gas: number): AmountUt {
  return Math.ceil(gas / GAS_PER_UT);
}

/** The ABI of a JSON text, or undefined when it is none. Unknown fields are refused. */
export function parseContractAbi(text: string): ContractAbi | undefined {
  if (utf8(text).length > MAX_ABI_BYTES) return undefined;
  const value = strictJson(text);
  return isAbi(value) ? value : undefined;
}

/** Its value, undefined when the text is none. */
function strictJson(text: string): unknown {
  try {
    return parseStrictJson(text, MAX_ABI_DEPTH);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isAbi(value: unknown): value is ContractAbi {
  if (!hasOnly(value, ["contract", "version", "methods"])) return false;
  const { contract, version, methods } = value;
  if (typeof contract !== "string" || !NAME.test(contract)) return false;
  if (typeof version !== "string" || version.length > MAX_VERSION_CHARS || !isPrintable(version)) return false;
  return isListOf(methods, MAX_METHODS, isMethod) && hasUniqueNames(methods);
}

function isMethod(value: unknown): value is MethodAbi {
  if (!hasOnly(value, ["name", "args", "payable", "view"])) return false;
  const { name, args, payable, view } = value;
  return isMethodName(name) && isFlag(payable) && isFlag(view) && isListOf(args, MAX_ARGUMENTS, isArgument) && hasUniqueNames(args);
}

function isArgument(value: unknown): value is ArgumentAbi {
  if (!hasOnly(value, ["name", "type"])) return false;
  return isMethodName(value.name) && (ARGUMENT_TYPES as readonly unknown[]).includes(value.type);
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

function isListOf<T>(value: unknown, most: number, isItem: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.length <= most && value.every(isItem);
}

function hasUniqueNames(items: readonly { readonly name: string }[]): boolean {
  return new Set(items.map(({ name }) => name)).size === items.length;
}

function hasOnly(value: unknown, fields: readonly string[]): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).every((key) => fields.includes(key));
}
