// Whether the pointer rests on an element, or the focus is in it: of all that ask, the last one. What opens from it keeps it near.
import { type RefObject, useEffect, useState } from "react";
import { endTurn, takeTurn } from "./one-at-a-time.ts";

/** The pointer may pass over without anything appearing, and may leave for a moment. */
const COME_MS = 120;
const GO_MS = 250;
/** The button of a menu or card that is open. */
const OPEN = "[aria-haspopup][aria-expanded=true]";

/** Of a mouse and the keyboard; fingers do not hover. */
export function useNear(area: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = area.current;
    if (element === null) return undefined;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isComing = false;
    const later = (delayMs: number, act: () => void): void => {
      clearTimeout(timer);
      isComing = false;
      timer = setTimeout(act, delayMs);
    };
    let isOver = false;
    let hasCome = false;
    const go = (): void => {
      clearTimeout(timer);
      hasCome = false;
      setNear(false);
    };
    const own = {
      end: (): boolean => {
        if (element.querySelector(`[data-quick-reactions]:focus-within, ${OPEN}`) !== null) return false;
        go();
        return true;
      },
    };
    const come = (): void => {
      if (!takeTurn(own)) return;
      hasCome = true;
      setNear(true);
    };
    // A row that moves under a resting pointer, or loses what was under it, may hear of no leaving.
    const isHeld = (): boolean =>
      element.matches(":hover") || element.contains(document.activeElement) || element.querySelector(OPEN) !== null;
    const leave = (): void => {
      // What passes under the pointer is asked nothing.
      if (!hasCome) {
        if (!isOver) clearTimeout(timer);
        return;
      }
      later(GO_MS, () => {
        if (isHeld()) return leave();
        go();
        endTurn(own);
      });
    };
    const on = <K extends keyof HTMLElementEventMap>(type: K, listener: (event: HTMLElementEventMap[K]) => void): void =>
      element.addEventListener(type, listener, { signal: ending.signal });
    const rest = (): void => {
      later(COME_MS, () => {
        isComing = false;
        if (element.matches(":hover")) come();
      });
      isComing = true;
    };
    on("pointerenter", ({ pointerType }) => {
      if (pointerType !== "mouse") return;
      isOver = true;
      rest();
    });
    // While rows move by, the pointer rests on none of them, however slowly they do.
    const moved = (): void => {
      if (isOver && isComing) rest();
    };
    element.closest("[data-chat-log]")?.addEventListener("scroll", moved, { passive: true, signal: ending.signal });
    on("pointerleave", () => {
      isOver = false;
      leave();
    });
    on("focusin", () => later(0, come));
    on("focusout", leave);
    return (): void => {
      ending.abort();
      clearTimeout(timer);
      endTurn(own);
    };
  }, [area]);
  return isNear;
}
