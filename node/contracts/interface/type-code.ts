// AssemblyScript that writes a value of a type as JSON and reads it again.
import { type AbiType, formatAbiType } from "#shared/protocol/transactions/abi-types.ts";
import { sourceType } from "./read-types.ts";

/** Code for lists and optionals is a function for each type, kept once in every file that needs it. */
export class TypeCode {
  readonly #functions = new Map<string, string>();

  /** A statement that writes a value. */
  write(type: AbiType, writer: string, value: string): string {
    switch (type.kind) {
      case "struct":
        return `${value}.encodeJson(${writer});`;
      case "list":
      case "optional":
        return `${this.#writer(type)}(${writer}, ${value});`;
      case "scalar":
        return `${writer}.${writerMethod(type.name)}(${value});`;
    }
  }

  /** An expression that reads a value; `what` names it in the refusal. */
  read(type: AbiType, reader: string, what: string): string {
    switch (type.kind) {
      case "struct":
        return `${type.name}.decodeJson(${reader})`;
      case "list":
      case "optional":
        return `${this.#reader(type)}(${reader})`;
      case "scalar":
        return readScalar(type.name, reader, what);
    }
  }

  /** Text of a value that can be indexed. */
  text(type: AbiType, value: string): string {
    if (type.kind !== "scalar") return value;
    switch (type.name) {
      case "string":
      case "address":
      case "json":
        return value;
      case "bytes":
        return `__parley_toHex(${value})`;
      case "bool":
        return `(${value} ? "true" : "false")`;
      default:
        return `${value}.toString()`;
    }
  }

  /** All functions that were needed. */
  functions(): string {
    return [...this.#functions.values()].join("\n");
  }

  #writer(type: Extract<AbiType, { readonly of: AbiType }>): string {
    const name = `__parley_write_${mangled(type)}`;
    if (this.#functions.has(name)) return name;
    this.#functions.set(name, "");
    const head = `function ${name}(w: __parley_Writer, v: ${sourceType(type)}): void {`;
    const body =
      type.kind === "optional"
        ? `if (v === null) { w.null(); } else { ${this.write(type.of, "w", `(v as ${sourceType(type.of)})`)} }`
        : `w.startList(); for (let i = 0; i < v.length; i += 1) { ${this.write(type.of, "w", "v[i]")} } w.endList();`;
    this.#functions.set(name, `${head} ${body} }`);
    return name;
  }

  #reader(type: Extract<AbiType, { readonly of: AbiType }>): string {
    const name = `__parley_read_${mangled(type)}`;
    if (this.#functions.has(name)) return name;
    this.#functions.set(name, "");
    const head = `function ${name}(r: __parley_Reader): ${sourceType(type)} {`;
    const item = this.read(type.of, "r", '"an item"');
    const body =
      type.kind === "optional"
        ? `if (r.isNull()) return null; return ${item};`
        : `const list = new ${sourceType(type)}(); r.startList(); for (let first = true; r.hasItem(first); first = false) list.push(${item}); return list;`;
    this.#functions.set(name, `${head} ${body} }`);
    return name;
  }
}

function writerMethod(name: string): string {
  if (name === "address") return "string";
  return /^[iu](?:8|16|32|64)$/.test(name) ? `integer<${name}>` : name;
}

function readScalar(name: string, reader: string, what: string): string {
  if (name === "address") return `__parley_toAddress(${reader}.string(), ${what})`;
  if (name === "json") return `${reader}.raw()`;
  return /^[iu](?:8|16|32|64)$/.test(name) ? `${reader}.integer<${name}>()` : `${reader}.${name}()`;
}

function mangled(type: AbiType): string {
  return formatAbiType(type).replaceAll("[]", "_list").replaceAll("?", "_optional");
}
