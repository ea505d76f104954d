// Cards of payment links have lines of their own: what parted them from the words beside them is not shown.
import { parsePaymentLink } from "#renderer/lib/transactions/payment-link.ts";
import type { Span } from "./marked-spans.ts";

const BEFORE = /[^\S\n]*\n?[^\S\n]*$/;
const AFTER = /^[^\S\n]*\n?[^\S\n]*/;

/** Spans without the space, and the end of a line, before and behind a card. */
export function aroundCards(spans: readonly Span[]): readonly Span[] {
  return spans.map((span, index) => {
    if (span.kind !== "text") return span;
    const after = isCard(spans[index - 1]) ? span.text.replace(AFTER, "") : span.text;
    return { ...span, text: isCard(spans[index + 1]) ? after.replace(BEFORE, "") : after };
  });
}

/** A link that asks for nothing valid stays among the words. */
function isCard(span: Span | undefined): boolean {
  return span?.kind === "payment" && parsePaymentLink(span.text) !== undefined;
}
