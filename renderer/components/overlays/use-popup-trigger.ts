// A button that opens a popup whose code is loaded when it is first needed: the button itself costs nothing.
import { cloneElement, type ReactElement, type RefObject, useRef, useState } from "react";

/** A place of the window without an element. */
export interface PointedPlace {
  getBoundingClientRect(): DOMRect;
}

/** What a popup needs to know of its button. */
export interface PopupTrigger {
  /** The button with what makes it open the popup. */
  readonly element: ReactElement;
  readonly anchor: RefObject<HTMLElement | null> | PointedPlace;
  readonly isOpen: boolean;
  /** False until it was first opened: nothing is loaded before. */
  readonly isNeeded: boolean;
  /** For the popup itself; a press on the button is left to the button. */
  readonly onOpenChange: (open: boolean, details: { readonly event: Event }) => void;
  /** Closes it from inside. */
  readonly close: () => void;
  /** On the popup, so that it is known whether the focus is still inside. */
  readonly popup: RefObject<HTMLDivElement | null>;
  /** Where the focus goes when the popup closes: back, unless something else has taken it meanwhile. */
  readonly finalFocus: () => HTMLElement | false | null;
}

/** Makes a button of `trigger`, which takes a ref, `onClick` and the attributes of a popup's button. */
export function usePopupTrigger(trigger: ReactElement, kind: "dialog" | "menu"): PopupTrigger {
  const anchor = useRef<HTMLElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isNeeded, setNeeded] = useState(false);
  if (isOpen && !isNeeded) setNeeded(true);
  const element = cloneElement(trigger as ReactElement<Record<string, unknown>>, {
    ref: anchor,
    onClick: () => setOpen(!isOpen),
    "aria-haspopup": kind,
    "aria-expanded": isOpen,
  });
  const onOpenChange = (open: boolean, { event }: { readonly event: Event }): void => {
    const isOnButton = event.type !== "keydown" && event.target instanceof Node && anchor.current?.contains(event.target) === true;
    if (!isOnButton) setOpen(open);
  };
  const finalFocus = (): HTMLElement | false | null => focusAfter(popup.current, anchor.current);
  return { element, anchor, isOpen, isNeeded, onOpenChange, close: () => setOpen(false), popup, finalFocus };
}

/** Where the focus goes when a popup closes: back, unless something else has taken it meanwhile. */
export function focusAfter(popup: HTMLElement | null, back: HTMLElement | null): HTMLElement | false | null {
  const { activeElement } = document;
  const isInside = activeElement === null || activeElement === document.body || popup?.contains(activeElement) === true;
  return isInside ? back : false;
}
