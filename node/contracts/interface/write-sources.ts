// The sources as they are compiled: methods get wrappers that decode, call and encode, structs and events what they need. Every line of
// the author's stays where it is, so that what the compiler says, and the source map, name the author's lines.
import { chainTypeOf } from "#shared/protocol/transactions/abi-types.ts";
import type { ContractInterface, TypedClass, TypedMethod, TypedParameter } from "./read-interface.ts";
import { sourceType } from "./read-types.ts";
import { type ClassNode, type FieldNode, type FunctionNode, NODE, nodesOf, type ParsedSource } from "./syntax-tree.ts";
import { TypeCode } from "./type-code.ts";

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const IMPORTS = `import { JsonReader as __parley_Reader, JsonWriter as __parley_Writer, toAddress as __parley_toAddress, toHex as __parley_toHex, argString as __parley_argString, argU64 as __parley_argU64, argBool as __parley_argBool } from "parley";
import { argAddress as __parley_argAddress, argReader as __parley_argReader, argBytes as __parley_argBytes, argU128 as __parley_argU128, argU256 as __parley_argU256, argUnsigned as __parley_argUnsigned, indexed as __parley_indexed, returnWritten as __parley_return } from "parley/typed";`;

/** Text of every source by its path. */
export function writeSources({ sources, methods, structs, events }: ContractInterface): ReadonlyMap<string, string> {
  return new Map(
    sources.map((source, index) => {
      const code = new TypeCode();
      const own = (typed: TypedClass): boolean => typed.source === source;
      const edits = [
        ...decorators(source),
        ...structs.filter(own).map((struct) => insertInto(struct, structMembers(struct, code))),
        ...events.filter(own).map((event) => insertInto(event, eventMembers(event, code))),
      ];
      const isEntry = index === 0;
      if (isEntry) edits.push(...methods.map(({ node }) => withoutExport(source, node)));
      const wrappers = isEntry ? methods.map((method) => wrapper(method, code)) : [];
      const added = [IMPORTS, code.functions(), ...wrappers].filter((text) => text !== "").join("\n");
      return [source.path, `${apply(source.text, edits)}\n${added}\n`];
    }),
  );
}

function apply(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((changed, { start, end, text: inserted }) => changed.slice(0, start) + inserted + changed.slice(end), text);
}

/** The decorators of the interface mean nothing to the compiler. */
function decorators({ statements }: ParsedSource): readonly Edit[] {
  const functions = nodesOf<FunctionNode>(statements, NODE.function);
  const classes = nodesOf<ClassNode>(statements, NODE.class);
  const fields = classes.flatMap(({ members }) => nodesOf<FieldNode>(members, NODE.field));
  const own = ["view", "payable", "struct", "event", "indexed"];
  return [...functions, ...classes, ...fields]
    .flatMap((node) => node.decorators ?? [])
    .filter(({ name }) => own.includes(name.text))
    .map(({ range }) => ({ start: range.start, end: range.end, text: " ".repeat(range.end - range.start) }));
}

function withoutExport({ text }: ParsedSource, { name, range }: FunctionNode): Edit {
  const start = text.slice(0, name.range.start).lastIndexOf("export");
  return { start: Math.max(start, range.start), end: start + "export".length, text: " ".repeat("export".length) };
}

/** Inserts members before the closing brace of a class. */
function insertInto({ node }: TypedClass, members: readonly string[]): Edit {
  const end = node.range.end - 1;
  return { start: end, end, text: ` ${members.join(" ")} ` };
}

function constructorOf({ fields }: TypedClass): string {
  const parameters = fields.map(({ name, type }) => `${name}: ${sourceType(type)}`);
  return `constructor(${parameters.join(", ")}) { ${fields.map(({ name }) => `this.${name} = ${name};`).join(" ")} }`;
}

function members(fields: readonly TypedParameter[], code: TypeCode): string {
  return fields.map(({ name, type }) => `w.name("${name}"); ${code.write(type, "w", `this.${name}`)}`).join(" ");
}

