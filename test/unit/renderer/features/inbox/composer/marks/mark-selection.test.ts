import { describe, expect, it } from "vitest";
import { isMarked, markSelection } from "#renderer/features/inbox/composer/marks/mark-selection.ts";

/** "a [b] c" with the selection in brackets. */
function selected(text: string): Parameters<typeof markSelection>[0] {
  const start = text.indexOf("[");
  return { text: text.replace(/[[\]]/g, ""), start, end: text.indexOf("]") - 1 };
}

describe("marking a selection", () => {
  it.each([
    ["see [Friday] now", "see *[Friday]* now"],
    ["see[ Friday ]now", "see *[Friday]* now"],
    ["[]", "*[]*"],
    ["at [] now", "at *[]* now"],
    ["*[Friday]*", "[Friday]"],
    ["*[]*", "[]"],
    ["see [𝔘]", "see *[𝔘]*"],
    ["*~[Friday]~*", "~[Friday]~"],
    ["~[Friday]~", "~*[Friday]*~"],
  ])("%j becomes %j", (before, after) => {
    expect(markSelection(selected(before), "*")).toEqual(selected(after));
  });

  it.each([
    ["*[Friday]*", true],
    ["*[Friday ]*", false],
    ["*[ Friday]", false],
    ["[Friday]", false],
    ["_[Friday]_", false],
    ["*~_[Friday]_~*", true],
    ["*x[Friday]x*", false],
  ])("%j is marked: %j", (text, expected) => {
    expect(isMarked(selected(text), "*")).toBe(expected);
  });

  it("is undone by marking again", () => {
    const before = selected("a [few words] more");
    expect(markSelection(markSelection(before, "_"), "_")).toEqual(before);
  });
});
