// Published names of many people as one text, a line for each: one value to compare, so that nothing is built again while no name changes.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** The text. Names hold no line breaks. */
export function writeNames(identities: readonly { readonly pub_key: PublicKeyHex; readonly nickname: string }[]): string {
  return identities.map(({ pub_key: key, nickname }) => `${key} ${nickname.trim()}`).join("\n");
}

/** Names by key; an empty one says that the key has published none. */
export function readNames(text: string): readonly (readonly [PublicKeyHex, string])[] {
  if (text === "") return [];
  return text.split("\n").map((line) => {
    const end = line.indexOf(" ");
    return [line.slice(0, end), line.slice(end + 1)];
  });
}
