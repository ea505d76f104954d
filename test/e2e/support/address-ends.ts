// The ends of addresses that stand beside names: what says who is meant must be there as a whole.
import type { Page } from "playwright-core";

/** What a page shows of them. */
export interface AddressEnds {
  readonly all: readonly string[];
  /** Those that something around them cuts off, with the class of that. */
  readonly cut: readonly string[];
}

/** Those in "(…ends)", and those in an element of their own; what follows a letter is the middle of an address. */
export function addressEnds(page: Page): Promise<AddressEnds> {
  return page.evaluate(() => {
    const END = /(?<![0-9a-z])…[02-9ac-hj-np-z]{5,12}(?=\)|$)|^[02-9ac-hj-np-z]{5}(?:[02-9ac-hj-np-z]{7})?$/;
    const around = (element: Element | null): readonly Element[] => (element === null ? [] : [element, ...around(element.parentElement)]);
    // What has a clip path is there for screen readers alone.
    const isShown = (element: Element): boolean =>
      element.checkVisibility() && around(element).every((outer) => getComputedStyle(outer).clipPath === "none");
    const cuts = (element: Element, { left, right }: DOMRect): boolean => {
      const box = element.getBoundingClientRect();
      return getComputedStyle(element).overflowX !== "visible" && (left < box.left - 1 || right > box.right + 1);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const [all, cut]: [string[], string[]] = [[], []];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const end = END.exec(text.textContent ?? "");
      if (end === null || text.parentElement === null || !isShown(text.parentElement)) continue;
      const range = document.createRange();
      range.setStart(text, end.index);
      range.setEnd(text, end.index + end[0].length);
      const place = range.getBoundingClientRect();
      all.push(end[0]);
      const cutting = around(text.parentElement).filter((element) => cuts(element, place));
      cut.push(...cutting.map(({ className }) => `${end[0]} by ${String(className)}`));
    }
    return { all, cut };
  });
}
