// Types that an ABI names: what arguments, results, fields of structs and events hold, beyond the four that the chain checks itself.

/** Types of arguments that the chain checks. A `u64` travels as a JSON integer or as its decimal digits in a text. */
export const ARGUMENT_TYPES = ["string", "u64", "bool", "json"] as const;

export type ArgumentType = (typeof ARGUMENT_TYPES)[number];

/** Types that are not made of others. Integers beyond 64 bits travel as texts of their digits, bytes as hex, addresses as hex. */
export const SCALAR_TYPES = [
  ...["bool", "string", "bytes", "address", "json"],
  ...["u8", "u16", "u32", "u64", "u128", "u256", "i8", "i16", "i32", "i64"],
] as const;

export type ScalarType = (typeof SCALAR_TYPES)[number];

/** A type of its text: `u64`, `address[]`, `Order?`, where `[]` is a list and `?` may be null. */
export type AbiType =
  | { readonly kind: "scalar"; readonly name: ScalarType }
  | { readonly kind: "struct"; readonly name: string }
  | { readonly kind: "list"; readonly of: AbiType }
  | { readonly kind: "optional"; readonly of: AbiType };

/** Lists and optionals around a type at most. */
const MAX_WRAPPERS = 4;
const TYPE_TEXT = /^([A-Za-z_][A-Za-z0-9_]{0,63})((?:\[\]|\?)*)$/;

/** The type of a text, or undefined when it is none. A name that is no scalar is a struct's. */
export function parseAbiType(text: string): AbiType | undefined {
  const [, name = "", wrappers = ""] = TYPE_TEXT.exec(text) ?? [];
  const kinds = wrappers.match(/\[\]|\?/g) ?? [];
  if (name === "" || kinds.length > MAX_WRAPPERS || wrappers.includes("??")) return undefined;
  const base: AbiType = isScalarType(name) ? { kind: "scalar", name } : { kind: "struct", name };
  return kinds.reduce<AbiType>((of, kind) => ({ kind: kind === "?" ? "optional" : "list", of }), base);
}

/** Its text. */
export function formatAbiType(type: AbiType): string {
  if (type.kind === "list") return `${formatAbiType(type.of)}[]`;
  return type.kind === "optional" ? `${formatAbiType(type.of)}?` : type.name;
}

/** What the chain checks of an argument of the type; the rest is for the contract. */
export function chainTypeOf(type: AbiType): ArgumentType {
  if (type.kind !== "scalar") return "json";
  switch (type.name) {
    case "bool":
      return "bool";
    case "u8":
    case "u16":
    case "u32":
    case "u64":
      return "u64";
    case "string":
    case "bytes":
    case "address":
    case "u128":
    case "u256":
      return "string";
    case "json":
    case "i8":
    case "i16":
    case "i32":
    case "i64":
      return "json";
  }
}

/** Name of the struct that a type is made of, if any. */
export function structOf(type: AbiType): string | undefined {
  if (type.kind === "scalar") return undefined;
  return type.kind === "struct" ? type.name : structOf(type.of);
}

export function isScalarType(name: string): name is ScalarType {
  return (SCALAR_TYPES as readonly string[]).includes(name);
}
