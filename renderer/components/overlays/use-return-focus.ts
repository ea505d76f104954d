// Where the focus goes when a window closes: back to what opened it. Base UI looks for that when the window is there, which is too late
// where a field of the window takes the focus by itself.
import { type RefCallback, useRef, useState } from "react";

/** To be spread into the popup of a window. */
export interface ReturnFocus {
  readonly ref: RefCallback<HTMLElement>;
  readonly finalFocus: () => HTMLElement | boolean;
}

/** What opened a window, then what opened the window in which that is, and so on. */
type Openers = readonly Element[];

const WINDOWS = "[role=dialog]";
const openersOf = new WeakMap<Element, Openers>();

/** What opens a popup: the way back from a window that is opened inside of it. */
export function noteOpener(popup: Element, opener: Element): void {
  openersOf.set(popup, [opener]);
}

/** The way back from a window, of which `open` says whether it is shown. */
export function useReturnFocus(open: boolean): ReturnFocus {
  const popup = useRef<HTMLElement>(null);
  const [known, setKnown] = useState<{ readonly isOpen: boolean; readonly openers: Openers }>({ isOpen: false, openers: [] });
  const { openers } = known;
  // Kept while it closes: that is when the focus goes back.
  if (open !== known.isOpen) setKnown({ isOpen: open, openers: open ? currentOpeners() : openers });
  return {
    ref: (element): void => {
      popup.current = element;
      if (element !== null) openersOf.set(element, openers);
    },
    // Nothing of them is left where the entry of a menu opened it: Base UI knows the menu's button.
    finalFocus: (): HTMLElement | boolean => isFocusFree(popup.current) && (openers.find(isOnPage) ?? true),
  };
}

function currentOpeners(): Openers {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return [];
  const around = activeElement.closest(WINDOWS);
  return [activeElement, ...((around === null ? undefined : openersOf.get(around)) ?? [])];
}

function isOnPage(element: Element): element is HTMLElement {
  return element instanceof HTMLElement && element.isConnected;
}

/** False where something else has taken the focus meanwhile, which keeps it. Windows inside of this one close with it. */
function isFocusFree(popup: HTMLElement | null): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  return popup?.contains(activeElement) === true || activeElement.closest("[data-nested]") !== null;
}
