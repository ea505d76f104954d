// Decompressing a public key costs more than verifying with it: remembers the verdict on keys that were seen lately.
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { isAcceptablePublicKey } from "#shared/protocol/signature.ts";

/** Keys remembered; about 10 MiB. */
const CAPACITY = 50_000;

/** {@link isAcceptablePublicKey} with a memory of the last keys. */
export function createAcceptableKeyCache(capacity: number = CAPACITY): (publicKey: PublicKeyHex) => boolean {
  const verdicts = new Map<PublicKeyHex, boolean>();
  return (publicKey) => {
    const known = verdicts.get(publicKey);
    if (known !== undefined) return known;
    const verdict = isAcceptablePublicKey(publicKey);
    if (verdicts.size >= capacity) {
      const oldest = verdicts.keys().next();
      if (!oldest.done) verdicts.delete(oldest.value);
    }
    verdicts.set(publicKey, verdict);
    return verdict;
  };
}
