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
    ["on [*Friday*]", "on [Friday]"],
    ["on [__]", "on *[__]*"],
    // Marks end with their line where they are read.
    ["[one\ntwo] three", "[*one*\n*two*] three"],
    ["x [one\n\n  two \n]three", "x [*one*\n\n  *two*] \nthree"],
    ["x [*one*\n*two*]", "x [one\ntwo]"],
    ["*[one*\n*two]*", "[one\ntwo]"],
    ["[_one_\n_two_]", "[*_one_*\n*_two_*]"],
    ["[*one*\ntwo]", "[*one*\n*two*]"],
    ["[> one\n> two]", "> [*one*\n> *two*]"],
    ["a[> one]", "a*[> one]*"],
    ["[ \n ]", " \n *[]*"],
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
    ["[*Friday*]", true],
    ["[*one*\n*two*]", true],
    ["[*one*\ntwo]", false],
    ["*[one\ntwo]*", false],
  ])("%j is marked: %j", (text, expected) => {
    expect(isMarked(selected(text), "*")).toBe(expected);
  });

  it.each(["a [few words] more", "a [few\nwords] more", "[a few\n\nwords]", "[🧗🏽‍♀️]", "[שלום\nעולם]"])(
    "of %j is undone by marking again",
    (text) => {
      const before = selected(text);
      expect(markSelection(markSelection(before, "_"), "_")).toEqual(before);
    },
  );
});
