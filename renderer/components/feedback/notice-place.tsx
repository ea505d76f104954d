// Where a notice of the shell is: one that comes while a view is looked at floats over it, and moves nothing that is read or aimed at; with
// the next view it has its row above.
import { createContext, type ReactElement, type ReactNode, useContext, useEffectEvent, useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";

/** What goes so soon after a press in it was put away by the person, who expects what is below to follow, ms. */
const PRESSED_MS = 400;

/** Where notices go. */
export interface NoticePlaces {
  /** A view is about to be shown: rows may come and go with it. */
  readonly isComing: boolean;
  /** Holds the rows above the view, and what floats over it; null until they are there. */
  readonly rows: HTMLElement | null;
  readonly floating: HTMLElement | null;
}

/** Undefined beside the shell, where notices are in their place at once. */
export const NoticePlacesContext = createContext<NoticePlaces | undefined>(undefined);

/** Something that comes and goes above the view. */
export function NoticePlace({ children }: { readonly children: ReactNode }): ReactNode {
  const places = useContext(NoticePlacesContext);
  return places === undefined ? children : <PlacedNotice places={places}>{children}</PlacedNotice>;
}

function PlacedNotice({ places, children }: { readonly places: NoticePlaces; readonly children: ReactNode }): ReactElement {
  const { isComing, rows, floating } = places;
  const [isSettled, setSettled] = useState(isComing);
  if (isComing && !isSettled) setSettled(true);
  const [host] = useState(() => document.createElement("div"));
  const parent = isSettled ? rows : floating;
  useLayoutEffect(() => {
    if (parent !== null) putInto(parent, host, isSettled);
  }, [parent, host, isSettled]);
  const leave = useEffectEvent((pressedAt: number) => {
    const wasPressed = performance.now() - pressedAt < PRESSED_MS;
    // With what is pressed the focus would be nowhere.
    if (host.contains(document.activeElement)) document.querySelector("main")?.focus({ preventScroll: true });
    const { parentElement: parent } = host;
    if (isComing || wasPressed) host.remove();
    else keepRoom(host);
    if (parent?.hasAttribute("data-floating") === true) dropRoom(parent);
  });
  useLayoutEffect(() => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    const press = (): void => {
      pressedAt = performance.now();
    };
    host.addEventListener("click", press, true);
    return (): void => {
      host.removeEventListener("click", press, true);
      leave(pressedAt);
    };
  }, [host]);
  return createPortal(children, host);
}

/** Moves what holds a notice, with the focus where that is in it. */
function putInto(parent: HTMLElement, host: HTMLElement, isRow: boolean): void {
  host.style.height = "";
  delete host.dataset.left;
  // What floats lies on the one that came before it, which stays where it is.
  const next = isRow ? null : parent.firstChild;
  // As it is, where the browser can: an alert that is taken out and put in again is said again by screen readers.
  if (host.isConnected && "moveBefore" in parent) {
    parent.moveBefore(host, next);
    return;
  }
  const focused = host.contains(document.activeElement) ? document.activeElement : null;
  parent.insertBefore(host, next);
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
}

/** Leaves empty room where a notice was, so that no other one moves, until the next view. */
function keepRoom(host: HTMLElement): void {
  host.style.height = `${host.getBoundingClientRect().height}px`;
  host.dataset.left = "";
}

/** Where nothing floats any more there is none to move. */
function dropRoom(floating: HTMLElement): void {
  const left = floating.querySelectorAll(":scope > [data-left]");
  if (left.length === floating.childElementCount) floating.replaceChildren();
}
