// Proofs of mailbox keys that were accepted: each counts once, so that a request that was seen cannot be repeated.
import { INBOX_PROOF_WINDOW_SECONDS, type ParsedInboxProof } from "#shared/api/inbox-proof.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

/** How much is remembered. */
export interface UsedProofLimits {
  /** Proofs of all addresses. */
  readonly usedProofs: number;
  /** Proofs of one address. */
  readonly usedProofsPerAddress: number;
}

/** What was accepted for one second of the proofs' own time. */
interface SecondOfProofs {
  readonly macs: Set<number>;
  readonly perAddress: Map<string, number>;
}

/** Hex digits of a proof that are remembered: 52 bits, which a number holds exactly. */
const KEPT_DIGITS = 13;

/** Accepted proofs of the time in which they could be shown again. */
export class UsedProofs {
  readonly #limits: UsedProofLimits;
  readonly #seconds = new Map<number, SecondOfProofs>();
  readonly #perAddress = new Map<string, number>();
  #size = 0;
  /** Proofs up to this second are refused: what was accepted of them is forgotten. */
  #floorSeconds = 0;

  constructor(limits: UsedProofLimits) {
    this.#limits = limits;
  }

  /**
   * Takes a proof that was found right; false when it was taken before, or may have been.
   * @throws CodedError RATE_LIMITED when the address has shown its share
   */
  take({ unixSeconds, mac }: ParsedInboxProof, address: string, nowSeconds: number): boolean {
    this.#forgetBefore(nowSeconds - INBOX_PROOF_WINDOW_SECONDS);
    if (unixSeconds <= this.#floorSeconds) return false;
    const kept = Number.parseInt(mac.slice(0, KEPT_DIGITS), 16);
    if (this.#seconds.get(unixSeconds)?.macs.has(kept) === true) return false;
    const ofAddress = this.#perAddress.get(address) ?? 0;
    if (ofAddress >= this.#limits.usedProofsPerAddress)
      throw new CodedError("RATE_LIMITED", "Too many proofs of mailbox keys from this address: wait some minutes");
    if (this.#size >= this.#limits.usedProofs) this.#forgetOldest();
    const second = this.#seconds.get(unixSeconds) ?? { macs: new Set<number>(), perAddress: new Map<string, number>() };
    this.#seconds.set(unixSeconds, second);
    second.macs.add(kept);
    second.perAddress.set(address, (second.perAddress.get(address) ?? 0) + 1);
    this.#perAddress.set(address, ofAddress + 1);
    this.#size += 1;
    return unixSeconds > this.#floorSeconds;
  }

  #forgetBefore(unixSeconds: number): void {
    for (const second of this.#seconds.keys()) if (second < unixSeconds) this.#forget(second);
  }

  /** Refusing the oldest proofs is safe, forgetting them alone is not. */
  #forgetOldest(): void {
    const oldest = Math.min(...this.#seconds.keys());
    this.#floorSeconds = Math.max(this.#floorSeconds, oldest);
    this.#forget(oldest);
  }

  #forget(unixSeconds: number): void {
    const second = this.#seconds.get(unixSeconds);
    if (second === undefined) return;
    this.#seconds.delete(unixSeconds);
    this.#size -= second.macs.size;
    for (const [address, count] of second.perAddress) {
      const left = (this.#perAddress.get(address) ?? 0) - count;
      if (left > 0) this.#perAddress.set(address, left);
      else this.#perAddress.delete(address);
    }
  }
}
