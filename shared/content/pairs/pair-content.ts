// What is inside an envelope that is sealed to a card of a pair of devices. Who sent it and for whom is in the key that it is sealed under.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { ShownCard } from "#shared/protocol/pairs/pair-card.ts";
import type { ContentFrame, KnownBody, UnknownBody } from "../content.ts";

/** Most ranges of positions that one acknowledgement names beyond a gap. */
export const MAX_ACK_RANGES = 32;
/** Most cards that one content names as not to be opened. */
export const MAX_LOST_CARDS = 8;

/** Most zeros that a content carries to be as long as another one. */
export const MAX_PAD_BYTES = 16_384;

/** The sender chain of a content, as far as its author has come with it. */
export interface PairStream {
  /** Hex of 8 bytes: names the chain, and the cards and acknowledgements of its author. */
  readonly instance: string;
  /** Last position that was given. */
  readonly last: number;
  /** Highest position that was ever sealed to an earlier card than this content. */
  readonly base: number;
}

/** Positions from the first to the last. */
export interface PositionRange {
  readonly from: number;
  readonly to: number;
}

/** What the author's instance has of a sender chain, stored or decided for good. */
export interface PairAck {
  /** Of the chain that is acknowledged. */
  readonly instance: string;
  /** Everything up to this position. */
  readonly upTo: number;
  /** Hex of 8 bytes: chained digest of the ids of everything up to there. */
  readonly digest: string;
  /** Beyond a gap, ascending. */
  readonly ranges: readonly PositionRange[];
}

/** A mailbox of the author's device for the recipient, who alone writes to it. */
export interface ShownBox {
  readonly mailbox: X25519KeyHex;
  /** Hex of 32 bytes: the Ed25519 seed that signs envelopes for it. */
  readonly writeSeed: string;
  /** The highest counts. */
  readonly generation: number;
}

/** Highest number of a box. */
export const MAX_BOX_GENERATION = 2 ** 32 - 1;

/** Everything around a body between a pair. */
export interface PairFrame extends Pick<ContentFrame, "id" | "at" | "expiresInS" | "group" | "heads" | "block"> {
  readonly stream: PairStream;
  /** Position in the chain; a content without one is not missed when it is lost. */
  readonly place?: number;
  readonly ack?: PairAck;
  /** A card of the author for the recipient. */
  readonly card?: ShownCard;
  /** A box of the author for the recipient. */
  readonly box?: ShownBox;
  /** Bytes of the largest file that the author's device takes; absent where it takes those that are pushed alone. */
  readonly files?: number;
  /** Most mailboxes of one file that the author's device reads; absent where it takes only what it is sent. */
  readonly boxes?: number;
  /** Highest number of a form that the author's device opens; absent where it opens those of its own cards alone, and first contents. */
  readonly form?: number;
  /** Version of groups' logs that the author's program reads: 1 knows bases; absent where it knows none. */
  readonly logs?: number;
  /** Instance of the author before this one. */
  readonly after?: string;
  /** Ids of cards that something was sealed to which did not open. */
  readonly lost?: readonly string[];
}

/** One content as it is written. */
export interface OutgoingPairContent extends PairFrame {
  readonly body: KnownBody;
  /** Zeros, which readers skip. */
  readonly pad?: Uint8Array;
}

/** One content as it is read. */
export interface IncomingPairContent extends PairFrame {
  readonly body: KnownBody | UnknownBody;
}
