// Decompressing a public key costs more than verifying with it: remembers the result for recent keys.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isAcceptablePoint } from "#shared/protocol/primitives/signature.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { createKeyCheck } from "./verify-signature.ts";

/** Keys remembered; about 10 MiB. */
export const ACCEPTABLE_KEYS = 50_000;

/** The rule for keys with a memory of the last ones. */
export class AcceptableKeys {
  readonly #capacity: number;
  readonly #check = createKeyCheck();
  readonly #results = new Map<PublicKeyHex, boolean>();

  constructor(capacity: number = ACCEPTABLE_KEYS) {
    this.#capacity = capacity;
  }

  /** The result of isAcceptablePublicKey. */
  isAcceptable(publicKey: PublicKeyHex): boolean {
    return this.#results.get(publicKey) ?? this.#remember(publicKey, this.#check(fromHex(publicKey)));
  }

  /** Notes a key under which a signature verified: it needs no arithmetic any more. */
  learnSigner(publicKey: PublicKeyHex): void {
    if (!this.#results.has(publicKey)) this.#remember(publicKey, isAcceptablePoint(publicKey));
  }

  /** Has the unknown ones of some keys checked by `check`, so that {@link isAcceptable} knows them. Undefined when it knows all. */
  learn(publicKeys: readonly PublicKeyHex[], check: (publicKey: Uint8Array) => boolean | Promise<boolean>): Promise<void> | undefined {
    const unknown = publicKeys.filter((publicKey) => !this.#results.has(publicKey));
    if (unknown.length === 0) return undefined;
    const learnt = unknown.map(async (publicKey) => this.#remember(publicKey, await check(fromHex(publicKey))));
    return Promise.all(learnt).then(() => undefined);
  }

  #remember(publicKey: PublicKeyHex, isAcceptable: boolean): boolean {
    if (this.#results.size >= this.#capacity) {
      const oldest = this.#results.keys().next();
      if (!oldest.done) this.#results.delete(oldest.value);
    }
    this.#results.set(publicKey, isAcceptable);
    return isAcceptable;
  }
}
