// Whom a light node asks for headers: connected full nodes. What they serve is checked by the caller.
import type { PeerName, PeerOffence } from "#node/network/peer-network.ts";
import type { BlockHeader, HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";

/** A connected node that serves headers, and how far it says that it is. */
export interface LightPeer {
  readonly name: PeerName;
  readonly height: Height;
  /** The first block that it says it serves; 0 where it says nothing. */
  readonly firstHeight?: Height;
  /** The first block of which it may have header and commit at least; that of {@link firstHeight} where it says nothing. */
  readonly firstHeader?: Height;
  /** True when something that it sent was verified, and nothing was false since: anyone can be here under a fresh name and claim heights. */
  readonly isProven: boolean;
}

/** A set of validators that this node has: it need not be sent again. */
export interface KnownSet {
  readonly hash: HashHex;
  readonly validators: ValidatorSet;
}

/** The connected nodes. Requests end in bounded time, also without the signal. */
export interface LightPeers {
  /** Those that can be asked, best first. */
  peers(): readonly LightPeer[];
  /**
   * One block; undefined when the peer says that it has none of that height. A set that is known is not sent, which halves the bytes.
   * @throws CodedError when the peer does not answer in time or answers what is no block; it has then paid for that.
   */
  lightBlock(peer: PeerName, height: Height, signal: AbortSignal, known?: KnownSet): Promise<LightBlock | undefined>;
  /**
   * A header without what proves it; undefined when the peer says that it has none of that height.
   * @throws CodedError as {@link LightPeers.lightBlock}
   */
  header(peer: PeerName, height: Height, signal: AbortSignal): Promise<BlockHeader | undefined>;
  /**
   * Blocks from a height upwards, in order and without gaps: may be fewer than asked, none when the peer lacks the first.
   * @throws CodedError as {@link LightPeers.lightBlock}
   */
  lightBlocks(peer: PeerName, from: Height, count: number, signal: AbortSignal): Promise<readonly LightBlock[]>;
  /** Something that a peer sent was verified. */
  noteProven(peer: PeerName): void;
  /** Lowers the score of a peer; at the bottom it is disconnected and kept away for a while. */
  report(peer: PeerName, offence: PeerOffence): void;
}

/** A block that came with a response of a peer: where it verifies, it need not be requested again. */
export interface OfferedBlock {
  readonly block: LightBlock;
  readonly peer: PeerName;
}
