// What a light node knows of the chain: headers that the validators signed, and what peers serve, checked against them.
import type { Namespace } from "#node/ledger/state-view.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { LeafWithProof } from "./wire/light-responses.ts";

/** A record of the state by its place. */
export interface StateKey {
  readonly namespace: Namespace;
  readonly key: Uint8Array;
}

/** Records of one state, each proven to be there or not. */
export interface ProvenRecords {
  /** The block after which the state was so. */
  readonly at: TrustedBlock;
  /** One for each key asked, in that order; undefined where the state holds nothing. */
  readonly values: readonly (Uint8Array | undefined)[];
}

/** A whole block, its transactions and receipts checked against the roots of a verified header. */
export interface ProvenBody {
  readonly at: TrustedBlock;
  readonly block: Block;
  readonly receipts: readonly Receipt[];
}

/** A transaction in a verified block. */
export interface ProvenTransaction {
  readonly at: TrustedBlock;
  readonly transaction: Transaction;
  readonly receipt: Receipt;
  /** Place in the block. */
  readonly position: number;
  /** What leads from it to the roots of the header. */
  readonly proof: LeavesInBlock;
}

/** A transaction and its receipt, encoded, among those of their block. */
export interface LeavesInBlock {
  /** Transactions of the block. */
  readonly count: number;
  readonly transaction: LeafWithProof;
  readonly receipt: LeafWithProof;
}

/** Part of the history of an account, proven complete by the rolling hash of its record. */
export interface ProvenHistory {
  readonly at: TrustedBlock;
  /** Entries of the whole history. */
  readonly count: number;
  /** Ids of the entries asked, newest first. */
  readonly entryIds: readonly string[];
}

/**
 * Reads of the chain through peers. What is returned was proven; a peer that answers something else is reported and another one is asked.
 * All throw CodedError UPSTREAM_FAILED when no peer has a response that verifies.
 */
export interface LightSource {
  /** The newest verified block. */
  tip(): TrustedBlock;
  /** Calls back after each change of the tip; returns the way to stop that. */
  onTip(listener: (tip: TrustedBlock) => void): () => void;
  /** The verified block of a height up to the tip; undefined above it. */
  blockAt(height: Height): Promise<TrustedBlock | undefined>;
  /** Records of the newest state that a peer has, all of the same one. */
  records(keys: readonly StateKey[]): Promise<ProvenRecords>;
  /** Transactions and receipts of a block; undefined above the tip. */
  body(height: Height): Promise<ProvenBody | undefined>;
  /** Undefined when no peer knows the id: absence cannot be proven, so two peers are asked where there are two. */
  transaction(id: string): Promise<ProvenTransaction | undefined>;
  /** `offset` entries from the newest are left out. */
  history(account: PublicKeyHex, page: { readonly limit: number; readonly offset: number }): Promise<ProvenHistory>;
  /**
   * The response of a peer's public interface to a read: **not proven**. For what no proof exists: lists and totals.
   * @throws CodedError the peer's own for an expected failure
   */
  readUnverified(operation: string, input: unknown): Promise<unknown>;
  /**
   * Hands a signed transaction to peers; resolves when one has taken it in.
   * @throws CodedError the reason of the peers when all that answered refused it
   */
  submit(transaction: Transaction): Promise<{ readonly warning?: string }>;
}
