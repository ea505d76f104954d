// What the messenger needs of a node. The interface implements it over the typed client and the live connection.

import type { BoxName, SealedEnvelope } from "#shared/keyring/keyring-api.ts";
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { BoxDeletion } from "#shared/protocol/mail/box-proof.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicCardOwner } from "#shared/protocol/pairs/card-id.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Encryption keys that an identity has published: `/api/devices/…` and `/api/identity/…`. */
export interface PublishedKeys {
  /** Keys of the active linked devices. */
  readonly devices: readonly X25519KeyHex[];
  /** The identity's own key, or "" when none is published (also for an unknown identity). */
  readonly identityKey: X25519KeyHex | "";
  /** Unix seconds at which each device was linked, where the node says it. */
  readonly linkedAt?: Readonly<Record<X25519KeyHex, number>>;
}

/**
 * What a node has of the transaction in which a key was published: its JSON, unchecked; `absent` when it holds the whole history and
 * none publishes the key, `unknown` when it cannot say.
 */
export type KeyPublication = object | "absent" | "unknown";

/** What is looked for on the chain: the first TRANSFER of an owner to themself that names a log, in blocks above a height. */
export interface WantedTransfer {
  readonly owner: PublicKeyHex;
  /** 16 bytes in hex. */
  readonly logId: string;
  readonly after: Height;
}

/**
 * What one look found: the entry that it names and the height of its block, or undefined. `seen`: nothing is there up to this height;
 * `hasMore`: there is more above it, for the next look.
 */
export interface TransferSearch {
  readonly found: { readonly entry: string; readonly height: Height } | undefined;
  readonly seen: Height;
  readonly hasMore: boolean;
}

/** Sealed copies of one message that the node is to send at a time. */
export interface HeldMail {
  /** 32 random bytes in hex: whoever knows them can replace or take back the copies. */
  readonly name: string;
  /** Unix seconds. */
  readonly notBefore: number;
  readonly envelopes: readonly SealedEnvelope[];
}

/** What a node says of copies, and the X25519 key by which it is known again. `unknown`: it never had them, or has forgotten them. */
export interface HeldState<Status extends string> {
  readonly status: Status;
  readonly relayPub: X25519KeyHex;
}

/** Copies of one message that a node holds, at most. */
export const MAX_HELD_ENVELOPES = 64;
/** Bytes of them as JSON, at most. */
export const MAX_HELD_BYTES = 524_288;
/** A node holds copies for so long, ms. */
export const MAX_HELD_MS = 30 * 86_400_000;

/** An envelope in the mailbox, fields as the node names them. */
export interface InboxEntry {
  readonly id: string;
  /** Position in the node's order of arrival. */
  readonly seq: number;
  readonly sender_pub: X25519KeyHex;
  readonly sender_ed25519_pub: PublicKeyHex | "";
  readonly nonce: string;
  readonly ciphertext: string;
  readonly sent_at: number;
  /** The box in which it lies; undefined for the lasting mailbox. */
  readonly box?: { readonly peer: PublicKeyHex; readonly generation: number; readonly mailbox: X25519KeyHex };
}

/** Mailboxes that are listed at once. */
export const MAX_LISTED_BOXES = 512;

/** One page of a mailbox in order of arrival. */
export interface InboxPage {
  readonly items: readonly InboxEntry[];
  readonly hasMore: boolean;
  /** False where too few of those that keep the mail have responded to the node: some may be missing. */
  readonly isComplete?: boolean;
}

/** A mailbox of many, from an entry on. */
export interface BoxCursor {
  readonly mailbox: X25519KeyHex;
  /** Position behind which it is listed; 0 for all. */
  readonly after: number;
}

/** What lies in some of many mailboxes. */
export interface BoxPage {
  /** Those with something in them. */
  readonly boxes: readonly (InboxPage & { readonly mailbox: X25519KeyHex })[];
  /** So many of those that were asked for, from the first one on, are listed: the others fit into no page. */
  readonly listed: number;
  /** So many boxes may be subscribed to beside the lasting mailbox. */
  readonly watchable: number;
  /** As of {@link InboxPage}, of all of them. */
  readonly isComplete?: boolean;
}

export type ContactStatus = "pending" | "accepted" | "blocked";

