// What a joining node does at a moment, and how far that is, as far as it can be known.
import type { Height } from "#shared/protocol/chain/header.ts";

/**
 * In this order, but that a node goes back where something could not be had: `peers` looks for nodes that serve a state, `header` verifies its
 * header, `records` fetches it, `sort` puts its records in order; `headers`, `receipts`, `block` and `validators` fetch what the next blocks
 * need beside it; `store` writes the chain.
 */
export type JoinStepName = "peers" | "header" | "records" | "sort" | "headers" | "receipts" | "block" | "validators" | "store";

/** One step. */
export interface JoinStep {
  readonly name: JoinStepName;
  /** The block whose state is fetched, once it is chosen. */
  readonly height?: Height;
  /** Connected nodes that serve a state, parts that are sorted, headers, blocks whose receipts came, or sets of validators. */
  readonly done?: number;
  /** Of all those; about, for headers. */
  readonly total?: number;
  /** Bytes that this step has fetched. */
  readonly bytes?: number;
}

/** Called whenever something of it changes. */
export type OnJoinStep = (step: JoinStep) => void;
