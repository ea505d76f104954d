// Arguments of tools: one table gives the schema that the model sees and the check of what it sends.
import { RPC_CODES, RpcError } from "./json-rpc.ts";

/** One argument. */
export interface Argument {
  readonly type: "string" | "integer";
  readonly description: string;
  readonly isOptional?: true;
  /** Longest text, characters; or the largest integer. */
  readonly most: number;
  /** Smallest integer; 1 without. */
  readonly least?: number;
}

/** Arguments of one tool, by name. */
export type Arguments = Readonly<Record<string, Argument>>;

/** What the model sent, checked. */
export type Given = Readonly<Record<string, string | number | undefined>>;

/** JSON Schema of the arguments of a tool. */
export function schemaOf(table: Arguments): object {
  const properties = Object.entries(table).map(([name, { type, description, most, least = 1 }]) => [
    name,
    type === "string" ? { type, description, minLength: 1, maxLength: most } : { type, description, minimum: least, maximum: most },
  ]);
  const required = Object.entries(table).flatMap(([name, { isOptional }]) => (isOptional === true ? [] : [name]));
  return { type: "object", properties: Object.fromEntries(properties), required, additionalProperties: false };
}

/** @throws RpcError naming what is wrong */
export function readArguments(table: Arguments, value: unknown): Given {
  const given = value === undefined ? {} : value;
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw invalid("arguments is an object");
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(table, name));
  if (unknown !== undefined) throw invalid(`there is no argument ${JSON.stringify(unknown.slice(0, 64))}`);
  const read = Object.entries(table).map(([name, argument]) => [
    name,
    readArgument(name, argument, (given as Record<string, unknown>)[name]),
  ]);
  return Object.fromEntries(read);
}

function readArgument(name: string, { type, most, least = 1, isOptional }: Argument, value: unknown): string | number | undefined {
  if (value === undefined || value === null) {
    if (isOptional === true) return undefined;
    throw invalid(`${name} is missing`);
  }
  if (type === "string") {
    if (typeof value !== "string" || value === "" || value.length > most) throw invalid(`${name} is a text of 1 to ${most} characters`);
    return value;
  }
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least || value > most)
    throw invalid(`${name} is an integer from ${least} to ${most}`);
  return value;
}

/** A text that was given. */
export function textOf(given: Given, name: string): string {
  return String(given[name] ?? "");
}

/** An integer that was given. */
export function integerOf(given: Given, name: string): number | undefined {
  const value = given[name];
  return typeof value === "number" ? value : undefined;
}

function invalid(rule: string): RpcError {
  return new RpcError(RPC_CODES.invalidParams, `Invalid arguments: ${rule}`);
}
