// What a peer says there is: where to look. Each is looked up and proven, and what is not there is left out.

import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import type { StateKey } from "../light-source.ts";

/** A payment channel with the transactions that are said to have opened and closed it. */
export interface ChannelHint {
  readonly channelId: string;
  readonly openTx: string;
  readonly closeTx: string | null;
}

/** Who gets the reward of a block, and what its network began with. */
export interface Rewarded {
  readonly to: PublicKeyHex;
  readonly first: NetworkParams;
}

/** Where a read that would walk over records or an index looks instead. */
export interface Hints {
  /** Records that a walk over the state may meet. */
  readonly records?: readonly StateKey[];
  /** Ids of contracts in the order of a list. */
  readonly contracts?: readonly string[];
  /** Keys that a requester may have asked for contact. */
  readonly recipients?: readonly string[];
  readonly channels?: readonly ChannelHint[];
  /** Transactions that may have made a contract log something. */
  readonly logTransactions?: readonly string[];
  /** Blocks that a node is said to have proposed: no proof exists of those before the state counted them. */
  readonly blocksProduced?: number;
  /** From which block on it counts them; absent where it counts all. */
  readonly countedFrom?: number;
  /** Who got the reward of the block that the read asks for. */
  readonly rewarded?: Rewarded;
}