function structMembers(struct: TypedClass, code: TypeCode): readonly string[] {
  const { name, fields } = struct;
  const locals = fields.map(({ type }, index) => `let f${index}: ${sourceType(type)} = ${initialValue(type)};`);
  const branches = fields.map(
    (field, index) =>
      `if (m == "${field.name}") { if (seen & ${2 ** index}) r.fail("one ${field.name}"); f${index} = ${code.read(field.type, "r", `"${field.name}"`)}; seen |= ${2 ** index}; }`,
  );
  const all = 2 ** fields.length - 1;
  const missing = fields.map((field) => field.name).join(", ");
  return [
    constructorOf(struct),
    `encodeJson(w: __parley_Writer): void { w.startObject(); ${members(fields, code)} w.endObject(); }`,
    `static decodeJson(r: __parley_Reader): ${name} { ${locals.join(" ")} let seen: u32 = 0; r.startObject(); for (let first = true; ; first = false) { const m = r.member(first); if (m === null) break; ${[...branches, `r.fail("a member of ${name}");`].join(" else ")} } if (seen != ${all}) r.fail("${missing} of ${name}"); return new ${name}(${fields.map((_, index) => `f${index}`).join(", ")}); }`,
    "storeBytes(): ArrayBuffer { const w = new __parley_Writer(); this.encodeJson(w); return w.toBytes(); }",
    `loadBytes(bytes: ArrayBuffer): ${name} { return ${name}.decodeJson(new __parley_Reader(bytes, "${name}")); }`,
  ];
}

function eventMembers(event: TypedClass, code: TypeCode): readonly string[] {
  const { name, fields } = event;
  const index = fields
    .filter(({ isIndexed }) => isIndexed)
    .map((field) => `w.name("${field.name}"); w.string(__parley_indexed(${code.text(field.type, `this.${field.name}`)}));`);
  const rest = fields.filter(({ isIndexed }) => !isIndexed);
  return [
    constructorOf(event),
    `encodeEvent(): __parley_Writer { const w = new __parley_Writer(); w.startObject(); w.name("event"); w.string("${name}"); w.name("index"); w.startObject(); ${index.join(" ")} w.endObject(); w.name("data"); w.startObject(); ${members(rest, code)} w.endObject(); w.endObject(); return w; }`,
  ];
}

function initialValue(type: TypedParameter["type"]): string {
  if (type.kind === "scalar" && type.name === "bool") return "false";
  if (type.kind === "scalar" && /^[iu](?:8|16|32|64)$/.test(type.name)) return "0";
  return type.kind === "optional" ? "null" : `changetype<${sourceType(type)}>(0)`;
}

function wrapper({ name, parameters, returns }: TypedMethod, code: TypeCode): string {
  const locals = parameters.flatMap((parameter, index) => argument(parameter, index, code));
  const call = `${name}(${parameters.map((_, index) => `a${index}`).join(", ")})`;
  const body =
    returns === undefined
      ? `${call};`
      : `const v = ${call}; const w = new __parley_Writer(); ${code.write(returns, "w", "v")} __parley_return(w);`;
  return `function __parley_method_${name}(): void { ${[...locals, body].join(" ")} }\nexport { __parley_method_${name} as ${name} };`;
}

/** Statements that read an argument into a local variable. */
function argument({ name, type }: TypedParameter, index: number, code: TypeCode): readonly string[] {
  const local = `const a${index}`;
  const what = `"${name}"`;
  if (chainTypeOf(type) === "json") {
    const reader = `r${index}`;
    return [`const ${reader} = __parley_argReader(${index}, ${what});`, `${local} = ${code.read(type, reader, what)};`];
  }
  if (type.kind !== "scalar") return [];
  switch (type.name) {
    case "bool":
      return [`${local} = __parley_argBool(${index});`];
    case "string":
      return [`${local} = __parley_argString(${index});`];
    case "address":
      return [`${local} = __parley_argAddress(${index}, ${what});`];
    case "u64":
      return [`${local} = __parley_argU64(${index});`];
    case "u8":
    case "u16":
    case "u32":
      return [`${local} = __parley_argUnsigned<${type.name}>(${index}, ${what});`];
    case "bytes":
      return [`${local} = __parley_argBytes(${index}, ${what});`];
    case "u128":
      return [`${local} = __parley_argU128(${index}, ${what});`];
    case "u256":
      return [`${local} = __parley_argU256(${index}, ${what});`];
    default:
      return [];
  }
}
