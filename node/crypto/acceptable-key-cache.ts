// Decompressing a public key costs more than verifying with it: remembers the verdict on keys that were seen lately.
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { isAcceptablePublicKey } from "#shared/protocol/signature.ts";
import { fromHex } from "#shared/util/bytes.ts";

/** Keys remembered; about 10 MiB. */
export const ACCEPTABLE_KEYS = 50_000;

/** {@link isAcceptablePublicKey} with a memory of the last keys. */
export class AcceptableKeys {
  readonly #capacity: number;
  readonly #verdicts = new Map<PublicKeyHex, boolean>();

  constructor(capacity: number = ACCEPTABLE_KEYS) {
    this.#capacity = capacity;
  }

  /** The answer of {@link isAcceptablePublicKey}. */
  isAcceptable(publicKey: PublicKeyHex): boolean {
    return this.#verdicts.get(publicKey) ?? this.#remember(publicKey, isAcceptablePublicKey(publicKey));
  }

  /** Has the unknown ones of some keys looked at elsewhere, so that {@link isAcceptable} knows them. Undefined when it knows all. */
  learn(publicKeys: readonly PublicKeyHex[], check: (publicKey: Uint8Array) => boolean | Promise<boolean>): Promise<void> | undefined {
    const unknown = publicKeys.filter((publicKey) => !this.#verdicts.has(publicKey));
    if (unknown.length === 0) return undefined;
    const learnt = unknown.map(async (publicKey) => this.#remember(publicKey, await check(fromHex(publicKey))));
    return Promise.all(learnt).then(() => undefined);
  }

  #remember(publicKey: PublicKeyHex, verdict: boolean): boolean {
    if (this.#verdicts.size >= this.#capacity) {
      const oldest = this.#verdicts.keys().next();
      if (!oldest.done) this.#verdicts.delete(oldest.value);
    }
    this.#verdicts.set(publicKey, verdict);
    return verdict;
  }
}
