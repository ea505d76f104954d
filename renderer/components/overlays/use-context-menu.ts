// A menu at the pointer: by the other mouse button, a long press, or Shift and F10 on what has the focus.
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { focusAfter, type PopupTrigger } from "./use-popup-trigger.ts";

/** An open menu, for `ContextMenu`. */
export interface ContextPopup extends Omit<PopupTrigger, "element" | "isNeeded" | "close"> {
  /** What was pointed at. */
  readonly target: Element;
}

/**
 * What opens the menu of an area, undefined until it was asked for. Text that the mouse selected keeps the menu of the browser, which
 * copies it.
 * @param has whether there is a menu for what is pointed at; by default all of the area has one
 */
export function useContextMenu(area: RefObject<HTMLElement | null>, has?: (target: Element) => boolean): ContextPopup | undefined {
  const popup = useRef<HTMLDivElement>(null);
  const focusedBefore = useRef<HTMLElement | null>(null);
  const [pointed, setPointed] = useState<{ readonly place: DOMRect; readonly target: Element }>();
  const [isOpen, setOpen] = useState(false);
  const open = useEffectEvent((event: MouseEvent) => {
    const { target } = event;
    const isByFinger = event instanceof PointerEvent && event.pointerType === "touch";
    if (event.defaultPrevented || (!isByFinger && hasSelectionIn(area.current))) return;
    if (!(target instanceof Element) || has?.(target) === false) return;
    event.preventDefault();
    // The browser has selected the word under the finger before.
    if (isByFinger) window.getSelection()?.removeAllRanges();
    const { activeElement } = document;
    focusedBefore.current = activeElement instanceof HTMLElement ? activeElement : null;
    setPointed({ place: new DOMRect(event.clientX, event.clientY), target });
    setOpen(true);
  });
  useEffect(() => {
    const element = area.current;
    const listener = (event: MouseEvent): void => open(event);
    element?.addEventListener("contextmenu", listener);
    return (): void => element?.removeEventListener("contextmenu", listener);
  }, [area]);
  if (pointed === undefined) return undefined;
  const { place, target } = pointed;
  const finalFocus = (): HTMLElement | false | null => focusAfter(popup.current, focusedBefore.current);
  return { anchor: { getBoundingClientRect: () => place }, target, isOpen, onOpenChange: setOpen, popup, finalFocus };
}

function hasSelectionIn(element: HTMLElement | null): boolean {
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed && element !== null && selection.containsNode(element, true);
}
