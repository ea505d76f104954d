// Puts a small fixed element beside another one: on the preferred side where there is room, else on the opposite one, always in the window.

/** Side of an element. */
export type Side = "top" | "right" | "bottom" | "left";

/** Between both elements. */
const GAP_PX = 6;
/** Between the element and the edge of the window. */
const MARGIN_PX = 8;

const OPPOSITE: Readonly<Record<Side, Side>> = { top: "bottom", bottom: "top", left: "right", right: "left" };

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

/** Where the top left corner of a box of this size goes. */
export function positionOf(size: Size, anchor: Box, window: Size, preferred: Side): { readonly left: number; readonly top: number } {
  const side = fits(size, anchor, window, preferred) || !fits(size, anchor, window, OPPOSITE[preferred]) ? preferred : OPPOSITE[preferred];
  const { left, top } = beside(size, anchor, side);
  return { left: within(left, size.width, window.width), top: within(top, size.height, window.height) };
}

/** Moves `element`, which is positioned as fixed at the top left. */
export function positionBeside(element: HTMLElement, anchor: Element, preferred: Side): void {
  const { left, top } = positionOf(
    element.getBoundingClientRect(),
    anchor.getBoundingClientRect(),
    { width: innerWidth, height: innerHeight },
    preferred,
  );
  element.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
}

function beside({ width, height }: Size, anchor: Box, side: Side): { readonly left: number; readonly top: number } {
  const middle = { left: anchor.left + (anchor.width - width) / 2, top: anchor.top + (anchor.height - height) / 2 };
  switch (side) {
    case "top":
      return { left: middle.left, top: anchor.top - height - GAP_PX };
    case "bottom":
      return { left: middle.left, top: anchor.top + anchor.height + GAP_PX };
    case "left":
      return { left: anchor.left - width - GAP_PX, top: middle.top };
    case "right":
      return { left: anchor.left + anchor.width + GAP_PX, top: middle.top };
  }
}

function fits(size: Size, anchor: Box, window: Size, side: Side): boolean {
  const { left, top } = beside(size, anchor, side);
  const isAcross = side === "left" || side === "right";
  return isAcross
    ? left >= MARGIN_PX && left + size.width <= window.width - MARGIN_PX
    : top >= MARGIN_PX && top + size.height <= window.height - MARGIN_PX;
}

function within(start: number, length: number, room: number): number {
  return Math.max(MARGIN_PX, Math.min(start, room - length - MARGIN_PX));
}
