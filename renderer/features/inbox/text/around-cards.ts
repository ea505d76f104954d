// Cards of payment and invite links have lines of their own: what parted them from the words beside them is not shown.
import { parsePaymentLink } from "#renderer/lib/transactions/payment-link.ts";
import type { Span } from "./marked-spans.ts";

const SPACE = /[^\S\n]/;

/** Spans without the space, and the end of a line, before and behind a card. */
export function aroundCards(spans: readonly Span[]): readonly Span[] {
  return spans.map((span, index) => {
    if (span.kind !== "text") return span;
    const { text } = span;
    const start = isCard(spans[index - 1]) ? parted(text, { from: 0, step: 1 }) : 0;
    const end = isCard(spans[index + 1]) ? parted(text, { from: text.length - 1, step: -1 }) + 1 : text.length;
    return { ...span, text: text.slice(start, Math.max(start, end)) };
  });
}

/**
 * First character, in a direction, that is neither space nor the one end of a line among it. Each character is looked at once: a text of
 * nothing but space has to cost its length, which an expression that seeks the end of the text does not.
 */
function parted(text: string, { from, step }: { readonly from: number; readonly step: 1 | -1 }): number {
  let hasLineEnd = false;
  let at = from;
  for (; ; at += step) {
    const char = text.charAt(at);
    if (char === "\n" && !hasLineEnd) hasLineEnd = true;
    else if (char === "" || !SPACE.test(char)) return at;
  }
}

/** A link that asks for nothing valid stays among the words. */
function isCard(span: Span | undefined): boolean {
  return span?.kind === "invite" || (span?.kind === "payment" && parsePaymentLink(span.text) !== undefined);
}
