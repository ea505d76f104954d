import { describe, expect, it } from "vitest";
import { usableWindowState } from "#electron/main/windows/window-state.ts";

const LAPTOP = { x: 0, y: 0, width: 1440, height: 900 };
const state = (x: number, y: number, width = 1000, height = 700): object => ({ bounds: { x, y, width, height }, isMaximized: false });

describe("usableWindowState", () => {
  it.each([
    ["in the middle", state(100, 100)],
    ["half off to the right", state(1300, 100)],
    ["half off to the left", state(-800, 0)],
  ])("takes a window %s", (_, value) => expect(usableWindowState(value, [LAPTOP])).toEqual(value));

  it.each([
    ["on a screen that is gone", state(2000, 100)],
    ["with its title bar above the screen", state(100, -50)],
    ["with its title bar below the screen", state(100, 880)],
    ["with too little to grab", state(1400, 100)],
    ["that is not a number", { bounds: { x: "0", y: 0, width: 1, height: 1 }, isMaximized: false }],
    ["of nothing", null],
  ])("leaves a window %s", (_, value) => expect(usableWindowState(value, [LAPTOP])).toBeUndefined());

  it("finds it on the second screen, and widens what is too small", () => {
    const second = { x: 1440, y: 0, width: 1920, height: 1080 };
    expect(usableWindowState(state(1500, 10, 10, 10), [LAPTOP, second])?.bounds).toEqual({ x: 1500, y: 10, width: 640, height: 480 });
  });
});
