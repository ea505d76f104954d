// The font for emoji in files: every emoji of the picker is drawn by one of them as by the whole font, by HarfBuzz, which browsers use too.
import { createRequire } from "node:module";
import { beforeAll, describe, expect, it } from "vitest";
import { emojiData, emojiFont, emojiStyles } from "#build/vite/emoji/emoji-fonts.ts";
import { type EmojiSlice, emojiSlices } from "#build/vite/emoji/emoji-slices.ts";
import { fontCutter } from "#build/vite/emoji/font-cutter.ts";
import { readOpenType, readWoff, writeOpenType, writeWoff2 } from "#build/vite/emoji/font-file.ts";

/** What is used of the package's own interface, which has no types. */
interface Shaper {
  createBlob(font: Uint8Array): object;
  createFace(blob: object, index: number): object;
  createFont(face: object): object;
  createBuffer(): {
    addText(text: string): void;
    guessSegmentProperties(): void;
    json(font: object): readonly { readonly g: number }[];
    destroy(): void;
  };
  shape(font: object, buffer: object): void;
}

type Glyphs = (text: string) => readonly number[];

/** Not drawn by themselves: a font without them draws the rest. */
const UNSEEN = new Set([0x20_0d, 0xfe_0f]);
/** Written in texts: in the font of the text. */
const WRITTEN = ["1", "#", "©", "™", "✓", "→", "⬆"];

describe("the files of the font for emoji", () => {
  const slices = emojiSlices(emojiData());
  const all = slices.flatMap(({ emoji }) => emoji);
  let shaper: Shaper;
  let cut: (codes: Iterable<number>) => Uint8Array;

  beforeAll(async () => {
    shaper = await (createRequire(import.meta.url)("harfbuzzjs") as Promise<Shaper>);
    cut = await fontCutter(emojiFont());
  });

  it("have each emoji once, those used most in the first of them", () => {
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(3_800);
    const first = slices[0];
    expect(first?.name).toBe("common");
    expect(first?.emoji).toEqual(expect.arrayContaining(["❤️", "😂", "🙏", "🎉"]));
  });

  it("leave to the font of texts what is written there", () => {
    for (const sign of WRITTEN) expect(slices.filter(({ range }) => range.includes(sign.codePointAt(0) ?? 0))).toEqual([]);
  });

  it("draw every emoji as one, in the first file that draws all of its characters", () => {
    const drawers = slices.map((slice) => ({ codes: new Set(slice.range), glyphs: glyphsOf(shaper, cut(slice.range)) }));
    const wrong = all.filter((emoji) => {
      const codes = codesOf(emoji).filter((code) => !UNSEEN.has(code));
      const drawn = drawers
        .filter((drawer) => codes.some((code) => drawer.codes.has(code)))
        .map((drawer) => drawer.glyphs(emoji))
        .find((glyphs) => !glyphs.includes(0));
      return drawn?.length !== 1;
    });
    expect(wrong).toEqual([]);
  });

  it("keep the colours of their drawings, and lose those of browsers that have the first form", () => {
    const tables = readOpenType(cut(slices[0]?.range ?? [])).map(({ tag }) => tag);
    expect(tables).toEqual(expect.arrayContaining(["COLR", "CPAL", "glyf"]));
    expect(tables).not.toContain("SVG ");
  });

  it("are small where they are common", async () => {
    const file = await writeWoff2(readOpenType(cut(slices[0]?.range ?? [])));
    expect(file.length).toBeLessThan(60_000);
    expect(Buffer.from(file.subarray(0, 4)).toString("latin1")).toBe("wOF2");
    expect(file.length).toBe(Buffer.from(file).readUInt32BE(8));
  });
});

it("is named in rules whose last one counts first", () => {
  const slice = (name: string, range: readonly number[]): EmojiSlice => ({ name, emoji: [], range });
  const rules = emojiStyles([slice("first", [0x1_f6_00, 0x1_f6_01, 0x1_f6_03]), slice("second", [0x27_64])]);
  expect(rules.match(/emoji-\w+/g)).toEqual(["emoji-second", "emoji-first"]);
  expect(rules.match(/unicode-range: .+;/g)).toEqual(["unicode-range: U+2764;", "unicode-range: U+1F600-1F601, U+1F603;"]);
});

it("reads tables as they were written, and no other files", () => {
  const tables = [
    { tag: "glyf", data: new Uint8Array([1, 2, 3, 4, 5]) },
    { tag: "loca", data: new Uint8Array([6]) },
  ];
  expect(readOpenType(writeOpenType(tables))).toEqual(tables);
  expect(() => readWoff(writeOpenType(tables))).toThrow("no WOFF");
});

function glyphsOf(shaper: Shaper, bytes: Uint8Array): Glyphs {
  const font = shaper.createFont(shaper.createFace(shaper.createBlob(bytes), 0));
  return (text) => {
    const buffer = shaper.createBuffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    shaper.shape(font, buffer);
    const glyphs = buffer.json(font).map(({ g }) => g);
    buffer.destroy();
    return glyphs;
  };
}

function codesOf(text: string): readonly number[] {
  return [...text].map((character) => character.codePointAt(0) ?? 0);
}
