// What events are found by: a number made of a text, which takes little room in an index.
import { hash } from "node:crypto";

/** Hex digits of the key: 48 bits. */
const KEY_DIGITS = 12;

/** Key of a text. Different ones may share it, but many cannot be made to share one. */
export function textKey(text: string): number {
  return Number.parseInt(hash("sha256", text).slice(0, KEY_DIGITS), 16);
}
