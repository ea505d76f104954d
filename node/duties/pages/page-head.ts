// What a page says of itself: title, description and the address of its picture. Pages are hostile: this looks for a few tags at their
// beginning, builds no tree, follows nothing and runs nothing, and its time grows with the length of the page alone.
import { MAX_PAGE_DESCRIPTION_CHARS, MAX_PAGE_TITLE_CHARS } from "#shared/api/schemas/web.ts";

export interface PageHead {
  /** At most {@link MAX_PAGE_TITLE_CHARS} characters in one line; may be "". */
  readonly title: string;
  /** At most {@link MAX_PAGE_DESCRIPTION_CHARS} characters in one line; may be "". */
  readonly description: string;
  /** As the page writes it, perhaps relative; undefined where it names none. */
  readonly picture: string | undefined;
}

/** Tags that are looked at; the heads of pages have hundreds. */
const MAX_TAGS = 4_000;
/** A longer tag ends the search: it is no tag of a head. */
const MAX_TAG_CHARS = 8_192;
/** Of a title and of a value before they are shortened. */
const MAX_VALUE_CHARS = 4_096;
/** Where a page names its encoding, and the header of its response does. */
const MAX_CHARSET_BYTES = 1_024;
const MAX_CONTENT_TYPE_CHARS = 256;

const NAME = /<\/?([a-z][a-z0-9-]*)/iy;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
/** Their content is no markup. */
const RAW = ["title", "script", "style", "noscript", "template", "textarea", "svg"];
const TITLES = ["og:title", "twitter:title"];
const DESCRIPTIONS = ["og:description", "twitter:description", "description"];
const PICTURES = ["og:image:secure_url", "og:image", "og:image:url", "twitter:image"];

/** The characters of a page: by its byte order mark, the header of the response, or what it says of itself. */
export function textOfPage(bytes: Uint8Array, contentType: string): string {
  const named = /charset\s*=\s*"?\s*([\w.:-]{1,40})/i.exec(contentType.slice(0, MAX_CONTENT_TYPE_CHARS))?.[1] ?? charsetInside(bytes);
  return decoderOf(markedCharset(bytes) ?? named).decode(bytes);
}

/** What the beginning of a page says. */
export function readHead(html: string): PageHead {
  const said = saidIn(html);
  const first = (names: readonly string[]): string => names.map((name) => oneLine(said.get(name) ?? "")).find((text) => text !== "") ?? "";
  const picture = first(PICTURES);
  return {
    title: shortened(first([...TITLES, "title"]), MAX_PAGE_TITLE_CHARS),
    description: shortened(first(DESCRIPTIONS), MAX_PAGE_DESCRIPTION_CHARS),
    picture: picture === "" ? undefined : picture,
  };
}

/** Values of the head by their names, as they are written. */
function saidIn(html: string): ReadonlyMap<string, string> {
  const said = new Map<string, string>();
  let at = 0;
  for (let tags = 0; tags < MAX_TAGS; tags += 1) {
    const tag = nextTag(html, at);
    if (tag === undefined || tag.name === "body" || tag.name === "/head") break;
    at = tag.end;
    if (tag.name === "meta") noteMeta(said, tag.text);
    if (!RAW.includes(tag.name)) continue;
    const end = endOf(html, tag.name, at);
    if (end === undefined) break;
    if (tag.name === "title" && !said.has("title")) said.set("title", html.slice(at, Math.min(end, at + MAX_VALUE_CHARS)));
    at = end;
  }
  return said;
}

interface Tag {
  /** In small letters, with "/" for one that closes. */
  readonly name: string;
  readonly text: string;
  /** Behind it. */
  readonly end: number;
}

/** The next tag; undefined at the end, and where a comment or tag has none. */
function nextTag(html: string, from: number): Tag | undefined {
  let at = html.indexOf("<", from);
  while (at >= 0) {
    if (html.startsWith("<!--", at)) {
      const end = html.indexOf("-->", at + 4);
      if (end < 0) return undefined;
      at = html.indexOf("<", end);
      continue;
    }
    NAME.lastIndex = at;
    const name = NAME.exec(html);
    if (name !== null) {
      const end = tagEnd(html, NAME.lastIndex, at + MAX_TAG_CHARS);
      if (end === undefined) return undefined;
      const sign = html[at + 1] === "/" ? "/" : "";
      return { name: `${sign}${(name[1] ?? "").toLowerCase()}`, text: html.slice(NAME.lastIndex, end - 1), end };
    }
    at = html.indexOf("<", at + 1);
  }
  return undefined;
}

/** Behind the ">" that is in no value. */
function tagEnd(html: string, from: number, limit: number): number | undefined {
  let quote = "";
  for (let at = from; at < Math.min(limit, html.length); at += 1) {
    const letter = html.charAt(at);
    if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === ">") return at + 1;
    else if (letter === '"' || letter === "'") quote = letter;
  }
  return undefined;
}

/** Where the closing tag begins. */
function endOf(html: string, name: string, from: number): number | undefined {
  const closing = new RegExp(`</${name}`, "gi");
  closing.lastIndex = from;
  return closing.exec(html)?.index;
}

/** The first of each name counts. */
function noteMeta(said: Map<string, string>, text: string): void {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const known = name.toLowerCase();
    if (!attributes.has(known)) attributes.set(known, (double ?? single ?? bare ?? "").slice(0, MAX_VALUE_CHARS));
  }
  const name = (attributes.get("property") ?? attributes.get("name") ?? "").trim().toLowerCase();
  const isKnown = [TITLES, DESCRIPTIONS, PICTURES].some((names) => names.includes(name));
  if (isKnown && !said.has(name)) said.set(name, attributes.get("content") ?? "");
}

/** The usual ones; others stay as they are written. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", shy: "", hellip: "…", ndash: "–", mdash: "—", middot: "·", bull: "•" },
  ...{ lsquo: "‘", rsquo: "’", sbquo: "‚", ldquo: "“", rdquo: "”", bdquo: "„", laquo: "«", raquo: "»", copy: "©", reg: "®", trade: "™" },
  ...{ auml: "ä", ouml: "ö", uuml: "ü", Auml: "Ä", Ouml: "Ö", Uuml: "Ü", szlig: "ß", eacute: "é", egrave: "è", agrave: "à", euro: "€" },
};
const MAX_CODE_POINT = 0x10ffff;

/** Each reference once: what it stands for is read as text. */
function oneLine(text: string): string {
  const read = text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));?/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] as string) : whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code === 0 || code > MAX_CODE_POINT ? "\ufffd" : String.fromCodePoint(code).toWellFormed();
    },
  );
  return read.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

function shortened(text: string, maxChars: number): string {
  const characters = [...text.toWellFormed()];
  return characters.length <= maxChars ? characters.join("") : `${characters.slice(0, maxChars - 1).join("")}…`;
}

function charsetInside(bytes: Uint8Array): string {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, MAX_CHARSET_BYTES));
  const named = /<meta[^>]{0,256}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start)?.[1] ?? "utf-8";
  // What could be read so far is no text of two bytes a letter, whatever it says.
  return named.toLowerCase().startsWith("utf-16") ? "utf-8" : named;
}

function markedCharset(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : undefined;
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
