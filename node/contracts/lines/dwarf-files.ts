// Names of the source files in a line program of DWARF, versions 2 to 5.
import type { DwarfReader } from "./dwarf-reader.ts";

/** Gives a text of the section .debug_line_str or .debug_str by its position. */
export interface DwarfTexts {
  readonly lines: (at: number) => string;
  readonly others: (at: number) => string;
}

const CONTENT_PATH = 1;
const CONTENT_FOLDER = 2;
const FORM = {
  data2: 0x05,
  data4: 0x06,
  data8: 0x07,
  text: 0x08,
  block: 0x09,
  data1: 0x0b,
  strp: 0x0e,
  udata: 0x0f,
  data16: 0x1e,
  lineStrp: 0x1f,
};

/** Paths by the numbers that the line program uses: from 1 before version 5, then from 0. */
export function readFiles(reader: DwarfReader, version: number, texts: DwarfTexts): readonly string[] {
  return version >= 5 ? readFiles5(reader, texts) : readFiles2(reader);
}

function readFiles2(reader: DwarfReader): readonly string[] {
  const folders = [""];
  for (let folder = reader.text(); folder !== ""; folder = reader.text()) folders.push(folder);
  const files = [""];
  for (let file = reader.text(); file !== ""; file = reader.text()) {
    files.push(joined(folders[reader.uleb()] ?? "", file));
    reader.uleb();
    reader.uleb();
  }
  return files;
}

function readFiles5(reader: DwarfReader, texts: DwarfTexts): readonly string[] {
  const folders = readEntries(reader, texts);
  // The first folder is that of the compilation.
  return readEntries(reader, texts).map(({ path, folder }) => joined(folder === 0 ? "" : (folders[folder]?.path ?? ""), path));
}

interface Entry {
  readonly path: string;
  readonly folder: number;
}

function readEntries(reader: DwarfReader, texts: DwarfTexts): readonly Entry[] {
  const formats = Array.from({ length: reader.u8() }, () => ({ content: reader.uleb(), form: reader.uleb() }));
  return Array.from({ length: reader.uleb() }, () => {
    const values = new Map(formats.map(({ content, form }) => [content, readForm(reader, form, texts)]));
    return { path: String(values.get(CONTENT_PATH) ?? ""), folder: Number(values.get(CONTENT_FOLDER) ?? 0) };
  });
}

function readForm(reader: DwarfReader, form: number, { lines, others }: DwarfTexts): string | number {
  switch (form) {
    case FORM.text:
      return reader.text();
    case FORM.lineStrp:
      return lines(reader.u32());
    case FORM.strp:
      return others(reader.u32());
    case FORM.data1:
      return reader.u8();
    case FORM.data2:
      return reader.u16();
    case FORM.udata:
      return reader.uleb();
    default:
      reader.skip(form === FORM.block ? reader.uleb() : (SIZES.get(form) ?? 0));
      return 0;
  }
}

const SIZES: ReadonlyMap<number, number> = new Map([
  [FORM.data4, 4],
  [FORM.data8, 8],
  [FORM.data16, 16],
]);

function joined(folder: string, file: string): string {
  return folder === "" || file.startsWith("/") ? file : `${folder}/${file}`;
}
