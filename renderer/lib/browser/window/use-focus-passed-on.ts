// A row that goes with the focus inside passes it on: to the row behind it, before it, or else to the view.
import { type RefObject, useLayoutEffect } from "react";

/** Of an element whose neighbours are rows of the same kind. */
export function useFocusPassedOn(row: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = row.current;
    return (): void => {
      if (element === null || !element.contains(document.activeElement)) return;
      const neighbours = [element.nextElementSibling, element.previousElementSibling];
      const view = element.closest("main");
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        const button = neighbours.map((neighbour) => neighbour?.querySelector("button")).find((found) => found?.isConnected);
        (button ?? view)?.focus();
      });
    };
  }, [row]);
}
