// People by what is typed: every word of it is in their name, address or key, or begins a word of the command, as in "message anna".
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isPartOfKey } from "./is-part-of-key.ts";

/** Those who fit, in their order, but names that begin with a word of the text first. One word alone is never the command's. */
export function findPeople(
  people: readonly PublicKeyHex[],
  names: ReadonlyMap<PublicKeyHex, string>,
  { text, command }: { readonly text: string; readonly command: string },
): readonly PublicKeyHex[] {
  const words = wordsOf(text);
  const verbs = words.length > 1 ? wordsOf(command) : [];
  const begins: PublicKeyHex[] = [];
  const others: PublicKeyHex[] = [];
  for (const key of people) {
    const name = (names.get(key) ?? "").toLowerCase();
    const isIn = (word: string): boolean => name.includes(word) || isPartOfKey(word, key) || verbs.some((verb) => verb.startsWith(word));
    if (words.every(isIn)) (words.some((word) => name.startsWith(word)) ? begins : others).push(key);
  }
  return [...begins, ...others];
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
