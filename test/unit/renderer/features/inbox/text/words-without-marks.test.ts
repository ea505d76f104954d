import { describe, expect, it } from "vitest";
import { wordsWithoutMarks } from "#renderer/features/inbox/text/words-without-marks.ts";
import { MAX_TEXT_BYTES } from "#shared/content/content.ts";

describe("a message in a line of a list", () => {
  it.each([
    ["*Friday* at _noon_, not ~Thursday~", "Friday at noon, not Thursday"],
    ["**bold _and_ more**", "bold and more"],
    ["_*~all~*_", "all"],
    ["door `4*2`", "door 4*2"],
    ["> Bring *your* tent", "Bring your tent"],
    ["```js\n*code*\n```", "\ncode\n"],
    ["2*3*4 and a_b_c", "2*3*4 and a_b_c"],
    ["*unclosed", "*unclosed"],
  ])("%j is %j", (text, words) => {
    expect(wordsWithoutMarks(text)).toBe(words);
  });

  it.each(["*", "* ", "*a ", "_*~", "`", "> "])("reads little of the longest text of %j", (piece) => {
    expect(wordsWithoutMarks(piece.repeat(MAX_TEXT_BYTES / 2)).length).toBeLessThanOrEqual(1_000);
  });
});
