// The text of a PDF file that Chromium wrote, page by page, without spaces: of its own streams and maps of characters, which are simple.
import { inflateSync } from "node:zlib";

interface Font {
  /** Bytes of a code. */
  readonly width: number;
  readonly characters: ReadonlyMap<number, string>;
}

/** Text of each page. */
export function pagesOfPdf(file: Buffer): readonly string[] {
  const objects = objectsOf(file);
  const fonts = new Map<string, Font>();
  for (const { head } of objects.values())
    for (const [, name = "", id = ""] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = objects.get(Number(/\/ToUnicode (\d+) 0 R/.exec(objects.get(Number(id))?.head ?? "")?.[1]));
      if (map !== undefined) fonts.set(name, fontOf(map.stream));
    }
  return [...objects.values()]
    .filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head))
    .map(({ head }) => textOf(objects.get(Number(/\/Contents (\d+) 0 R/.exec(head)?.[1]))?.stream ?? "", fonts));
}

interface PdfObject {
  readonly head: string;
  readonly stream: string;
}

function objectsOf(file: Buffer): ReadonlyMap<number, PdfObject> {
  const text = file.toString("latin1");
  const objects = new Map<number, PdfObject>();
  for (const match of text.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) {
    const start = match.index + match[0].length;
    const end = text.indexOf("endobj", start);
    const at = text.indexOf("stream\n", start);
    const hasStream = at !== -1 && at < end;
    const head = text.slice(start, hasStream ? at : end);
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
    const bytes = hasStream ? file.subarray(at + 7, at + 7 + length) : Buffer.alloc(0);
    objects.set(Number(match[1]), { head, stream: (head.includes("/FlateDecode") ? inflateSync(bytes) : bytes).toString("latin1") });
  }
  return objects;
}

function fontOf(map: string): Font {
  const characters = new Map<number, string>();
  for (const [, block = ""] of map.matchAll(/beginbfchar\n([\s\S]*?)endbfchar/g))
    for (const [, code = "", to = ""] of block.matchAll(/<(\w+)> <(\w+)>/g)) characters.set(Number.parseInt(code, 16), unicode(to));
  for (const [, block = ""] of map.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g))
    for (const [, from = "", to = "", first = ""] of block.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g))
      for (let code = Number.parseInt(from, 16); code <= Number.parseInt(to, 16); code += 1)
        characters.set(code, String.fromCodePoint(Number.parseInt(first, 16) + code - Number.parseInt(from, 16)));
  return { width: (/begincodespacerange\n<(\w+)>/.exec(map)?.[1]?.length ?? 4) / 2, characters };
}

function unicode(hex: string): string {
  return Buffer.from(hex, "hex").swap16().toString("utf16le");
}

function textOf(content: string, fonts: ReadonlyMap<string, Font>): string {
  let font: Font | undefined;
  let text = "";
  for (const [, name, hex] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>/g)) {
    if (name !== undefined) font = fonts.get(name);
    else if (font !== undefined && hex !== undefined)
      for (let at = 0; at < hex.length; at += font.width * 2)
        text += font.characters.get(Number.parseInt(hex.slice(at, at + font.width * 2), 16)) ?? "";
  }
  return text.replace(/\s/g, "");
}
