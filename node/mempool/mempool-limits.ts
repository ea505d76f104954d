// Limits of the pool of pending transactions. They are this node's policy, not rules of the network.

/** What a pool may hold. */
export interface MempoolLimits {
  readonly transactions: number;
  /** Sum of the encoded sizes. */
  readonly bytes: number;
  readonly perSender: number;
  /** Gas that modules may use while one submission, or what a block leaves behind, is tried out: no fee has paid for it yet. */
  readonly trialGas: number;
}

/** 5,000 transactions of 32 MiB; 512 of one sender, so that a busy service can fill blocks and eight of them leave room for others. */
export const MEMPOOL_LIMITS: MempoolLimits = { transactions: 5_000, bytes: 33_554_432, perSender: 512, trialGas: 2_000_000 };
