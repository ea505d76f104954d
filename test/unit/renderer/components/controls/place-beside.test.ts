// Where a hint goes: beside its element, on the other side where there is no room, never out of the window.
import { describe, expect, it } from "vitest";
import { placeOf } from "#renderer/components/controls/place-beside.ts";

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
    expect(placeOf(HINT, anchor, WINDOW, "top")).toEqual({ left: 470, top: 274 });
    expect(placeOf(HINT, anchor, WINDOW, "bottom")).toEqual({ left: 470, top: 346 });
    expect(placeOf(HINT, anchor, WINDOW, "left")).toEqual({ left: 394, top: 310 });
    expect(placeOf(HINT, anchor, WINDOW, "right")).toEqual({ left: 546, top: 310 });
  });

  it("takes the opposite side where the wanted one has no room", () => {
    expect(placeOf(HINT, anchorAt(500, 10), WINDOW, "top").top).toBe(56);
    expect(placeOf(HINT, anchorAt(10, 300), WINDOW, "left").left).toBe(56);
    expect(placeOf(HINT, anchorAt(900, 300), WINDOW, "right").left).toBe(794);
  });

  it("stays in the window, in a corner and where neither side has room", () => {
    expect(placeOf(HINT, anchorAt(970, 300), WINDOW, "top")).toEqual({ left: 892, top: 274 });
    expect(placeOf(HINT, anchorAt(0, 300), WINDOW, "bottom").left).toBe(8);
    expect(placeOf({ width: 100, height: 500 }, anchorAt(500, 300), WINDOW, "top")).toEqual({ left: 470, top: 8 });
  });
});
