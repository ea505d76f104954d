// Reads of blocks that a full node does not hold: other nodes have them, and what these send is proven by headers.
import type { ReadQueries } from "./read-queries.ts";

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

/** What other nodes hold. */
export interface ArchiveReads {
  /** True where blocks are missing here that a connected node says it has. */
  readonly canRead: boolean;
  /** The first block of this node. */
  readonly firstHeight: number;
  readonly queries: Pick<ReadQueries, "explorer" | "proofs">;
  /**
   * What the work gives; undefined when it came to nothing, lately or now.
   * @throws CodedError RATE_LIMITED or BUSY when the caller or all together read too much of it
   */
  read<T>(read: ArchiveRead, work: () => Promise<T>): Promise<T | undefined>;
}
