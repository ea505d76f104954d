// What a key does while a picture is looked at. Pure.

/** Another picture of the chat, a move of the enlarged one (to the right and down, each -1, 0 or 1), or another scale. */
export type ViewerAct =
  | { readonly go: "before" | "after" }
  | { readonly scroll: readonly [number, number] }
  | { readonly zoom: "in" | "out" | "whole" };

/** What the viewer looks like when the key is pressed. */
export interface ViewerState {
  readonly isEnlarged: boolean;
  /** Read from right to left: the picture before is at the right. */
  readonly isMirrored: boolean;
}

/** Directions on the screen, to the right and down. */
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Undefined for keys that do nothing here. An enlarged picture is moved by the arrows, a whole one gives way to its neighbours. */
export function viewerAct(key: string, { isEnlarged, isMirrored }: ViewerState): ViewerAct | undefined {
  const arrow = Object.hasOwn(ARROWS, key) ? ARROWS[key] : undefined;
  if (arrow !== undefined) {
    if (isEnlarged) return { scroll: arrow };
    const [right] = arrow;
    return right === 0 ? undefined : { go: right > 0 !== isMirrored ? "after" : "before" };
  }
  if (key === "+" || key === "=") return { zoom: "in" };
  if (key === "-") return { zoom: "out" };
  return key === "0" ? { zoom: "whole" } : undefined;
}
