// Texts that have to fit.
import { utf8Length } from "./bytes.ts";

/** The beginning of a text that fits into so many UTF-8 bytes, without a torn character. */
export function shortenText(text: string, maxBytes: number): string {
  let kept = "";
  let bytes = 0;
  for (const character of text.toWellFormed()) {
    bytes += utf8Length(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}
