// Proofs of mailbox keys that were accepted: each counts once, so that a request that was seen cannot be repeated. Those of requests that
// change something are written down: they do not count again after a restart either.
import type { UsedProofRepository } from "#node/storage/mailbox/used-proof-repository.ts";
import { INBOX_PROOF_WINDOW_SECONDS, type ParsedInboxProof } from "#shared/api/inbox-proof.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

/** How much is remembered. */
export interface UsedProofLimits {
  /** Proofs of all addresses. */
  readonly usedProofs: number;
  /** Proofs of one address. */
  readonly usedProofsPerAddress: number;
}

/** Where proofs outlive a restart. */
export type ProofStore = Pick<UsedProofRepository, "since" | "add">;

/** Who shows a proof, and when. */
export interface ProofUse {
  readonly address: string;
  readonly nowSeconds: number;
  /** True for a request that changes something. */
  readonly isLasting?: boolean;
}

/** An accepted proof. */
interface UsedProof {
  readonly unixSeconds: number;
  readonly address: string;
}

/** Hex digits of a proof that are remembered: 52 bits, which a number holds exactly. */
const KEPT_DIGITS = 13;
/** Part of the room that is left when it was full. */
const REMAINING_PART = 7 / 8;

/**
 * Accepted proofs of the time in which they could be shown again. Where there are too many, those of the addresses that showed most are
 * forgotten: everyone can make proofs of keys of their own, and a flood of them must not make others' proofs worthless.
 */
export class UsedProofs {
  readonly #limits: UsedProofLimits;
  readonly #store: ProofStore | undefined;
  readonly #used = new Map<number, UsedProof>();
  readonly #bySecond = new Map<number, Set<number>>();
  readonly #byAddress = new Map<string, Set<number>>();

  constructor(limits: UsedProofLimits, store?: ProofStore, nowSeconds = 0) {
    this.#limits = limits;
    this.#store = store;
    const stored = store?.since(nowSeconds - INBOX_PROOF_WINDOW_SECONDS) ?? [];
    for (const { mac, unixSeconds, address } of stored.slice(0, limits.usedProofs)) this.#remember(mac, { unixSeconds, address });
  }

  /**
   * Takes a proof that was found right; false when it was taken before. A lasting one is durable on return, or with the transaction of the
   * mailbox in which this happens.
   * @throws CodedError RATE_LIMITED when the address has shown its share
   */
  take({ unixSeconds, mac }: ParsedInboxProof, { address, nowSeconds, isLasting = false }: ProofUse): boolean {
    const beforeSec = nowSeconds - INBOX_PROOF_WINDOW_SECONDS;
    this.#forgetBefore(beforeSec);
    const kept = Number.parseInt(mac.slice(0, KEPT_DIGITS), 16);
    if (this.#used.has(kept)) return false;
    if ((this.#byAddress.get(address)?.size ?? 0) >= this.#limits.usedProofsPerAddress)
      throw new CodedError("RATE_LIMITED", "Too many proofs of mailbox keys from this address: wait some minutes");
    if (this.#used.size >= this.#limits.usedProofs) this.#makeRoom();
    if (isLasting) this.#store?.add({ mac: kept, unixSeconds, address }, beforeSec);
    this.#remember(kept, { unixSeconds, address });
    return true;
  }

  #remember(mac: number, { unixSeconds, address }: UsedProof): void {
    this.#used.set(mac, { unixSeconds, address });
    addTo(this.#bySecond, unixSeconds, mac);
    addTo(this.#byAddress, address, mac);
  }

  #forgetBefore(unixSeconds: number): void {
    for (const [second, macs] of this.#bySecond) if (second < unixSeconds) for (const mac of macs) this.#forget(mac);
  }

  #makeRoom(): void {
    const most = this.#limits.usedProofs * REMAINING_PART;
    for (const macs of [...this.#byAddress.values()].sort((a, b) => b.size - a.size)) {
      for (const mac of macs) this.#forget(mac);
      if (this.#used.size <= most) return;
    }
  }

  #forget(mac: number): void {
    const proof = this.#used.get(mac);
    if (proof === undefined) return;
    this.#used.delete(mac);
    removeFrom(this.#bySecond, proof.unixSeconds, mac);
    removeFrom(this.#byAddress, proof.address, mac);
  }
}

function addTo<K>(groups: Map<K, Set<number>>, key: K, mac: number): void {
  const group = groups.get(key) ?? new Set();
  groups.set(key, group.add(mac));
}

function removeFrom<K>(groups: Map<K, Set<number>>, key: K, mac: number): void {
  const group = groups.get(key);
  if (group?.delete(mac) === true && group.size === 0) groups.delete(key);
}
