// Texts of others as they are shown in one line: every character can be seen, and none changes the order of what stands around it.
import { isPrintable } from "#shared/protocol/primitives/printable.ts";

/** Invisible beyond the protocol's own list: default-ignorable code points that a name or file name has no use for (UTS 39, restricted). */
const IGNORABLE: readonly (readonly [number, number])[] = [
  [0x034f, 0x034f],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x13430, 0x1343f],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0100, 0xe01ef],
];
/** Blanks other than the usual one, and the blank pattern of Braille. */
const BLANK = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]/u;
const REPLACEMENT = "\ufffd";
/** Joins emoji, and letters of some scripts; alone it is invisible. */
const JOINER = "\u200d";
/** Asks for the colourful form of a character. */
const EMOJI_STYLE = "\ufe0f";
/** Marks on one letter; more climb over the lines around it. */
const MAX_MARKS = 4;

/** The text with a visible sign for each character that could not be seen or would turn others around. */
export function visibleText(text: string): string {
  const characters = [...text.normalize("NFC")];
  let marks = 0;
  let shown = "";
  for (const [index, character] of characters.entries()) {
    marks = /\p{M}/u.test(character) ? marks + 1 : 0;
    if (marks > MAX_MARKS) continue;
    if (character === JOINER && isEmojiJoint(characters[index - 1], characters[index + 1])) shown += character;
    else if (BLANK.test(character)) shown += " ";
    else shown += isPrintable(character) && !isIgnorable(character) ? character : REPLACEMENT;
  }
  return shown;
}

function isIgnorable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return IGNORABLE.some(([from, to]) => code >= from && code <= to);
}

function isEmojiJoint(before = "", after = ""): boolean {
  const isEmoji = /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u.test(before) || before === EMOJI_STYLE;
  return isEmoji && /\p{Extended_Pictographic}/u.test(after);
}
