// Builders of JSON schemas with their static types: the few of TypeBox that are in use, made here so that a start of the program
// does not load its seven hundred modules. What they build is what TypeBox builds, hidden marks included.
import type TypeBox from "typebox";
import type { TSchema } from "typebox";

type BuilderName =
  | "Array"
  | "Boolean"
  | "Enum"
  | "Integer"
  | "Literal"
  | "Null"
  | "Number"
  | "Object"
  | "Optional"
  | "Record"
  | "String"
  | "Undefined"
  | "Union"
  | "Unknown";
type Options = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, TSchema>>;

/** Builders with the signatures of TypeBox. */
export const Type = {
  Array: (items: TSchema, options?: Options) => schema("Array", { type: "array", items }, options),
  Boolean: (options?: Options) => schema("Boolean", { type: "boolean" }, options),
  Enum: (values: readonly unknown[], options?: Options) => schema("Enum", { enum: values }, options),
  Integer: (options?: Options) => schema("Integer", { type: "integer" }, options),
  Literal: (value: unknown, options?: Options) => schema("Literal", { type: typeof value, const: value }, options),
  Null: (options?: Options) => schema("Null", { type: "null" }, options),
  Number: (options?: Options) => schema("Number", { type: "number" }, options),
  Object: (properties: Properties, options?: Options) => schema("Object", objectFields(properties), options),
  Optional: (type: TSchema) => hide({ ...type }, { ...hiddenOf(type), "~optional": true }),
  /** Keys are any texts. */
  Record: (_key: TSchema, value: TSchema, options?: Options) =>
    schema("Record", { type: "object", patternProperties: { "^.*$": value } }, options),
  String: (options?: Options) => schema("String", { type: "string" }, options),
  Undefined: (options?: Options) => schema("Undefined", { type: "undefined" }, options),
  Union: (anyOf: readonly TSchema[], options?: Options) => schema("Union", { anyOf }, options),
  Unknown: (options?: Options) => schema("Unknown", {}, options),
} as unknown as Pick<typeof TypeBox, BuilderName>;

function objectFields(properties: Properties): object {
  const required = Object.keys(properties).filter((name) => !("~optional" in (properties[name] ?? {})));
  return { type: "object", ...(required.length === 0 ? {} : { required }), properties };
}

function schema(kind: string, fields: object, options: Options = {}): object {
  return hide({ ...fields, ...options }, { "~kind": kind });
}

function hide(target: object, marks: object): object {
  for (const [name, value] of Object.entries(marks))
    Object.defineProperty(target, name, { value, enumerable: false, configurable: true, writable: true });
  return target;
}

function hiddenOf(type: object): object {
  return Object.fromEntries(
    Object.getOwnPropertyNames(type)
      .filter((name) => name.startsWith("~"))
      .map((name) => [name, type[name as never]]),
  );
}
