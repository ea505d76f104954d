// Whether typed characters mean a key or an address.
import { ADDRESS_PREFIX, formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Few characters are in nearly every key and address: what is no beginning of one counts from this length on. */
const MIN_INNER_CHARS = 6;
/** Every address begins so. */
const ADDRESS_START = `${ADDRESS_PREFIX}1`;

/** True when a key or its address begins with the text (in lower case), or a longer text is anywhere in it. What begins all addresses means none. */
export function isPartOfKey(text: string, key: PublicKeyHex): boolean {
  const forms = ADDRESS_START.startsWith(text) ? [key] : [key, formatAddress(key)];
  return forms.some((form) => (text.length < MIN_INNER_CHARS ? form.startsWith(text) : form.includes(text)));
}
