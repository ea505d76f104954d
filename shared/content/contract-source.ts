// What a deployed module says of its source, in custom sections that change nothing of what it does: how it was built, and the source
// itself when its deployer published it. Both are claims. A build that comes to the same bytes proves them; only who built it knows that.
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { concatBytes, fromUtf8, toHex, utf8 } from "#shared/util/bytes.ts";

/** Section with the JSON of a {@link BuildManifest}. */
export const BUILD_SECTION = "parley.build";
/** Section with the sources: JSON of texts by their paths, deflated. */
export const SOURCE_SECTION = "parley.source";
/** Published sources at most, bytes of their JSON. */
export const MAX_PUBLISHED_BYTES = 1_048_576;
/** Files of a contract at most. */
const MAX_FILES = 64;
const MAX_MANIFEST_BYTES = 16_384;

/** How a module was built, as its deployer claims. */
export interface BuildManifest {
  readonly format: 1;
  /** as, c, rust or zig. */
  readonly language: string;
  /** Name and version. */
  readonly compiler: string;
  readonly options: readonly string[];
  /** Pages of 64 KiB that the memory can grow to. */
  readonly memory_pages: number;
  /** SHA-256 of the sources of the SDK, hex. */
  readonly sdk: string;
  /** SHA-256 of each source by its path, hex. */
  readonly sources: Readonly<Record<string, string>>;
}

/** Raw deflate undone; undefined for what is none, or becomes longer than `most` bytes, at which it must end. */
export type Inflate = (bytes: Uint8Array, most: number) => Promise<Uint8Array | undefined>;

const HEADER_BYTES = 8;
const HASH = /^[0-9a-f]{64}$/;
const PATH = /^(?!.*(?:^|\/)\.\.?(?:\/|$))[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)*$/;

/** The module with one more custom section at its end: positions of its code stay. */
export function withCustomSection(module: Uint8Array, name: string, content: Uint8Array): Uint8Array {
  const title = utf8(name);
  const body = concatBytes(leb(title.length), title, content);
  return concatBytes(module, Uint8Array.of(0), leb(body.length), body);
}

/** Content of the custom section of a name; undefined when there is none, or the module is broken. */
export function customSectionOf(module: Uint8Array, name: string): Uint8Array | undefined {
  let at = HEADER_BYTES;
  while (at < module.length) {
    const id = module[at];
    const size = readLeb(module, at + 1);
    if (size === undefined || size.end + size.value > module.length) return undefined;
    const end = size.end + size.value;
    if (id === 0) {
      const length = readLeb(module, size.end);
      if (length === undefined || length.end + length.value > end) return undefined;
      const from = length.end + length.value;
      if (toHex(module.subarray(length.end, from)) === toHex(utf8(name))) return module.subarray(from, end);
    }
    at = end;
  }
  return undefined;
}

/** The manifest of a module; undefined when it has none that is well-formed. */
export function readBuildManifest(module: Uint8Array): BuildManifest | undefined {
  const section = customSectionOf(module, BUILD_SECTION);
  const value = section === undefined || section.length > MAX_MANIFEST_BYTES ? undefined : parseJson(section);
  return isManifest(value) ? value : undefined;
}

/**
 * The sources that a module brings along, by their paths; undefined when it brings none that are exactly those of its manifest. They are
 * what the deployer claims to have built: show them as published, and as verified only where they were built again here.
 */
export async function readPublishedSource(module: Uint8Array, inflate: Inflate): Promise<ReadonlyMap<string, string> | undefined> {
  const manifest = readBuildManifest(module);
  const section = customSectionOf(module, SOURCE_SECTION);
  const json = manifest === undefined || section === undefined ? undefined : await inflate(section, MAX_PUBLISHED_BYTES);
  const value = json === undefined ? undefined : parseJson(json);
  if (manifest === undefined || typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const files = new Map<string, string>();
  for (const [path, text] of Object.entries(value)) {
    if (typeof text !== "string" || sourceHash(text) !== manifest.sources[path]) return undefined;
    files.set(path, text);
  }
  return files.size === Object.keys(manifest.sources).length ? files : undefined;
}

/** Content of {@link SOURCE_SECTION} before it is deflated. */
export function sourcesJson(files: ReadonlyMap<string, string>): Uint8Array {
  return utf8(JSON.stringify(Object.fromEntries(files)));
}

/** SHA-256 of a source, hex. */
export function sourceHash(text: string): string {
  return toHex(sha256(utf8(text)));
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(fromUtf8(bytes));
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is BuildManifest {
  if (typeof value !== "object" || value === null) return false;
  const { format, language, compiler, options, memory_pages: pages, sdk, sources } = value as Partial<Record<keyof BuildManifest, unknown>>;
  const isText = (text: unknown): boolean => typeof text === "string" && text.length <= 256;
  if (format !== 1 || !isText(language) || !isText(compiler) || !Number.isSafeInteger(pages)) return false;
  if (!Array.isArray(options) || !options.every(isText) || typeof sdk !== "string" || !HASH.test(sdk)) return false;
  if (typeof sources !== "object" || sources === null || Array.isArray(sources)) return false;
  const files = Object.entries(sources);
  return files.length <= MAX_FILES && files.every(([path, hash]) => PATH.test(path) && typeof hash === "string" && HASH.test(hash));
}

function leb(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Uint8Array.of(...bytes, rest);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

function readLeb(bytes: Uint8Array, at: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: at + index + 1 };
  }
  return undefined;
}
