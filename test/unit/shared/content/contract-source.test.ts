// What a module says of its source: sections that are found where they are and nowhere else, manifests and sources that are whole or none.
import { promisify } from "node:util";
import { deflateRawSync, inflateRaw } from "node:zlib";
import { describe, expect, it } from "vitest";
import { customSection, withoutCustomSections } from "#node/vm/module/custom-sections.ts";
import {
  BUILD_SECTION,
  type BuildManifest,
  customSectionOf,
  type Inflate,
  MAX_PUBLISHED_BYTES,
  readBuildManifest,
  readPublishedSource,
  SOURCE_SECTION,
  sourceHash,
  sourcesJson,
  withCustomSection,
} from "#shared/content/contract-source.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { buildModule } from "#test/support/vm/wasm-builder.ts";

const MODULE = buildModule({ functions: [{ code: [], export: "run" }] });
const FILES = new Map([
  ["contract.ts", "export const NAME = 'a';"],
  ["lib/sums.ts", "ü".repeat(300)],
]);
const MANIFEST: BuildManifest = {
  format: 1,
  language: "as",
  compiler: "assemblyscript 0.28.20",
  options: ["-Oz"],
  memory_pages: 16,
  sdk: "ab".repeat(32),
  sources: Object.fromEntries([...FILES].map(([path, text]) => [path, sourceHash(text)])),
};
const inflate: Inflate = (bytes, most) => promisify(inflateRaw)(bytes, { maxOutputLength: most }).catch(() => undefined);

const withManifest = (manifest: unknown): Uint8Array => withCustomSection(MODULE, BUILD_SECTION, utf8(JSON.stringify(manifest)));
const published = (files: ReadonlyMap<string, string>, manifest: unknown = MANIFEST): Uint8Array =>
  withCustomSection(withManifest(manifest), SOURCE_SECTION, deflateRawSync(sourcesJson(files)));

describe("sections of a module", () => {
  it.each([0, 1, 127, 128, 300, 20_000])("are found again with %i bytes, and taken out without a trace", (size) => {
    const content = Uint8Array.from({ length: size }, (_, index) => index % 251);
    const module = withCustomSection(withCustomSection(MODULE, "first", utf8("x")), "second", content);
    expect(customSectionOf(module, "second")).toEqual(content);
    expect(customSection(module, "second")?.isAtEnd).toBe(size === 0);
    expect(customSectionOf(module, "third")).toBeUndefined();
    expect(withoutCustomSections(module)).toEqual(Uint8Array.from(MODULE));
  });

  it("are none in a module that breaks off, wherever it does", () => {
    const module = withManifest(MANIFEST);
    for (let length = 0; length < module.length; length += 1) expect(readBuildManifest(module.subarray(0, length))).toBeUndefined();
  });
});

describe("a manifest", () => {
  it("is read as it was written", () => {
    expect(readBuildManifest(withManifest(MANIFEST))).toEqual(MANIFEST);
    expect(readBuildManifest(MODULE)).toBeUndefined();
  });

  it.each([
    { format: 2 },
    { sdk: "00" },
    { options: "-Oz" },
    { memory_pages: "16" },
    { compiler: "x".repeat(257) },
    { sources: { "../contract.ts": "ab".repeat(32) } },
    { sources: { "a/../../b.ts": "ab".repeat(32) } },
    { sources: { "/etc/passwd": "ab".repeat(32) } },
    { sources: { "contract.ts": "hash" } },
    { sources: Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`${index}.ts`, "ab".repeat(32)])) },
    { sources: [] },
  ])("is none with %j", (part) => {
    expect(readBuildManifest(withManifest({ ...MANIFEST, ...part }))).toBeUndefined();
  });
});

describe("a published source", () => {
  it("is what the manifest has, whole", async () => {
    expect(await readPublishedSource(published(FILES), inflate)).toEqual(FILES);
    expect(await readPublishedSource(withManifest(MANIFEST), inflate)).toBeUndefined();
  });

  it("is none with another text, another file, or one missing", async () => {
    const [first = "", second = ""] = FILES.keys();
    const others = [
      new Map([...FILES, [first, "export const NAME = 'b';"]]),
      new Map([...FILES, ["more.ts", ""]]),
      new Map([...FILES].filter(([path]) => path !== second)),
      new Map([...FILES, ["../x.ts", ""]]),
    ];
    for (const files of others) expect(await readPublishedSource(published(files), inflate)).toBeUndefined();
  });

  it("is none when it is no deflate, no JSON, or grows beyond its bound", async () => {
    const odd = (bytes: Uint8Array): Uint8Array => withCustomSection(withManifest(MANIFEST), SOURCE_SECTION, bytes);
    const bomb = deflateRawSync(Buffer.alloc(MAX_PUBLISHED_BYTES + 1, " "));
    for (const bytes of [utf8("??"), deflateRawSync("{"), deflateRawSync("[]"), deflateRawSync("null"), bomb])
      expect(await readPublishedSource(odd(bytes), inflate)).toBeUndefined();
  });
});
