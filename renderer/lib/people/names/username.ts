// Usernames as they are typed: `@anna`, `anna`. The registry of the chain decides who has which.
import { MAX_USERNAME_CHARS, MIN_USERNAME_CHARS } from "#shared/protocol/primitives/limits.ts";

const FORM = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/;

/** What a typed username is. `characters`: other than the registry takes, or separators side by side or at an end. */
export type UsernameForm = "ok" | "empty" | "short" | "long" | "characters";

/** Form of a name without its `@`. */
export function usernameForm(name: string): UsernameForm {
  if (name === "") return "empty";
  if (!FORM.test(name)) return "characters";
  if (name.length < MIN_USERNAME_CHARS) return "short";
  return name.length > MAX_USERNAME_CHARS ? "long" : "ok";
}

/** The username that a text names by a leading `@`, or undefined. */
export function usernameIn(text: string): string | undefined {
  const name = /^@(\S+)$/.exec(text.trim())?.[1]?.toLowerCase();
  return name !== undefined && usernameForm(name) === "ok" ? name : undefined;
}
