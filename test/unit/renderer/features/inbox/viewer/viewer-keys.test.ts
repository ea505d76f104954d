import { describe, expect, it } from "vitest";
import { type ViewerAct, viewerAct } from "#renderer/features/inbox/viewer/viewer-keys.ts";

const WHOLE = { isEnlarged: false, isMirrored: false };
const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const;
const arrows = (state: typeof WHOLE): readonly (ViewerAct | undefined)[] => ARROWS.map((key) => viewerAct(key, state));

describe("keys of a picture that is looked at", () => {
  it("go to the picture whose button is on their side, also from right to left", () => {
    expect(arrows(WHOLE)).toEqual([{ go: "before" }, { go: "after" }, undefined, undefined]);
    expect(arrows({ ...WHOLE, isMirrored: true })).toEqual([{ go: "after" }, { go: "before" }, undefined, undefined]);
  });

  it("move an enlarged picture in every direction, the same in every language", () => {
    const moves = [{ scroll: [-1, 0] }, { scroll: [1, 0] }, { scroll: [0, -1] }, { scroll: [0, 1] }];
    for (const isMirrored of [false, true]) expect(arrows({ isEnlarged: true, isMirrored })).toEqual(moves);
  });

  it("change the scale, and do nothing else", () => {
    const acts = ["+", "=", "-", "0"].map((key) => viewerAct(key, WHOLE));
    expect(acts).toEqual([{ zoom: "in" }, { zoom: "in" }, { zoom: "out" }, { zoom: "whole" }]);
    expect(["a", "Tab", "toString"].map((key) => viewerAct(key, WHOLE))).toEqual([undefined, undefined, undefined]);
  });
});
