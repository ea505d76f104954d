// Checks a value against a schema of ./type.ts, for the few places that check without a server: a configuration file, a frame.
import type { Static, TSchema } from "typebox";

/** The first thing that a schema has against a value. */
export interface Mismatch {
  /** Names and positions from the value down to what is wrong; empty for the value itself. */
  readonly path: readonly string[];
  /** What it must be, after the name of the field. */
  readonly message: string;
}

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Keywords that are checked, and those that only describe. */
const KEYWORDS: ReadonlySet<string> = new Set([
  "type",
  "const",
  "enum",
  "anyOf",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "title",
  "description",
  "default",
]);

/** What is wrong with the value, or undefined when it fits. @throws TypeError for a schema with a keyword that is not known here. */
export function findMismatch(schema: TSchema, value: unknown): Mismatch | undefined {
  return mismatch(schema as Schema, value, []);
}

/** True when the value fits the schema. */
export function fits<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  return findMismatch(schema, value) === undefined;
}

function mismatch(schema: Schema, value: unknown, path: readonly string[]): Mismatch | undefined {
  const unknownKeyword = Object.keys(schema).find((name) => !KEYWORDS.has(name));
  if (unknownKeyword !== undefined) throw new TypeError(`A schema has the keyword ${unknownKeyword}`);
  const message = ownProblem(schema, value);
  if (message !== undefined) return { path, message };
  if (Array.isArray(value)) return itemMismatch(schema, value, path);
  return isObject(value) ? propertyMismatch(schema, value, path) : undefined;
}

function ownProblem(schema: Schema, value: unknown): string | undefined {
  const { type, anyOf } = schema;
  if (type !== undefined && !hasType(type, value)) return `must be ${type}`;
  if ("const" in schema && value !== schema.const) return `must be ${JSON.stringify(schema.const)}`;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `must be one of ${JSON.stringify(schema.enum)}`;
  if (anyOf?.every((option) => mismatch(option, value, []) !== undefined) === true) return "must match one of its forms";
  if (typeof value === "string") return lengthProblem(schema, value);
  return typeof value === "number" ? rangeProblem(schema, value) : undefined;
}

function lengthProblem({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema, text: string): string | undefined {
  // Characters are code points, of which a text never has more than code units.
  if (text.length >= minLength * 2 && text.length <= maxLength) return undefined;
  const length = [...text].length;
  if (length < minLength) return `must not have fewer than ${minLength} characters`;
  return length > maxLength ? `must not have more than ${maxLength} characters` : undefined;
}

function rangeProblem(
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Schema,
  value: number,
): string | undefined {
  if (value < minimum) return `must be at least ${minimum}`;
  return value > maximum ? `must be at most ${maximum}` : undefined;
}

function itemMismatch({ items }: Schema, list: readonly unknown[], path: readonly string[]): Mismatch | undefined {
  if (items === undefined) return undefined;
  for (const [index, item] of list.entries()) {
    const found = mismatch(items, item, [...path, String(index)]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function propertyMismatch(
  { properties = {}, required = [], additionalProperties = true }: Schema,
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
): Mismatch | undefined {
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return { path: [...path, missing], message: "is required" };
  for (const [name, schema] of Object.entries(properties)) {
    const found = Object.hasOwn(value, name) ? mismatch(schema, value[name], [...path, name]) : undefined;
    if (found !== undefined) return found;
  }
  const other = additionalProperties ? undefined : Object.keys(value).find((name) => !Object.hasOwn(properties, name));
  return other === undefined ? undefined : { path: [...path, other], message: "is not known" };
}

function hasType(type: string, value: unknown): boolean {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "null":
      return value === null;
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
