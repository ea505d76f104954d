// Marks words that were searched for where they are shown, without touching the document: as highlights of the browser. What it does not
// know them shows no marks. Screen readers read the text as it is.
import "./found.css";
import { foundRanges, foundTerms } from "./found-ranges.ts";

/** Name of the highlight in the style sheet. */
const NAME = "parley-found";
/** Parts that are marked at once in one place. */
const MAX_FOUND_MARKS = 500;
/** Of what is inside, nothing is marked. */
const NEVER = "time, button > svg, [aria-hidden='true']";

/** Marks what is and what comes below the root, in elements that a selector names, until it is called. */
export function markFound(root: HTMLElement, selector: string, query: string): () => void {
  const terms = foundTerms(query);
  if (terms.length === 0 || typeof Highlight === "undefined") return () => undefined;
  const highlight = sharedHighlight();
  let own: readonly Range[] = [];
  let frame = 0;
  const clear = (): void => {
    for (const range of own) highlight.delete(range);
  };
  const mark = (): void => {
    frame = 0;
    clear();
    own = rangesBelow(root, selector, terms);
    for (const range of own) highlight.add(range);
  };
  // Rows come and go while one scrolls: once for each picture is enough.
  const observer = new MutationObserver(() => {
    if (frame === 0) frame = requestAnimationFrame(mark);
  });
  observer.observe(root, { childList: true, characterData: true, subtree: true });
  mark();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
    clear();
  };
}

/** One of the page: the list and the chat mark in it. */
function sharedHighlight(): Highlight {
  const known = CSS.highlights.get(NAME);
  if (known !== undefined) return known;
  const fresh = new Highlight();
  CSS.highlights.set(NAME, fresh);
  return fresh;
}

function rangesBelow(root: HTMLElement, selector: string, terms: readonly string[]): readonly Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MAX_FOUND_MARKS; node = walker.nextNode()) {
    const holder = node.parentElement;
    if (holder?.closest(selector) == null || holder.closest(NEVER) !== null) continue;
    for (const { start, end } of foundRanges(node.textContent ?? "", terms, MAX_FOUND_MARKS - ranges.length)) {
      const range = new Range();
      range.setStart(node, start);
      range.setEnd(node, end);
      ranges.push(range);
    }
  }
  return ranges;
}
