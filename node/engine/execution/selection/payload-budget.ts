// How many bytes of large transactions this node puts into blocks over time. They are paid for, and a block has room for two megabytes of
// them; but blocks follow each other as fast as validators can make them, and payments wait for every large one. Each proposer decides that
// for itself, by what the chain holds: all accept any block up to the limits. Time is that of blocks.
import type { Block } from "#shared/protocol/chain/block.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";

/** Encoded bytes of a transaction that never wait: twice the payload that the smallest fee pays for. */
export const ORDINARY_TRANSACTION_BYTES = 8_192;
/** Bytes of transactions beyond that for which there is room: the largest module every 5.5 s. */
export const LARGE_BYTES_PER_S = 49_152;
/** What gathers while nothing large comes. */
export const LARGE_BYTES_BURST = 262_144;
/** Most that a block of others leaves to be waited for: that of the largest module, 6 s. */
export const LARGE_BYTES_DEBT = 393_216;

/**
 * What a transaction counts. Reports of validators count nothing: they must not wait, and there are no more valid ones than offences.
 */
export function largeBytes(tx: Transaction): number {
  return tx.type === "SLASH" ? 0 : Math.max(0, encodeTransaction(tx).length - ORDINARY_TRANSACTION_BYTES);
}

/** Follows what the blocks hold. */
export class PayloadBudget {
  /** Bytes for which there is room at `#atMs`; below zero while the last ones are waited for. */
  #bytes = 0;
  /** What this node's own share would allow it: proposers that take more than theirs cannot keep large transactions out of its blocks. */
  #ownBytes = -LARGE_BYTES_BURST;
  #atMs: number;
  #validators: number;

  /** Begins with nothing gathered: a start gives no room that was used before. */
  constructor(atMs: number, validators: number) {
    this.#atMs = atMs;
    this.#validators = validators;
  }

  /** A block became final; `ownKey` is that of this node, `validators` how many may propose the next one. */
  committed({ header, transactions }: Pick<Block, "header" | "transactions">, ownKey: PublicKeyHex | undefined, validators: number): void {
    const bytes = transactions.reduce((sum, tx) => sum + largeBytes(tx), 0);
    const isOwn = header.proposer === ownKey;
    this.#ownBytes = this.#ownBytesAt(header.timeMs) - (isOwn ? bytes : 0);
    const left = this.#bytesAt(header.timeMs);
    this.#bytes = Math.max(left - bytes, Math.min(left, -LARGE_BYTES_DEBT));
    this.#atMs = Math.max(this.#atMs, header.timeMs);
    this.#validators = validators;
  }

  /** Bytes of large transactions for which a block of this time has room; the last one may go beyond. */
  roomAt(timeMs: number): number {
    const bytes = this.#bytesAt(timeMs);
    if (bytes > 0) return bytes;
    return this.#ownBytesAt(timeMs) >= 0 ? 1 : 0;
  }

  /** How long after this time anyone's block has room for a large transaction again; 0 when it has. */
  waitMs(timeMs: number): number {
    const bytes = this.#bytesAt(timeMs);
    return bytes > 0 ? 0 : Math.floor((-bytes * 1_000) / LARGE_BYTES_PER_S) + 1;
  }

  #bytesAt(timeMs: number): number {
    return Math.min(LARGE_BYTES_BURST, this.#bytes + this.#passedS(timeMs) * LARGE_BYTES_PER_S);
  }

  #ownBytesAt(timeMs: number): number {
    return Math.min(0, this.#ownBytes + (this.#passedS(timeMs) * LARGE_BYTES_PER_S) / Math.max(1, this.#validators));
  }

  #passedS(timeMs: number): number {
    return Math.max(0, timeMs - this.#atMs) / 1_000;
  }
}
