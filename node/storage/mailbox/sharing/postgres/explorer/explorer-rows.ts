// Rows of the explorer as programs write them.
import type { BlockSummary } from "../../../../explorer/block-summary.ts";

/** What a block adds. */
export interface ExplorerBlock extends Omit<BlockSummary, "txCount"> {
  readonly failed: number;
  readonly reward: { readonly to: string; readonly amountUt: number } | undefined;
  /** Its transactions with their receipts, as nodes store them, in order. */
  readonly records: readonly { readonly id: string; readonly bytes: Uint8Array }[];
  /** In whose history the transaction of a position is listed, the reward included. */
  readonly entries: readonly { readonly position: number; readonly accounts: readonly string[] }[];
  readonly types: readonly (readonly [type: string, count: number])[];
}

/** A record of the state. */
export interface ExplorerRecord {
  readonly namespace: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}
