// What all parts of a genesis file are checked with.
import { CodedError } from "#shared/errors/coded-error.ts";

/** The fields of a JSON object. @throws CodedError CONFIG_INVALID on another value, and on a field that is not among the given ones. */
export function fieldsOf(value: unknown, name: string, fields: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalidGenesis(`${name} is a JSON object`);
  for (const key of Object.keys(value))
    if (!fields.includes(key)) throw invalidGenesis(`${name} has the unknown field ${key.slice(0, 40)}`);
  return value as Readonly<Record<string, unknown>>;
}

/** The error of a genesis file that breaks a rule. */
export function invalidGenesis(reason: string): CodedError {
  return new CodedError("CONFIG_INVALID", `The genesis file is invalid: ${reason}`);
}
