// Custom sections of a module: names and line numbers for tools. The network charges for their bytes and drops them.

import { fromUtf8 } from "#shared/util/bytes.ts";
import { ByteReader } from "./byte-reader.ts";
import { InvalidModule } from "./invalid-module.ts";

interface Section {
  readonly id: number;
  /** Where it begins, with its number. */
  readonly start: number;
  readonly content: ByteReader;
}

const HEADER_BYTES = 8;
const CUSTOM = 0;

/** The module without its custom sections; bytes that are no module stay as they are, for the validator to refuse. */
export function withoutCustomSections(module: Uint8Array): Uint8Array {
  const sections = sectionsOf(module).filter(({ id }) => id === CUSTOM);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { start, content } of sections) {
    parts.push(module.subarray(at, start));
    at = content.end;
  }
  parts.push(module.subarray(at));
  return Uint8Array.from(Buffer.concat(parts));
}

/** Content of the custom section of a name, behind the name; undefined when there is none. */
export function customSection(module: Uint8Array, name: string): ByteReader | undefined {
  for (const { id, content } of sectionsOf(module)) {
    if (id !== CUSTOM) continue;
    const title = content.part(content.u32());
    if (fromUtf8(title.bytes.subarray(title.at, title.end)) === name) return content;
  }
  return undefined;
}

/** Content of the section of a number; undefined when there is none. */
export function plainSection(module: Uint8Array, id: number): ByteReader | undefined {
  return sectionsOf(module).find((section) => section.id === id)?.content;
}

function sectionsOf(module: Uint8Array): readonly Section[] {
  const sections: Section[] = [];
  const reader = new ByteReader(module, Math.min(HEADER_BYTES, module.length));
  try {
    while (!reader.isAtEnd) sections.push({ start: reader.at, id: reader.u8(), content: reader.part(reader.u32()) });
  } catch (error) {
    if (!(error instanceof InvalidModule)) throw error;
    return [];
  }
  return sections;
}
