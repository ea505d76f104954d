// A part that loads holds back what follows it. What it is in gets an attribute for as long: a style sheet that looked for the part itself
// (`:has()`) would have to look again, and style all again, wherever an element comes or goes.
import { type RefObject, useLayoutEffect } from "react";

/** Of what a style sheet asks whether a part in it loads. */
const HELD = "[data-in-order], [data-in-order] > *, [data-at-once]";
const HOLDING = "data-holding";

/** Parts that load in an element. */
const counts = new WeakMap<Element, number>();

/** Holds back while the component is shown, and something loads. */
export function useHoldingBack(part: RefObject<HTMLElement | null>, isLoading = true): void {
  useLayoutEffect(() => {
    const element = part.current;
    if (!isLoading || element === null) return undefined;
    const around = aroundOf(element);
    for (const each of around) count(each, 1);
    return (): void => {
      for (const each of around) count(each, -1);
    };
  }, [part, isLoading]);
}

/** The element and all that it is in, as far as they may have to wait. */
function aroundOf(element: Element): readonly Element[] {
  const found: Element[] = [];
  for (let each = element.closest(HELD); each !== null; each = each.parentElement?.closest(HELD) ?? null) found.push(each);
  return found;
}

function count(element: Element, change: number): void {
  const now = (counts.get(element) ?? 0) + change;
  counts.set(element, now);
  element.toggleAttribute(HOLDING, now > 0);
}
