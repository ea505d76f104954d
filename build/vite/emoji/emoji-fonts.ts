// The font for emoji, cut into files of which a browser fetches those that it draws of. They are made once for each state of font and tables.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { ROOT } from "../../scripts/process.ts";
import { type EmojiData, type EmojiSlice, emojiSlices } from "./emoji-slices.ts";
import { CUTTER_PROGRAM, fontCutter } from "./font-cutter.ts";
import { readOpenType, readWoff, writeOpenType, writeWoff2 } from "./font-file.ts";

const STYLES = "virtual:emoji-fonts.css";
const FONT = join(ROOT, "node_modules/@fontsource/noto-color-emoji/files/noto-color-emoji-emoji-400-normal.woff");
const DATA = join(ROOT, "node_modules/emojibase-data/en/compact.json");
const FOLDER = join(ROOT, ".cache/emoji-fonts");

/** Drawings a second time, which only browsers without the first form take; on systems that have emoji of their own. */
const SECOND_FORM = "SVG ";

/** The plugin: the import is a style sheet of all files. */
export function emojiFonts(): Plugin {
  return {
    name: "parley:emoji",
    resolveId: async (id) => (id === STYLES ? await madeStyles() : null),
  };
}

/** What the files are cut from. */
export function emojiData(): readonly EmojiData[] {
  return JSON.parse(readFileSync(DATA, "utf8")) as readonly EmojiData[];
}

/** The whole font as a plain one, without drawings in a second form. */
export function emojiFont(): Uint8Array {
  return writeOpenType(readWoff(readFileSync(FONT)).filter(({ tag }) => tag !== SECOND_FORM));
}

/** Path of the style sheet in a folder that has the files too. */
async function madeStyles(): Promise<string> {
  const own = ["emoji-fonts.ts", "emoji-slices.ts", "font-cutter.ts", "font-file.ts"].map((name) => join(import.meta.dirname, name));
  const hash = createHash("sha256");
  for (const path of [FONT, DATA, CUTTER_PROGRAM, ...own]) hash.update(readFileSync(path));
  const folder = join(FOLDER, hash.digest("hex").slice(0, 16));
  const styles = join(folder, "emoji-fonts.css");
  if (existsSync(styles)) return styles;
  mkdirSync(FOLDER, { recursive: true });
  const made = mkdtempSync(join(FOLDER, "new-"));
  await writeFiles(made);
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
  return styles;
}

async function writeFiles(folder: string): Promise<void> {
  const cut = await fontCutter(emojiFont());
  const slices = emojiSlices(emojiData());
  await Promise.all(
    slices.map(async ({ name, range }) => {
      writeFileSync(join(folder, fileName(name)), await writeWoff2(readOpenType(cut(range))));
    }),
  );
  writeFileSync(join(folder, "emoji-fonts.css"), emojiStyles(slices));
}

/** A rule for each file: of rules with the same character the last one counts first. On macOS all of them are the system's emoji. */
export function emojiStyles(slices: readonly EmojiSlice[]): string {
  return slices
    .toReversed()
    .map(({ name, range }) =>
      [
        "@font-face {",
        '  font-family: "Parley Emoji";',
        "  font-style: normal;",
        "  font-weight: 400;",
        `  src: local("Apple Color Emoji"), url("./${fileName(name)}") format("woff2");`,
        `  unicode-range: ${rangesOf(range).join(", ")};`,
        "}",
        "",
      ].join("\n"),
    )
    .join("\n");
}

function fileName(name: string): string {
  return `emoji-${name}.woff2`;
}

function rangesOf(codes: readonly number[]): readonly string[] {
  const ranges: [number, number][] = [];
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges.map(([from, to]) => `U+${hex(from)}${to > from ? `-${hex(to)}` : ""}`);
}

function hex(code: number): string {
  return code.toString(16).toUpperCase();
}
