// Whether typed characters mean a key or an address.
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Few characters are in nearly every key and address: what is no beginning of one counts from this length on. */
const MIN_INNER_CHARS = 6;

/** True when a key or its address begins with the text (in lower case), or a longer text is anywhere in it. */
export function isPartOfKey(text: string, key: PublicKeyHex): boolean {
  const forms = [key, formatAddress(key)];
  return forms.some((form) => (text.length < MIN_INNER_CHARS ? form.startsWith(text) : form.includes(text)));
}
