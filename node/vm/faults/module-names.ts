// Names of the functions of a module, for its author: of the names section, else of exports and imports.
import { fromUtf8 } from "#shared/util/bytes.ts";
import type { ByteReader } from "../module/byte-reader.ts";
import { customSection } from "../module/custom-sections.ts";
import { InvalidModule } from "../module/invalid-module.ts";
import type { ParsedModule } from "../module/parse-module.ts";

/** Longest name that is shown. */
const MAX_NAME_CHARACTERS = 96;
const FUNCTION_NAMES = 1;

/** Names by the index of the function. */
export function functionNames(module: Pick<ParsedModule, "imports" | "exports">, named: Uint8Array): ReadonlyMap<number, string> {
  const names = new Map<number, string>(module.imports.map((name, index) => [index, name]));
  for (const [name, index] of module.exports) names.set(index, name);
  for (const [index, name] of namedFunctions(named)) names.set(index, name);
  return names;
}

/** Names of the names section; tools write it, so what is wrong with it only ends it. */
export function namedFunctions(module: Uint8Array): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  try {
    const section = customSection(module, "name");
    while (section !== undefined && !section.isAtEnd) {
      const kind = section.u8();
      const part = section.part(section.u32());
      if (kind === FUNCTION_NAMES) readNames(part, names);
    }
  } catch (error) {
    if (!(error instanceof InvalidModule || error instanceof TypeError)) throw error;
  }
  return names;
}

function readNames(part: ByteReader, names: Map<number, string>): void {
  for (let left = part.u32(); left > 0; left -= 1) {
    const index = part.u32();
    const text = part.part(part.u32());
    names.set(index, readable(fromUtf8(text.bytes.subarray(text.at, text.end))));
  }
}

/** AssemblyScript names functions by their files, the build of typed contracts its wrappers by their methods, Rust with lengths and a hash; what is not printable is not shown. */
function readable(name: string): string {
  const short = demangled(name).replace(/^(contract\/|contract::)(__parley_method_)?/, "");
  return short.replace(/[^\x20-\x7e]/g, "?").slice(0, MAX_NAME_CHARACTERS);
}

/** `_ZN4core9panicking5panic17h0123456789abcdefE` is `core::panicking::panic`. */
function demangled(name: string): string {
  const parts: string[] = [];
  let rest = /^_ZN(.*)E(?:\.|$)/.exec(name)?.[1] ?? "";
  for (let length = /^\d{1,3}/.exec(rest)?.[0]; length !== undefined; length = /^\d{1,3}/.exec(rest)?.[0]) {
    parts.push(rest.slice(length.length, length.length + Number(length)));
    rest = rest.slice(length.length + Number(length));
  }
  const path = parts.filter((part) => !/^h[0-9a-f]{16}$/.test(part)).join("::");
  return path === "" ? name.replace(/::h[0-9a-f]{16}$/, "") : path;
}