/** A contact request seen from one's own side. */
export interface ContactEntry {
  /** The other party. */
  readonly peer: PublicKeyHex;
  readonly status: ContactStatus;
}

/** Contact requests of an identity, all statuses. */
export interface ContactLists {
  /** Requests that others sent; `blocked` means blocked by this identity. */
  readonly received: readonly ContactEntry[];
  /** Requests that this identity sent. */
  readonly sent: readonly ContactEntry[];
}

/**
 * A node. Calls reject with a CodedError: a status of 400 or 413 is final, everything else may work later.
 * `deleteEnvelope` adds the inbox proof where the node asks for one.
 */
export interface MessengerNode {
  readonly chainId: string;
  /** Chain whose state this one began with: mail from there may still wait. */
  readonly previousChainId?: string | undefined;
  publishedKeys(master: PublicKeyHex): Promise<PublishedKeys>;
  /** The transaction in which a master key published a device's key, or with `linkedAt` undefined the identity's own. */
  keyPublication(master: PublicKeyHex, key: X25519KeyHex, linkedAt: number | undefined): Promise<KeyPublication>;
  /** Looks for the TRANSFER that passes a group on. @throws CodedError HISTORY_PRUNED where the node does not hold those blocks. */
  ownerTransfer(wanted: WantedTransfer): Promise<TransferSearch>;
  contacts(master: PublicKeyHex): Promise<ContactLists>;
  /** With `admit` for an open box: NOT_FOUND also where the node does not know such boxes. */
  broadcast(envelope: SealedEnvelope): Promise<void>;
  /** Has the node hold copies instead of those of the same name. @throws CodedError NOT_FOUND, FORBIDDEN where it holds none for this program. */
  hold(mail: HeldMail): Promise<HeldState<"held" | "left">>;
  /** Takes copies back. What has left stays left. */
  withdraw(name: string): Promise<HeldState<"withdrawn" | "left" | "unknown">>;
  /** Opens a box, or closes it. @throws CodedError NOT_FOUND where the node does not know such boxes. */
  openBox(opening: BoxOpening): Promise<void>;
  /** Publishes the public card of a device. @throws CodedError FORBIDDEN where another one counts; NOT_FOUND where the node does not know cards. */
  publishCard(device: X25519KeyHex, card: Uint8Array): Promise<void>;
  /** The newest public card of a device of a person that the node finds, unchecked; undefined where there is none. */
  publicCard(owner: PublicCardOwner): Promise<Uint8Array | undefined>;
  /** Lists at most {@link MAX_LISTED_BOXES} mailboxes at once, each at most `limit` envelopes. */
  listBoxes(boxes: readonly BoxCursor[], limit: number): Promise<BoxPage>;
  /** Envelopes that arrived after a position (0: all). */
  listInbox(recipient: X25519KeyHex, page: { readonly after: number; readonly limit: number }): Promise<InboxPage>;
  /** `box`: the mailbox where it is one for one person. */
  deleteEnvelope(recipient: X25519KeyHex, id: string, box?: BoxName): Promise<void>;
  /** Deletes envelopes of a mailbox at all nodes, by the signature of its key. @throws CodedError where the node does not take that. */
  deleteSigned(deletion: BoxDeletion): Promise<void>;
  /** Calls back on every arrival for the key, and once after each (re)connection. */
  subscribeInbox(recipient: X25519KeyHex, listener: () => void): () => void;
  /** The newest block that the node knows, and its time in unix seconds where it says that; undefined when it lists none. */
  newestBlock(): Promise<(Checkpoint & { readonly timeS?: number }) | undefined>;
  /** Hash of a block; undefined when the node has none of that height. */
  blockHash(height: Height): Promise<HashHex | undefined>;
  /** Notifies a device that this one is typing; may be lost. */
  sendTyping(to: X25519KeyHex, from: X25519KeyHex): void;
  /** Calls back with the X25519 key of the device that types to the recipient key. */
  subscribeTyping(recipient: X25519KeyHex, listener: (from: X25519KeyHex) => void): () => void;
  isOnline(): boolean;
  /** Calls back when the live connection comes or goes. */
  onOnline(listener: (isOnline: boolean) => void): () => void;
}
