// Remembers which signatures were found valid, so that none is checked twice: a commit travels as votes, as a commit and inside the
// next block, and a thread may have checked a block's transactions before the main thread needs them. Forgetting costs time only.
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { equalBytes } from "#shared/util/bytes.ts";

/** Signatures remembered: more than the largest block has transactions, about 10 MiB. */
const CAPACITY = 16_384;

interface KnownSignature {
  readonly message: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** A memory in front of a verifier. It gives the verifier's results, whatever it remembers. */
export class RememberedSignatures {
  readonly #verify: VerifySignature;
  readonly #capacity: number;
  readonly #known = new Map<string, KnownSignature>();
  readonly #transactions = new WeakSet<Transaction>();

  constructor(verify: VerifySignature, capacity = CAPACITY) {
    this.#verify = verify;
    this.#capacity = capacity;
  }

  /** Signatures that are remembered. */
  get size(): number {
    return this.#known.size;
  }

  /** Checks a signature unless it is remembered as valid. */
  readonly verify: VerifySignature = (signature, message, publicKey) => {
    if (this.isKnown(signature, message, publicKey)) return true;
    const isValid = this.#verify(signature, message, publicKey);
    if (isValid) this.remember(signature, message, publicKey);
    return isValid;
  };

  /** True when the signature was found valid for this message and key. */
  isKnown(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
    const known = this.#known.get(keyOf(signature));
    return known !== undefined && equalBytes(known.message, message) && equalBytes(known.publicKey, publicKey);
  }

  /** True for a transaction, this object, whose signature was found valid. */
  readonly isSigned = (tx: Transaction): boolean => this.#transactions.has(tx);

  /** Notes a transaction, which is never changed, whose signature a verifier of the same rule found valid. */
  rememberTransaction(tx: Transaction): void {
    this.#transactions.add(tx);
  }

  /** Notes a signature that a verifier of the same rule found valid. The bytes must not be changed afterwards. */
  remember(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): void {
    this.#known.set(keyOf(signature), { message, publicKey });
    if (this.#known.size <= this.#capacity) return;
    const oldest = this.#known.keys().next();
    if (!oldest.done) this.#known.delete(oldest.value);
  }
}

function keyOf(signature: Uint8Array): string {
  return Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength).toString("latin1");
}
