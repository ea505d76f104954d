// Which texts may be the name that people give themselves. Checked at both ends: it is shown beside what other people are called.
import { countCodePoints, isPrintable } from "#shared/protocol/primitives/printable.ts";

/** Longest name, code points. */
export const MAX_PROFILE_NAME_CHARS = 64;

/** True for a trimmed name without control, invisible or direction-changing characters; "" takes a name back. */
export function isProfileName(text: string): boolean {
  return text === text.trim() && countCodePoints(text) <= MAX_PROFILE_NAME_CHARS && isPrintable(text);
}
