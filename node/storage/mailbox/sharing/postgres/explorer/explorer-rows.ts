// Rows of the explorer as programs write them.
import type { BlockSummary } from "../../../../explorer/block-summary.ts";
import type { ContractSummary } from "../../../../explorer/contract-index-repository.ts";
import type { IndexedLog } from "../../../../explorer/contract-log-repository.ts";

/** What a block adds. */
export interface ExplorerBlock extends Omit<BlockSummary, "txCount"> {
  readonly failed: number;
  readonly reward: { readonly to: string; readonly amountUt: number } | undefined;
  /** Its transactions with their receipts, as nodes store them, in order. */
  readonly records: readonly { readonly id: string; readonly bytes: Uint8Array }[];
  /** In whose history the transaction of a position is listed, the reward included. */
  readonly entries: readonly { readonly position: number; readonly accounts: readonly string[] }[];
  readonly types: readonly (readonly [type: string, count: number])[];
  readonly logs: readonly IndexedLog[];
}

/** A record of the state. */
export interface ExplorerRecord {
  readonly namespace: string;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** A record that changed; without a value it is gone. */
export interface ChangedRecord extends Omit<ExplorerRecord, "value"> {
  readonly value: Uint8Array | undefined;
}

/** A piece of the state: all that lies in a namespace behind a key, up to another one. */
export interface StatePiece {
  readonly namespace: string;
  /** Undefined for its beginning. */
  readonly after: Uint8Array | undefined;
  /** The last key of the piece; undefined for the end of the namespace. */
  readonly to: Uint8Array | undefined;
  readonly records: readonly ExplorerRecord[];
}

/** What is added of the state together with blocks that lead to it, or without any. */
export interface StateAddition {
  /** What the blocks changed; undefined where that is not known, which ends the copy that was begun. */
  readonly changes: readonly ChangedRecord[] | undefined;
  /** Of the state after the newest block, to which the blocks lead; undefined where they do not. */
  readonly newest:
    | {
        readonly piece: StatePiece | undefined;
        /** Where the copy is then. */
        readonly position: string;
        readonly contracts: readonly ContractSummary[];
        readonly hasAllContracts: boolean;
        /** Version of the rules of that block. */
        readonly version: number;
      }
    | undefined;
}
