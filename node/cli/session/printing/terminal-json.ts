// JSON on a terminal: the same values, with every character that could move the cursor or turn the text around as an escape.
import { writeExactJson } from "#node/api/json/exact-json.ts";

/** JSON escapes characters below U+0020 itself. A terminal also follows those of U+0080 to U+009F, and turns text around at others. */
const UNPRINTABLE = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** JSON text of a value, exact for integers of any size. */
export function terminalJson(value: unknown): string {
  return writeExactJson(value).replace(UNPRINTABLE, (character) =>
    [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}
