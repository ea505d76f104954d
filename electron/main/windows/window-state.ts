// Where the window was. A remembered position is used only when enough of it lies on a screen that is there now.

import type { Static } from "typebox";
import * as Type from "typebox";
import { Value } from "typebox/value";

/** A rectangle in device-independent pixels. */
export const Bounds = Type.Object({
  x: Type.Integer(),
  y: Type.Integer(),
  width: Type.Integer({ minimum: 1, maximum: 20_000 }),
  height: Type.Integer({ minimum: 1, maximum: 20_000 }),
});
export type Bounds = Static<typeof Bounds>;

/** What is remembered. */
export const WindowState = Type.Object({ bounds: Bounds, isMaximized: Type.Boolean() });
export type WindowState = Static<typeof WindowState>;

/** Smallest size of the window, and how much of its title bar must be reachable. */
export const MIN_WIDTH = 640;
export const MIN_HEIGHT = 480;
const REACHABLE_WIDTH = 120;
const REACHABLE_HEIGHT = 40;

/** The remembered state if it can be used on these screens. */
export function usableWindowState(value: unknown, screens: readonly Bounds[]): WindowState | undefined {
  if (!Value.Check(WindowState, value)) return undefined;
  const bounds = {
    ...value.bounds,
    width: Math.max(MIN_WIDTH, value.bounds.width),
    height: Math.max(MIN_HEIGHT, value.bounds.height),
  };
  return screens.some((screen) => isReachable(bounds, screen)) ? { bounds, isMaximized: value.isMaximized } : undefined;
}

/** True when the title bar can be grabbed on that screen. */
function isReachable(window: Bounds, screen: Bounds): boolean {
  const width = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x);
  return width >= REACHABLE_WIDTH && window.y >= screen.y && window.y <= screen.y + screen.height - REACHABLE_HEIGHT;
}
