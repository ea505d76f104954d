// Types of a contract's source as its interface has them.
import { type AbiType, isScalarType } from "#shared/protocol/transactions/abi-types.ts";
import { type ClassNode, NODE, nodesOf, type ParsedSource, SourceError, type TypeAlias, type TypeNode } from "./syntax-tree.ts";

const NAMES: Readonly<Record<string, AbiType>> = {
  boolean: { kind: "scalar", name: "bool" },
  Address: { kind: "scalar", name: "address" },
  Json: { kind: "scalar", name: "json" },
  ArrayBuffer: { kind: "scalar", name: "bytes" },
};
const TYPED_BY_NAME = ["bytes", "address", "json"];
const FLOATS = ["f32", "f64", "number"];
const INSTEAD: Readonly<Record<string, string>> = { Uint8Array: "ArrayBuffer", usize: "u32", isize: "i32", Map: "Array of a struct" };
const MAX_ALIASES = 16;

/** Reads types. What is a struct is known by the decorator of its class. */
export class TypeReader {
  readonly #aliases = new Map<string, TypeNode>();
  readonly #structs: ReadonlySet<string>;

  constructor(sources: readonly ParsedSource[]) {
    const classes = sources.flatMap(({ statements }) => nodesOf<ClassNode>(statements, NODE.class));
    this.#structs = new Set(classes.filter(isStruct).map(({ name }) => name.text));
    for (const { statements } of sources)
      for (const { name, type } of nodesOf<TypeAlias>(statements, NODE.type)) this.#aliases.set(name.text, type);
  }

  /** @throws SourceError for a type that cannot travel */
  read(source: ParsedSource, node: TypeNode): AbiType {
    return this.#read(source, node, 0);
  }

  #read(source: ParsedSource, node: TypeNode, depth: number): AbiType {
    const wrong = (message: string): SourceError => new SourceError(source, node.range.start, message);
    const name = node.kind === NODE.namedType ? (node.name?.identifier.text ?? "") : "";
    if (name === "") throw wrong("a function cannot be encoded");
    const type = this.#named(source, { node, name, depth });
    if (type === undefined) {
      if (FLOATS.includes(name)) throw wrong(`${name} is a float, and contracts have none: use u64, i64, u128 or u256`);
      const instead = INSTEAD[name];
      throw wrong(`${name} cannot be encoded: ${instead === undefined ? "its class needs the decorator @struct" : `use ${instead}`}`);
    }
    if (!node.isNullable || type.kind === "optional") return type;
    if (type.kind === "scalar" && type.name === "json") throw wrong("Json may be null by itself: leave | null away");
    return { kind: "optional", of: type };
  }

  #named(source: ParsedSource, { node, name, depth }: { node: TypeNode; name: string; depth: number }): AbiType | undefined {
    if (name === "Array") {
      const item = node.typeArguments?.[0];
      return item === undefined ? undefined : { kind: "list", of: this.#read(source, item, depth + 1) };
    }
    if (isScalarType(name) && !TYPED_BY_NAME.includes(name)) return { kind: "scalar", name };
    const known = NAMES[name];
    if (known !== undefined) return known;
    if (this.#structs.has(name)) return { kind: "struct", name };
    const alias = this.#aliases.get(name);
    return alias === undefined || depth > MAX_ALIASES ? undefined : this.#read(source, alias, depth + 1);
  }
}

/** True for a class whose values travel as JSON objects. */
export function isStruct({ decorators }: ClassNode): boolean {
  return decorators?.some(({ name }) => name.text === "struct") ?? false;
}

/** The type as AssemblyScript writes it. */
export function sourceType(type: AbiType): string {
  if (type.kind === "list") return `Array<${sourceType(type.of)}>`;
  if (type.kind === "optional") return `${sourceType(type.of)} | null`;
  if (type.kind === "struct") return type.name;
  if (type.name === "bytes") return "ArrayBuffer";
  return type.name === "address" || type.name === "json" ? "string" : type.name;
}
