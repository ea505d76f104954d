// Addresses of keys, kept: a list names the same few keys again and again, and writing one out costs more than reading its row.
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Keys that are remembered; then all are forgotten. More than a few pages name would be slower: they leave the processor's caches. */
const MAX_KNOWN = 256;

/** Addresses that were asked for before. */
export class AddressCache {
  readonly #known = new Map<PublicKeyHex, string>();

  /** Address of a key. */
  of(publicKey: PublicKeyHex): string {
    const known = this.#known.get(publicKey);
    if (known !== undefined) return known;
    const address = formatAddress(publicKey);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(publicKey, address);
    return address;
  }
}
