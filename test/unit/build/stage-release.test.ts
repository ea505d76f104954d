import { describe, expect, it } from "vitest";
import { stageRelease } from "#build/scripts/release/stage-release.ts";

const FEED = "version: 0.2.0\nfiles:\n  - url: Parley-0.2.0.AppImage\n    sha512: abc\npath: Parley-0.2.0.AppImage\n";

describe("a staged release", () => {
  it("names its share, changes it, and names none once it is for all", () => {
    const staged = stageRelease(FEED, 10);
    expect(staged).toBe(`${FEED}stagingPercentage: 10\n`);
    expect(stageRelease(staged, 50)).toBe(`${FEED}stagingPercentage: 50\n`);
    expect(stageRelease(staged, 100)).toBe(FEED);
  });

  it.each([0, 101, 2.5, Number.NaN])("refuses %s", (percent) => expect(() => stageRelease(FEED, percent)).toThrow(RangeError));
});
