// What a written message says by its marks: bold, italic, struck, code, quotations, links. The text itself is what was typed, and travels
// as it is: marks are read where it is shown. Pure; time grows with the length of the text whatever is in it.
import { safeLink } from "#renderer/lib/browser/safe-link.ts";
import { dataOfInvite } from "#renderer/lib/people/group-invite.ts";
import { parseRecipient } from "#renderer/lib/people/parse-recipient.ts";
import { isPaymentLink } from "#renderer/lib/transactions/payment-link.ts";
import { VERBATIM, WORD, withoutSentenceEnd } from "#shared/content/chat/link-preview.ts";
import type { Mention } from "#shared/content/chat/mention-content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Marks that hold other marks. */
export type Mark = "bold" | "italic" | "struck";

export type Span =
  | { readonly kind: "text" | "code"; readonly text: string }
  | { readonly kind: Mark; readonly spans: readonly Span[] }
  /** `text` as it was typed, `url` an address that may be opened. */
  | { readonly kind: "link"; readonly text: string; readonly url: string }
  /** A `parley:pay?…` link, valid or not. */
  | { readonly kind: "payment"; readonly text: string }
  /** The invite link of a group, valid or not: what is behind its `#`. */
  | { readonly kind: "invite"; readonly text: string; readonly data: string }
  /** An address of the chain, or the link of a contact; `text` as it was typed. */
  | { readonly kind: "address"; readonly text: string; readonly person: PublicKeyHex }
  /** Someone of the group. */
  | { readonly kind: "mention"; readonly person: PublicKeyHex };

/** Lines of a kind. Lines of a paragraph or quotation are parted by "\n" in a span of text. */
export type Block =
  | { readonly kind: "paragraph" | "quotation"; readonly spans: readonly Span[] }
  | { readonly kind: "code"; readonly text: string };

/** More of them than any person marks: what is beyond is shown as it was typed. */
export const MAX_MARKS = 500;
/** Addresses, payment and invite links of one text that are shown as chips and cards: most ask the node for a name. */
export const MAX_CHIPS = 20;

const MARKS: Readonly<Record<string, Mark>> = { "*": "bold", _: "italic", "~": "struck" };
const MOST_SIGNS = 2;
const FENCE = "```";
const QUOTATION = /^> ?/;
const SPACE = /\s/;

/** Blocks of a text, in their order; with the people whom it names outside of code and links. */
export function markedBlocks(text: string, mentions: readonly Mention[] = []): readonly Block[] {
  const budget: Budget = { left: MAX_MARKS, chips: MAX_CHIPS };
  const blocks: Block[] = [];
  const lines = text.split("\n");
  const starts = startsOf(lines);
  for (let at = 0; at < lines.length; ) {
    const isRest = budget.left === 0;
    const end = isRest ? undefined : fenceEnd(lines, at);
    if (end !== undefined) {
      blocks.push({ kind: "code", text: lines.slice(at + 1, end).join("\n") });
      budget.left -= 1;
      at = end + 1;
      continue;
    }
    const kind = isRest ? "paragraph" : kindOf(lines[at] ?? "");
    if (kind === "quotation") budget.left -= 1;
    const next = isRest ? lines.length : endOf(kind, lines, at);
    const spansOf = (line: string, index: number): readonly Span[] => {
      const own = kind === "quotation" ? line.replace(QUOTATION, "") : line;
      const named = mentionsIn(mentions, { start: (starts[at + index] ?? 0) + line.length - own.length, length: own.length });
      return [...textSpan(index > 0 ? "\n" : ""), ...new Line(own, named, budget).spans()];
    };
    blocks.push({ kind, spans: joined(lines.slice(at, next).flatMap(spansOf)) });
    at = next;
  }
  return blocks;
}

/** Where lines begin in the text. */
function startsOf(lines: readonly string[]): readonly number[] {
  let start = 0;
  return lines.map((line) => {
    const own = start;
    start += line.length + 1;
    return own;
  });
}

