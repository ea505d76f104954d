// Where a hint goes: beside its element, on the other side where there is no room, never out of the window.
import { describe, expect, it } from "vitest";
import { positionOf } from "#renderer/components/controls/position-beside.ts";

const WINDOW = { width: 1_000, height: 600 };
const HINT = { width: 100, height: 20 };
const anchorAt = (left: number, top: number): { left: number; top: number; width: number; height: number } => ({
  left,
  top,
  width: 40,
  height: 40,
});

describe("placeOf", () => {
  it("centres beside the element on each side", () => {
    const anchor = anchorAt(500, 300);
    expect(positionOf(HINT, anchor, WINDOW, "top")).toEqual({ left: 470, top: 274 });
    expect(positionOf(HINT, anchor, WINDOW, "bottom")).toEqual({ left: 470, top: 346 });
    expect(positionOf(HINT, anchor, WINDOW, "left")).toEqual({ left: 394, top: 310 });
    expect(positionOf(HINT, anchor, WINDOW, "right")).toEqual({ left: 546, top: 310 });
  });

  it("takes the opposite side where the preferred one has no room", () => {
    expect(positionOf(HINT, anchorAt(500, 10), WINDOW, "top").top).toBe(56);
    expect(positionOf(HINT, anchorAt(10, 300), WINDOW, "left").left).toBe(56);
    expect(positionOf(HINT, anchorAt(900, 300), WINDOW, "right").left).toBe(794);
  });

  it("stays in the window, in a corner and where neither side has room", () => {
    expect(positionOf(HINT, anchorAt(970, 300), WINDOW, "top")).toEqual({ left: 892, top: 274 });
    expect(positionOf(HINT, anchorAt(0, 300), WINDOW, "bottom").left).toBe(8);
    expect(positionOf({ width: 100, height: 500 }, anchorAt(500, 300), WINDOW, "top")).toEqual({ left: 470, top: 8 });
  });
});
