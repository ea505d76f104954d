import { describe, expect, it } from "vitest";
import { spokenIn } from "#test/screen-reader/spoken.ts";

describe("what the log of Orca says that it said", () => {
  it("is taken in its order, with and without the voice behind it", () => {
    const log = [
      "15:50:54.878254 - SPEECH OUTPUT: 'Screen reader on.'{'established': False}",
      "                  GENERATION TIME: 0.0001  ---->  clickable=[]",
      "15:51:00.637782 - SPEECH OUTPUT: 'Hello'",
      "15:51:00.637783 - SPEECH OUTPUT: 'You're ready heading level 1.' {'established': False}",
      "15:51:00.638519 - SPEECH OUTPUT: ' '",
    ].join("\n");
    expect(spokenIn(log)).toEqual(["Screen reader on.", "Hello", "You're ready heading level 1."]);
  });

  it("is nothing in an empty log", () => {
    expect(spokenIn("")).toEqual([]);
  });
});
