// Marks words that were searched for below an element, as long as the component is shown.
import { type RefObject, useEffect } from "react";
import { untilLoaded } from "#renderer/lib/browser/window/until-loaded.ts";

/** In elements that the selector names; an empty text marks nothing. */
export function useFoundWords(root: RefObject<HTMLElement | null>, selector: string, words: string): void {
  useEffect(() => {
    if (words.trim() === "") return undefined;
    let hasEnded = false;
    let end: (() => void) | undefined;
    void untilLoaded(() => import("./mark-found.ts")).then(({ markFound }) => {
      if (!hasEnded && root.current !== null) end = markFound(root.current, selector, words);
    });
    return (): void => {
      hasEnded = true;
      end?.();
    };
  }, [root, selector, words]);
}
