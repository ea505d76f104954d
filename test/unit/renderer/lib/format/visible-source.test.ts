// Source code that hides something is shown with what it hides.
import { describe, expect, it } from "vitest";
import { MAX_SHOWN_CHARACTERS, visibleSource } from "#renderer/lib/format/visible-source.ts";

describe("a source", () => {
  it("is shown as it is, with tabs, lines and letters of any script", () => {
    const source = "const größe = 1;\n\tif (x) {}\n// 価格 ✓\n";
    expect(visibleSource(source)).toEqual({ text: source, hidden: 0, isCut: false });
    expect(visibleSource("a\r\nb").text).toBe("a\nb");
  });

  it.each([
    ["a change of direction", "\u202e", "‹U+202E›"],
    ["an isolate", "\u2066", "‹U+2066›"],
    ["a blank without width", "\u200b", "‹U+200B›"],
    ["a bell", "\u0007", "‹U+0007›"],
    ["an escape", "\u001b", "‹U+001B›"],
    ["a carriage return alone", "\r", "‹U+000D›"],
    ["a separator of lines", "\u2028", "‹U+2028›"],
    ["a tag", "\u{e0041}", "‹U+E0041›"],
    ["a filler", "\u3164", "‹U+3164›"],
    ["half of a pair", "\ud800", "‹U+D800›"],
  ])("shows %s by its code point", (_what, character, shown) => {
    expect(visibleSource(`if (isOwner${character}) {}`)).toEqual({ text: `if (isOwner${shown}) {}`, hidden: 1, isCut: false });
  });

  it("is cut at its bound", () => {
    const { text, isCut } = visibleSource("x".repeat(MAX_SHOWN_CHARACTERS + 1));
    expect([text.length, isCut]).toEqual([MAX_SHOWN_CHARACTERS, true]);
    const pair = visibleSource(`${"x".repeat(MAX_SHOWN_CHARACTERS - 1)}😀`);
    expect([pair.text.length, pair.hidden, pair.isCut]).toEqual([MAX_SHOWN_CHARACTERS - 1, 0, true]);
  });
});
