// A chat as a file that is read without Parley: a page that stands alone, or JSON. Pure. Whatever people wrote or are called is text in
// it, never markup, and the page loads and runs nothing.
import { formatBytes } from "#renderer/lib/format/bytes.ts";
import { formatDateTime } from "#renderer/lib/format/time.ts";
import { IMAGE_TYPES } from "#shared/media/image-type.ts";

/** Sound that the page plays; any other file is offered for saving. */
const SOUND_TYPES: ReadonlySet<string> = new Set(["audio/webm", "audio/ogg", "audio/mp4"]);
const PICTURE_TYPES: ReadonlySet<string> = new Set(IMAGE_TYPES);
const POLICY = "default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'";
const STYLE =
  ":root{color-scheme:light dark;font:15px/1.45 system-ui,sans-serif}body{max-width:46rem;margin:2rem auto;padding:0 1rem}" +
  "article{margin:.75rem 0;padding:.5rem .75rem;border-radius:.75rem;background:color-mix(in srgb,CanvasText 7%,Canvas);overflow-wrap:anywhere}" +
  "article.own{background:color-mix(in srgb,#0a7ea4 22%,Canvas)}header{font-weight:600}header time{font-weight:400;opacity:.7}" +
  "p{white-space:pre-wrap;margin:.25rem 0}blockquote{margin:.25rem 0;padding-left:.6rem;border-left:3px solid;opacity:.75}img{max-width:100%}";

/** A file of a message. */
export interface ExportedFile {
  readonly name: string;
  readonly mediaType: string;
  /** Bytes. */
  readonly size: number;
  /** In base64; absent where files are left out, or it is not here. */
  readonly data?: string;
}

export interface ExportedMessage {
  readonly id: string;
  readonly author: string;
  /** Address of the author; absent for a sender without a proven identity. */
  readonly address?: string;
  readonly isOwn: boolean;
  /** RFC 3339. */
  readonly at: string;
  readonly kind: string;
  readonly text: string;
  readonly isEdited: boolean;
  /** Beginning of the message that it answers. */
  readonly quote?: string;
  readonly reactions: readonly { readonly emoji: string; readonly count: number }[];
  readonly file?: ExportedFile;
  /** What its author said about the page of its first link. */
  readonly preview?: { readonly link: string; readonly title: string; readonly description: string };
}

export interface ChatDocument {
  readonly title: string;
  /** RFC 3339. */
  readonly exportedAt: string;
  /** Of the page, its times and sizes, BCP 47. */
  readonly language: string;
  readonly messages: readonly ExportedMessage[];
}

/** The page, in parts: one string of all files may be larger than a string can be. */
export function chatAsHtml({ title, exportedAt, language, messages }: ChatDocument): readonly string[] {
  const name = escaped(title);
  return [
    `<!doctype html>\n<html lang="${escaped(language)}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="viewport" content="width=device-width">`,
    `<title>${name}</title><style>${STYLE}</style></head><body><h1 dir="auto">${name}</h1><p>Parley · ${momentAsHtml(exportedAt, language)}</p>\n`,
    ...messages.flatMap((message) => messageAsHtml(message, language)),
    "</body></html>\n",
  ];
}

/** The same as JSON, in parts. */
export function chatAsJson({ messages, ...chat }: ChatDocument): readonly string[] {
  const head = JSON.stringify({ ...chat, count: messages.length }).slice(0, -1);
  return [`${head},"messages":[`, ...messages.map((message, index) => `${index === 0 ? "\n" : ",\n"}${JSON.stringify(message)}`), "\n]}\n"];
}

function messageAsHtml(message: ExportedMessage, language: string): readonly string[] {
  const { author, at, isOwn, address = "", quote, text, reactions, file, preview } = message;
  return [
    `<article${isOwn ? ' class="own"' : ""}><header><bdi title="${escaped(address)}">${escaped(author)}</bdi> `,
    `${momentAsHtml(at, language)}</header>`,
    ...(quote === undefined ? [] : [`<blockquote dir="auto">${escaped(quote)}</blockquote>`]),
    ...(text === "" ? [] : [`<p dir="auto">${escaped(text)}</p>`]),
    ...(preview === undefined
      ? []
      : [`<blockquote dir="auto"><b>${escaped(preview.title)}</b> ${escaped(preview.description)}</blockquote>`]),
    ...(file === undefined ? [] : fileAsHtml(file, language)),
    ...(reactions.length === 0 ? [] : [`<p>${reactions.map(({ emoji, count }) => escaped(`${emoji} ${count}`)).join(" ")}</p>`]),
    "</article>\n",
  ];
}

/** A moment in words of the language, with the exact one beside it. */
function momentAsHtml(at: string, language: string): string {
  const timeMs = Date.parse(at);
  const words = Number.isNaN(timeMs) ? at : formatDateTime(language, timeMs);
  return `<time datetime="${escaped(at)}">${escaped(words)}</time>`;
}

function fileAsHtml({ name, mediaType, size, data }: ExportedFile, language: string): readonly string[] {
  const label = `<bdi>${escaped(name)}</bdi> (${escaped(formatBytes(language, size))})`;
  if (data === undefined) return [`<p>${label}</p>`];
  if (PICTURE_TYPES.has(mediaType)) return [`<p><img alt="${escaped(name)}" src="data:${mediaType};base64,`, data, '"></p>'];
  if (SOUND_TYPES.has(mediaType)) return [`<p><audio controls src="data:${mediaType};base64,`, data, '"></audio></p>'];
  return [`<p><a download="${escaped(name)}" href="data:application/octet-stream;base64,`, data, `">${label}</a></p>`];
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}
