// What an envelope means for a pair, beside what it means for a chat.
import type { InstanceCard, MessageId } from "#shared/content/content.ts";
import type { IncomingPairContent } from "#shared/content/pairs/pair-content.ts";
import type { SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** A content of a pair that was opened. */
export interface OpenedEvent {
  readonly kind: "opened";
  readonly from: PublicKeyHex;
  readonly device: X25519KeyHex;
  /** Id of the own card of the pair that it was sealed to; null for a public one. */
  readonly cardId: string | null;
  readonly content: IncomingPairContent;
  /** Number of the own box for its person in which it came; undefined for the lasting mailbox. */
  readonly cameIn: number | undefined;
}

/** A card that a device showed in version 1. */
export interface IntroducedEvent {
  readonly kind: "introduced";
  readonly from: PublicKeyHex;
  readonly device: X25519KeyHex;
  readonly id: MessageId;
  readonly at: number;
  readonly shown: InstanceCard;
  /** What vouches for the key that signs the card. */
  readonly prekey: SignedPrekey | undefined;
  /** It came along with something else. */
  readonly isAlong: boolean;
}

/** Something was sealed to a card of a pair and does not open. */
export interface UnopenedEvent {
  readonly kind: "unopened";
  readonly device: X25519KeyHex;
  readonly cardId: string;
}

/** A device wrote version 1. */
export interface OlderEvent {
  readonly kind: "older";
  readonly from: PublicKeyHex;
  readonly device: X25519KeyHex;
}

export type PairEvent = OpenedEvent | IntroducedEvent | UnopenedEvent | OlderEvent;
