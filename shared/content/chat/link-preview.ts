// What the sender of a link says about its page, so that no reader's device asks the network. Nothing of it is proven: it is shown below
// the text with the domain of the link itself. Programs that do not know it show the text. Pure.
import { type MentioningText, mentioningText } from "./mention-content.ts";

/** Longest link that has a preview, UTF-8 bytes. */
export const MAX_LINK_BYTES = 2_048;
/** Longest title, characters. */
export const MAX_PREVIEW_TITLE_CHARS = 200;
/** Longest description, characters. */
export const MAX_PREVIEW_DESCRIPTION_CHARS = 300;

/** What is said about the first link of a text. */
export interface LinkPreview {
  /** The link as it stands in the text. */
  readonly link: string;
  /** 1 to {@link MAX_PREVIEW_TITLE_CHARS} characters. */
  readonly title: string;
  /** May be "". */
  readonly description: string;
  /** A small picture in base64, at most MAX_PREVIEW_BYTES; "" without one. */
  readonly picture: string;
}

/** A text that people write, with what belongs to its words. */
export interface WrittenText extends MentioningText {
  readonly preview?: LinkPreview;
}

/** Code, web pages, links of payments, contacts and groups, and addresses, which are taken as they are. */
export const VERBATIM =
  /`[^`]+`|https:\/\/[^\s\p{C}<>"`]+|parley:(?:\/\/)?group\/?#[a-z0-9_-]+|parley:(?:\/\/)?(?:pay|contact)\/?\?[^\s\p{C}<>"`]+|pl1[02-9ac-hj-np-z]{58}(?![\p{L}\p{N}])/giu;
/** At the end of an address it belongs to the sentence. */
const SENTENCE_END = /[.,;:!?'*_~]$/;
const BRACKETS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
/** What may stand before an address in a text. */
export const WORD = /[\p{L}\p{N}]/u;
/** Ends of names that are of one network or machine, or of a network that hides who asks. */
const PRIVATE_ENDS = ["localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "onion", "i2p", "arpa", "alt"];
/** "example.com": letters somewhere in the last part, which no address of numbers has. */
const PUBLIC_NAME = /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/;

/** True for the name of a host, in ASCII, that is of the public network: no address of numbers, and none that hides or is at home. */
export function isPublicName(host: string): boolean {
  return PUBLIC_NAME.test(host) && !PRIVATE_ENDS.includes(host.slice(host.lastIndexOf(".") + 1));
}

/** The first link to a web page in a text, as it stands there; undefined without one. */
export function firstLink(text: string): string | undefined {
  for (const { index, 0: found } of text.matchAll(VERBATIM)) {
    if (!/^https:/i.test(found) || WORD.test(text.charAt(index - 1))) continue;
    return withoutSentenceEnd(found);
  }
  return undefined;
}

/** The preview where it is of the first link of the text; undefined otherwise. */
export function fittingPreview(text: string, preview: LinkPreview | undefined): LinkPreview | undefined {
  return preview !== undefined && firstLink(text) === preview.link ? preview : undefined;
}

/** The text with those of its mentions and the preview that fit it, as fields of a body. */
export function writtenText({ text, mentions, preview }: WrittenText): WrittenText {
  const fitting = fittingPreview(text, preview);
  return { ...mentioningText(text, mentions), ...(fitting && { preview: fitting }) };
}

/** Texts that sort previews, the same on every device. */
export function orderOfPreview(preview: LinkPreview | undefined): string {
  return preview === undefined ? "" : JSON.stringify([preview.link, preview.title, preview.description, preview.picture]);
}

/** "(see https://parley.example/a_(b))." ends before the bracket that the sentence opened. */
export function withoutSentenceEnd(address: string): string {
  let end = address.length;
  const open = { "(": 0, "[": 0, "{": 0 } as Record<string, number>;
  for (const letter of address) {
    const opening = BRACKETS[letter];
    if (opening !== undefined) open[opening] = (open[opening] ?? 0) - 1;
    else if (letter in open) open[letter] = (open[letter] ?? 0) + 1;
  }
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    const opening = BRACKETS[last];
    if (opening !== undefined && (open[opening] ?? 0) < 0) open[opening] = (open[opening] ?? 0) + 1;
    else if (!SENTENCE_END.test(last)) break;
  }
  return address.slice(0, end);
}
