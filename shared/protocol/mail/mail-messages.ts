// What nodes and keepers of mail ask each other (`mail/1`): requests and their responses. docs/network.md has the bytes.

import type { PublicKeyHex } from "../primitives/address.ts";
import type { BoxOpening } from "./box-opening.ts";
import type { BoxDeletion } from "./box-proof.ts";
import type { Envelope, X25519KeyHex } from "./envelope.ts";
import type { MailReceipt } from "./mail-receipt.ts";

/** Envelopes that were deleted, or where nothing proves that, read. */
export interface DeletionNotice {
  readonly mailbox: X25519KeyHex;
  readonly ids: readonly string[];
  /** The owner's; base64. */
  readonly proof: { readonly height: number; readonly signature: string } | null;
}

/** An envelope with what its box takes it by, base64; null for a box that takes everything. */
export interface KeptEnvelope {
  readonly envelope: Envelope;
  readonly admit: string | null;
}

/** Where an envelope is: its box, and its id, hex of 16 bytes. */
export interface MailPlace {
  readonly box: X25519KeyHex;
  readonly id: string;
}

/** A box to list, after the last positions that are known of its keeper: of an envelope, and of a deletion. */
export interface AskedBox {
  readonly box: X25519KeyHex;
  readonly after: number;
  readonly afterDeletion: number;
}

/** An envelope that a keeper has, and when it arrived there, unix seconds. */
export interface KeptPlace extends MailPlace {
  readonly receivedSec: number;
}

/** What a keeper has of a slot, or of a range of it: how many envelopes, and their fingerprint, hex of 32 bytes. */
export interface MailDigest {
  readonly count: number;
  readonly fingerprint: string;
}

/** Of one range: its envelopes when there are few, else digests of the sixteen ranges that it is split into. */
export type RangeAnswer =
  | { readonly is: "list"; readonly entries: readonly KeptPlace[] }
  | { readonly is: "split"; readonly digests: readonly MailDigest[] };

/** What a keeper signs of a slot, as its digest is; the signature is base64. */
export type SignedMailDigest = MailDigest & { readonly signature: string };

/** The same as others show it: with the keeper's key, and what it is of. */
export interface SeenDigest extends SignedMailDigest {
  /** Ed25519 key. */
  readonly keeper: PublicKeyHex;
  readonly slot: number;
  readonly version: number;
}

/** What a keeper is asked. */
export type MailRequest =
  /** Take mail; `passOn` names other keepers that shall get it from this one. Openings come with what they admit. */
  | {
      readonly type: "put";
      readonly items: readonly KeptEnvelope[];
      readonly openings: readonly BoxOpening[];
      readonly passOn: readonly PublicKeyHex[];
    }
  /** Open boxes. */
  | { readonly type: "open"; readonly openings: readonly BoxOpening[] }
  /** List boxes, with their envelopes or with ids alone. `scope` is that of the positions. */
  | { readonly type: "get"; readonly scope: string | null; readonly boxes: readonly AskedBox[]; readonly hasContent: boolean }
  /** What was deleted, or where nothing proves that, read. */
  | { readonly type: "delete"; readonly notices: readonly DeletionNotice[] }
  /** Envelopes by their ids, and deletions of those that are no more. */
  | { readonly type: "fetch"; readonly places: readonly MailPlace[] }
  /** Send `news` of these boxes from now on, in place of those that were named before; `isMore` adds to them. */
  | { readonly type: "watch"; readonly boxes: readonly X25519KeyHex[]; readonly isMore: boolean }
  /** A keeper has something new in boxes that the asked node watches. */
  | { readonly type: "news"; readonly boxes: readonly X25519KeyHex[] }
  /** Someone types to the owner of a box: to a keeper of it, or as news from a keeper to who watches. */
  | { readonly type: "typing"; readonly to: X25519KeyHex; readonly from: X25519KeyHex; readonly isNews: boolean }
  /** From a keeper of these slots to another one: what there is of each. */
  | { readonly type: "digest"; readonly slots: readonly number[] }
  /** Likewise, of ranges of one slot: hex digits with which positions begin. */
  | { readonly type: "ranges"; readonly slot: number; readonly ranges: readonly string[] }
  /** From a keeper of these slots to another one, by `digests/1`: sign what there is of each. `seen` is what others signed of them. */
  | { readonly type: "signed"; readonly version: number; readonly slots: readonly number[]; readonly seen: readonly SeenDigest[] }
  /** What is watched is to stay so, by `watches/1`: how many boxes these are, and the sum that stands for them, hex of 16 bytes. */
  | { readonly type: "renew"; readonly count: number; readonly fingerprint: string }
  /** Take the public card of a device of a person, or with null say which one there is. */
  | { readonly type: "card"; readonly device: X25519KeyHex; readonly person: PublicKeyHex; readonly card: Uint8Array | null };

/** What a keeper lists of a box. */
export interface BoxPage {
  readonly box: X25519KeyHex;
  /** Ids in order of arrival at the keeper. */
  readonly ids: readonly string[];
  /** Position of the last of these, or the one that was asked. */
  readonly lastSeq: number;
  readonly opening: BoxOpening | null;
  readonly deletions: readonly BoxDeletion[];
  /** Position of the last of these, or the one that was asked. */
  readonly lastDeletion: number;
  /** More follows after the last positions. */
  readonly hasMore: boolean;
}

/** What a keeper responds. */
export type MailResponse =
  /** Of no box that was named this node is a keeper, by the directories up to this epoch. */
  | { readonly type: "wrongKeeper"; readonly epoch: number }
  /** This node has too much to do, or no room: ask later. */
  | { readonly type: "busy" }
  /** Done, whatever came of it. */
  | { readonly type: "done" }
  /** Receipts of this keeper and of those that it passed on to; what is in none was not taken. */
  | { readonly type: "receipts"; readonly receipts: readonly MailReceipt[] }
  /** `scope` (hex of 16 bytes) names the store whose positions these are. Of boxes that are left out this node is no keeper. */
  | { readonly type: "page"; readonly scope: string; readonly boxes: readonly BoxPage[]; readonly items: readonly KeptEnvelope[] }
  | {
      readonly type: "mail";
      readonly items: readonly KeptEnvelope[];
      readonly openings: readonly BoxOpening[];
      readonly deletions: readonly BoxDeletion[];
    }
  /** In the order of the slots; null for one that either side does not keep. */
  | { readonly type: "digests"; readonly digests: readonly (MailDigest | null)[] }
  /** In the order of the slots; null for one that either side does not keep, and where nothing may be signed now. */
  | { readonly type: "signed"; readonly digests: readonly (SignedMailDigest | null)[] }
  /** Boxes with something new since the last news; null where this is not what is watched here: then nothing is. */
  | { readonly type: "renewed"; readonly news: readonly X25519KeyHex[] | null }
  /** In the order of the ranges. */
  | { readonly type: "ranges"; readonly answers: readonly RangeAnswer[] }
  /** The newest card of the device here, with what came. */
  | { readonly type: "card"; readonly card: Uint8Array | null };

/** A keeper, and where it is to be reached. */
export interface MailTarget {
  /** Ed25519 key of the node. */
  readonly key: PublicKeyHex;
  /** Null to ask over a connection that is open, and not to dial. */
  readonly multiaddr: string | null;
}
