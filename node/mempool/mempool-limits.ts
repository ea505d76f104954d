// Limits of the pool of pending transactions. They are this node's policy, not rules of the network.

/** What a pool may hold. */
export interface MempoolLimits {
  readonly transactions: number;
  /** Sum of the encoded sizes. */
  readonly bytes: number;
  readonly perSender: number;
  /** The same of one sender, but for a single transaction. */
  readonly perSenderBytes: number;
  /** Bytes of large transactions, as blocks count them: what they have room for in some time, and not what comes in seconds. */
  readonly largeBytes: number;
  /** How many times the fee for its share of a block a large transaction must offer to displace another one. */
  readonly largeRaise: number;
  /**
   * Gas that modules may use while one submission is tried out, and what a block leaves behind where modules run in the pool: no fee has paid
   * for it yet.
   */
  readonly trialGas: number;
}

/** 5,000 transactions of 32 MiB; of one sender 512 and a quarter of the bytes, so that a busy service can fill blocks and leaves room. */
export const MEMPOOL_LIMITS: MempoolLimits = {
  transactions: 5_000,
  bytes: 33_554_432,
  perSender: 512,
  perSenderBytes: 8_388_608,
  largeBytes: 2_097_152,
  largeRaise: 1.25,
  trialGas: 2_000_000,
};