/** Mentions of a part of the text, by places in it. */
function mentionsIn(
  mentions: readonly Mention[],
  { start, length }: { readonly start: number; readonly length: number },
): readonly Verbatim[] {
  return mentions
    .map((mention) => ({ ...mention, at: mention.start - start }))
    .filter((mention) => mention.at >= 0 && mention.at + mention.length <= length)
    .map(({ at, length: units, person }) => ({ start: at, end: at + units, span: { kind: "mention", person } }));
}

/** The line behind those of a kind. */
function endOf(kind: Block["kind"], lines: readonly string[], from: number): number {
  let at = from + 1;
  while (at < lines.length && kindOf(lines[at] ?? "") === kind && fenceEnd(lines, at) === undefined) at += 1;
  return at;
}

/** Texts beside each other as one: a message of empty lines is no thousand pieces. */
function joined(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = [];
  let text = "";
  for (const span of spans) {
    if (span.kind === "text") {
      text += span.text;
      continue;
    }
    all.push(...textSpan(text), span);
    text = "";
  }
  return [...all, ...textSpan(text)];
}

function kindOf(line: string): "paragraph" | "quotation" {
  return QUOTATION.test(line) ? "quotation" : "paragraph";
}

/** The line that closes the block of code that one opens; undefined where none is opened. */
function fenceEnd(lines: readonly string[], at: number): number | undefined {
  if (lines[at]?.startsWith(FENCE) !== true) return undefined;
  if (lines.lastIndexOf(FENCE) <= at + 1) return undefined;
  return lines.indexOf(FENCE, at + 2);
}

function textSpan(text: string): readonly Span[] {
  return text === "" ? [] : [{ kind: "text", text }];
}

/** What can still be shown otherwise than it was typed. */
interface Budget {
  left: number;
  chips: number;
}

interface Verbatim {
  readonly start: number;
  readonly end: number;
  readonly span: Span;
}

/** Signs of one kind beside each other. */
interface Signs {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly opens: boolean;
  readonly closes: boolean;
}

/** One line. */
class Line {
  readonly #text: string;
  readonly #budget: Budget;
  readonly #verbatim: readonly Verbatim[];
  readonly #signs: readonly Signs[];
  #next = 0;
  /** Places in `#signs` of those that close, by their text. */
  readonly #closing = new Map<string, number[]>();

  constructor(text: string, mentions: readonly Verbatim[], budget: Budget) {
    this.#text = text;
    this.#budget = budget;
    this.#verbatim = withMentions(verbatimOf(text), mentions);
    this.#signs = signsOf(text, this.#verbatim);
    for (const [place, { text: sign, closes }] of this.#signs.entries()) {
      if (!closes) continue;
      const places = this.#closing.get(sign);
      if (places === undefined) this.#closing.set(sign, [place]);
      else places.push(place);
    }
  }

  spans(): readonly Span[] {
    return this.#between({ from: 0, to: this.#text.length, firstSign: 0, lastSign: this.#signs.length }, []);
  }

  #between({ from, to, firstSign, lastSign }: Range, inside: readonly Mark[]): readonly Span[] {
    const spans: Span[] = [];
    let at = from;
    for (let place = firstSign; place < lastSign; place += 1) {
      const open = this.#signs[place] as Signs;
      const mark = MARKS[open.text.charAt(0)] as Mark;
      const closing = inside.includes(mark) ? undefined : this.#closingOf(open, place, lastSign);
      if (closing === undefined || this.#budget.left === 0) continue;
      this.#budget.left -= 1;
      const close = this.#signs[closing] as Signs;
      spans.push(...this.#plain(at, open.start));
      const held = { from: open.end, to: close.start, firstSign: place + 1, lastSign: closing };
      spans.push({ kind: mark, spans: this.#between(held, [...inside, mark]) });
      at = close.end;
      place = closing;
    }
    return [...spans, ...this.#plain(at, to)];
  }

  /** The place of the first signs that close what others open. */
  #closingOf(open: Signs, place: number, lastSign: number): number | undefined {
    if (!open.opens) return undefined;
    const places = this.#closing.get(open.text) ?? [];
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] as number) > place) high = middle;
      else low = middle + 1;
    }
    const found = places[low];
    return found === undefined || found >= lastSign || (this.#signs[found] as Signs).start === open.end ? undefined : found;
  }

