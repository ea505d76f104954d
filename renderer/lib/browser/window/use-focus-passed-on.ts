// A row that goes with the focus inside passes it on: to the row behind it, before it, or else to the view.
import { type RefObject, useLayoutEffect } from "react";

/** Of an element whose neighbours are rows of the same kind. */
export function useFocusPassedOn(row: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = row.current;
    return (): void => {
      if (element === null || !element.contains(document.activeElement)) return;
      // A long list lets go of rows that were scrolled far away: to follow with the focus would scroll back.
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom < 0 || top > window.innerHeight) return;
      // A long list has each row in an item of its own.
      const place = element.closest("li") ?? element;
      const neighbours = [place.nextElementSibling, place.previousElementSibling];
      const view = element.closest("main");
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        // The first stop of the row: where that is a link, a key that is pressed twice answers nothing.
        const stop = neighbours.map((neighbour) => neighbour?.querySelector<HTMLElement>("a, button")).find((found) => found?.isConnected);
        (stop ?? view)?.focus();
      });
    };
  }, [row]);
}
