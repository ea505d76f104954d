// Reads of blocks that a full node does not hold: other nodes have them, and what these send is proven by headers.
import type { ChainTransaction } from "#shared/api/schemas/chain-v2.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { HistoryRange, ReadQueries } from "./read-queries.ts";

/** Who reads, and what it may cost. */
export interface ArchiveRead {
  /** Name of the read: one that came to nothing is not tried again for a while. */
  readonly name: string;
  /** The caller, as limits count it. */
  readonly address: string;
  /** True for a program of the node's owner. */
  readonly isOwn: boolean;
  /** Requests to peers that it may lead to, about. */
  readonly cost: number;
}

/** The entries of an account that are not here, nor kept. */
export interface EntriesBelow {
  /** The lowest block from which on all are, at the same moment: the first one of this node, or a lower one where entries are kept. */
  readonly firstHeight: Height;
  readonly count: number;
}

/** What other nodes hold. */
export interface ArchiveReads {
  /** Connected nodes that say that they have older blocks than this one. */
  readonly nodes: number;
  /** True where blocks are missing here that a connected node says it has. */
  readonly canRead: boolean;
  /** The first block of this node. */
  readonly firstHeight: number;
  readonly queries: Pick<ReadQueries, "explorer" | "proofs">;
  /** How many entries of an account's history lie below what is whole here: its oldest ones. */
  entriesBelow(account: PublicKeyHex): EntriesBelow;
  /** Entries of the blocks between two heights, among the oldest `count` of an account. @throws CodedError when no node proves them */
  entriesOf(account: PublicKeyHex, range: HistoryRange, count: number): Promise<readonly ChainTransaction[]>;
  /**
   * What the work gives; undefined when it came to nothing, lately or now.
   * @throws CodedError RATE_LIMITED or BUSY when the caller or all together read too much of it
   */
  read<T>(read: ArchiveRead, work: () => Promise<T>): Promise<T | undefined>;
}