  /** Text without marks, with what is taken as it is. The line is gone through from left to right, once. */
  #plain(from: number, to: number): readonly Span[] {
    const spans: Span[] = [];
    let at = from;
    for (; this.#next < this.#verbatim.length; this.#next += 1) {
      const { start, end, span } = this.#verbatim[this.#next] as Verbatim;
      if (end > to || this.#budget.left === 0) break;
      const isChip = span.kind === "address" || span.kind === "payment" || span.kind === "invite";
      if (isChip && this.#budget.chips === 0) continue;
      if (isChip) this.#budget.chips -= 1;
      this.#budget.left -= 1;
      spans.push(...textSpan(this.#text.slice(at, start)), span);
      at = end;
    }
    return [...spans, ...textSpan(this.#text.slice(at, to))];
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly firstSign: number;
  readonly lastSign: number;
}

function verbatimOf(text: string): readonly Verbatim[] {
  const verbatim: Verbatim[] = [];
  for (const { index: start, 0: found } of text.matchAll(VERBATIM)) {
    const isCode = found.startsWith("`");
    if (!isCode && WORD.test(text.charAt(start - 1))) continue;
    // An underscore at its end may be part of what an invite link holds.
    const shown = isCode || dataOfInvite(found) !== undefined ? found : withoutSentenceEnd(found);
    const span = isCode ? ({ kind: "code", text: found.slice(1, -1) } as const) : openedBy(shown);
    if (span !== undefined) verbatim.push({ start, end: start + shown.length, span });
  }
  return verbatim;
}

/** Both, in their order; a mention inside of what is taken as it is stays as it was typed. */
function withMentions(verbatim: readonly Verbatim[], mentions: readonly Verbatim[]): readonly Verbatim[] {
  if (mentions.length === 0) return verbatim;
  const apart = mentions.filter(({ start, end }) => verbatim.every((other) => end <= other.start || start >= other.end));
  return [...verbatim, ...apart].sort((a, b) => a.start - b.start);
}

/** What an address opens; undefined for one that opens nothing. */
function openedBy(text: string): Span | undefined {
  if (isPaymentLink(text)) return { kind: "payment", text };
  const data = dataOfInvite(text);
  if (data !== undefined) return { kind: "invite", text, data };
  if (!/^https:/i.test(text)) return addressSpan(text);
  const link = safeLink(text);
  return link === undefined ? undefined : { kind: "link", text, url: link.href };
}

/** Checked as where one types it: what is mistyped, or no key that anyone can hold, stays text. */
function addressSpan(text: string): Span | undefined {
  const meant = parseRecipient(text);
  return meant.kind === "account" ? { kind: "address", text, person: meant.request.to } : undefined;
}

/** Signs outside of what is taken as it is, in their order. */
function signsOf(text: string, verbatim: readonly Verbatim[]): readonly Signs[] {
  const signs: Signs[] = [];
  let next = 0;
  for (const { index: start, 0: found } of text.matchAll(/\*+|_+|~+/g)) {
    const end = start + found.length;
    while (next < verbatim.length && (verbatim[next] as Verbatim).end <= start) next += 1;
    if (found.length > MOST_SIGNS || start >= (verbatim[next]?.start ?? text.length)) continue;
    const [before, after] = [characterBefore(text, start), characterAt(text, end)];
    const opens = after !== "" && !SPACE.test(after) && !WORD.test(before);
    const closes = before !== "" && !SPACE.test(before) && !WORD.test(after);
    if (opens || closes) signs.push({ start, end, text: found, opens, closes });
  }
  return signs;
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

const LOW_SURROGATE = /[\uDC00-\uDFFF]/;

function characterBefore(text: string, at: number): string {
  const isPair = at > 1 && LOW_SURROGATE.test(text.charAt(at - 1));
  return at === 0 ? "" : characterAt(text, isPair ? at - 2 : at - 1);
}
