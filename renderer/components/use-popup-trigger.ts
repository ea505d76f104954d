// A button that opens a popup whose code is loaded when it is first needed: the button itself costs nothing.
import { cloneElement, type ReactElement, type RefObject, useRef, useState } from "react";

/** What a popup needs to know of its button. */
export interface PopupTrigger {
  /** The button with what makes it open the popup. */
  readonly element: ReactElement;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly isOpen: boolean;
  /** False until it was first opened: nothing is loaded before. */
  readonly isWanted: boolean;
  /** For the popup itself; a press on the button is left to the button. */
  readonly onOpenChange: (open: boolean, details: { readonly event: Event }) => void;
}

/** Makes a button of `trigger`, which takes a ref, `onClick` and the attributes of a popup's button. */
export function usePopupTrigger(trigger: ReactElement, popup: "dialog" | "menu"): PopupTrigger {
  const anchor = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  if (isOpen && !isWanted) setWanted(true);
  const element = cloneElement(trigger as ReactElement<Record<string, unknown>>, {
    ref: anchor,
    onClick: () => setOpen(!isOpen),
    "aria-haspopup": popup,
    "aria-expanded": isOpen,
  });
  const onOpenChange = (open: boolean, { event }: { readonly event: Event }): void => {
    const isOnButton = event.type !== "keydown" && event.target instanceof Node && anchor.current?.contains(event.target) === true;
    if (!isOnButton) setOpen(open);
  };
  return { element, anchor, isOpen, isWanted, onOpenChange };
}
