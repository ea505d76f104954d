// Contracts as clients see them: ids, the interface that a contract declares, what gas costs.
import { concatBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import type { AmountUt } from "../primitives/amount.ts";
import { sha256 } from "../primitives/hash.ts";
import { GAS_PER_UT, MAX_ABI_BYTES } from "../primitives/limits.ts";
import { isPrintable } from "../primitives/printable.ts";
import { parseStrictJson } from "../primitives/strict-json.ts";
import { ARGUMENT_TYPES, type ArgumentType, chainTypeOf, isScalarType, parseAbiType, structOf } from "./abi-types.ts";

/** Contracts that are part of the program; a network has those that its genesis lists. */
export const NATIVE_CONTRACTS = ["username_registry", "tokens", "nfts", "escrow"] as const;

export type NativeContractName = (typeof NATIVE_CONTRACTS)[number];

/** 16 lower-case hex characters. */
export type ContractId = string;

/** One argument of a method. */
export interface ArgumentAbi {
  readonly name: string;
  readonly type: ArgumentType;
  /** What the contract takes within that type, as an {@link AbiType}; the chain passes it on and does not check it. */
  readonly format?: string;
}

export interface MethodAbi {
  readonly name: string;
  readonly args: readonly ArgumentAbi[];
  /** True when µT may be attached. */
  readonly payable?: boolean;
  /** True when it changes nothing. */
  readonly view?: boolean;
  /** {@link AbiType} of what it returns. */
  readonly returns?: string;
}

/** A field of a struct. */
export interface FieldAbi {
  readonly name: string;
  /** An {@link AbiType}. */
  readonly type: string;
}

/** A field of an event. */
export interface EventFieldAbi extends FieldAbi {
  /** True when logs can be searched by it. */
  readonly indexed?: boolean;
}

/** Objects with these members. */
export interface StructAbi {
  readonly name: string;
  readonly fields: readonly FieldAbi[];
}

/** What a contract logs beside lines of text. */
export interface EventAbi {
  readonly name: string;
  readonly fields: readonly EventFieldAbi[];
}

/** What a contract says about itself. */
export interface ContractAbi {
  readonly contract: string;
  readonly version: string;
  readonly methods: readonly MethodAbi[];
  readonly structs?: readonly StructAbi[];
  readonly events?: readonly EventAbi[];
}

/** Limits of an interface. */
export const MAX_ABI = {
  methods: 128,
  arguments: 16,
  nameChars: 64,
  structs: 64,
  events: 64,
  fields: 16,
  indexedFields: 3,
  eventNameChars: 32,
} as const;

/** Method that a deployment calls, and no other caller can. */
export const INIT_METHOD = "init";

const ID_BYTES = 8;
const NAME = /^[a-z0-9][a-z0-9_.-]{0,63}$/;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
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
  if (!hasOnly(value, ["contract", "version", "methods", "structs", "events"])) return false;
  const { contract, version, methods, structs, events } = value;
  if (typeof contract !== "string" || !NAME.test(contract)) return false;
  if (typeof version !== "string" || version.length > MAX_VERSION_CHARS || !isPrintable(version)) return false;
  if (!isListOf(methods, MAX_ABI.methods, isMethod) || !hasUniqueNames(methods)) return false;
  if (structs !== undefined && (!isListOf(structs, MAX_ABI.structs, isStruct) || !hasUniqueNames(structs))) return false;
  if (events !== undefined && (!isListOf(events, MAX_ABI.events, isEvent) || !hasUniqueNames(events))) return false;
  const abi = { contract, version, methods, ...(structs === undefined ? {} : { structs }), ...(events === undefined ? {} : { events }) };
  return namesItsStructs(abi);
}

function isMethod(value: unknown): value is MethodAbi {
  if (!hasOnly(value, ["name", "args", "payable", "view", "returns"])) return false;
  const { name, args, payable, view, returns } = value;
  if (!isMethodName(name) || !isFlag(payable) || !isFlag(view) || !isTypeOrNone(returns)) return false;
  return isListOf(args, MAX_ABI.arguments, isArgument) && hasUniqueNames(args);
}

function isArgument(value: unknown): value is ArgumentAbi {
  if (!hasOnly(value, ["name", "type", "format"])) return false;
  const { name, type, format } = value;
  if (!isMethodName(name) || !(ARGUMENT_TYPES as readonly unknown[]).includes(type)) return false;
  if (format === undefined) return true;
  const parsed = typeof format === "string" ? parseAbiType(format) : undefined;
  return parsed !== undefined && chainTypeOf(parsed) === type;
}

function isStruct(value: unknown): value is StructAbi {
  if (!hasOnly(value, ["name", "fields"]) || !isMethodName(value.name) || isScalarType(value.name)) return false;
  return isListOf(value.fields, MAX_ABI.fields, isField) && hasUniqueNames(value.fields);
}

function isField(value: unknown): value is FieldAbi {
  return hasOnly(value, ["name", "type"]) && isMethodName(value.name) && isType(value.type);
}

function isEvent(value: unknown): value is EventAbi {
  if (!hasOnly(value, ["name", "fields"]) || !isMethodName(value.name) || value.name.length > MAX_ABI.eventNameChars) return false;
  const { fields } = value;
  if (!isListOf(fields, MAX_ABI.fields, isEventField) || !hasUniqueNames(fields)) return false;
  return fields.filter(({ indexed }) => indexed === true).length <= MAX_ABI.indexedFields;
}

/** What is indexed is compared as a text, so it is one value. */
function isEventField(value: unknown): value is EventFieldAbi {
  if (!hasOnly(value, ["name", "type", "indexed"]) || !isMethodName(value.name)) return false;
  const { name, type, indexed } = value;
  const parsed = typeof type === "string" ? parseAbiType(type) : undefined;
  if (parsed === undefined || !isFlag(indexed)) return false;
  return indexed !== true || (parsed.kind === "scalar" && parsed.name !== "json" && name.length <= MAX_ABI.eventNameChars);
}

/** Every struct that a type names is in the interface. */
function namesItsStructs({ methods, structs = [], events = [] }: ContractAbi): boolean {
  const fields = [...structs, ...events].flatMap((item) => item.fields.map(({ type }) => type));
  const formats = methods.flatMap(({ args, returns }) => [...args.map(({ format }) => format), returns]);
  const known = new Set(structs.map(({ name }) => name));
  return [...fields, ...formats].every((text) => {
    const type = text === undefined ? undefined : parseAbiType(text);
    const struct = type === undefined ? undefined : structOf(type);
    return struct === undefined || known.has(struct);
  });
}

function isType(value: unknown): value is string {
  return typeof value === "string" && parseAbiType(value) !== undefined;
}

function isTypeOrNone(value: unknown): boolean {
  return value === undefined || isType(value);
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
