// What is inside an envelope. A message is identified by its author's master key and a random id, never by time. The fields from,
// fromDevice, to and chainId bind it to its envelope: a NaCl box has no associated data, so they are inside and compared after opening.
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import type { X25519KeyHex } from "#shared/protocol/envelope.ts";

/** Hex of the 16 random bytes of a message. */
export type MessageId = string;

/** Longest text of a message, UTF-8 bytes. */
export const MAX_TEXT_BYTES = 16_384;
/** Most message ids in one receipt or read mark. */
export const MAX_RECEIPT_IDS = 256;
/** Longest plain fallback of a kind, UTF-8 bytes. */
export const MAX_FALLBACK_BYTES = 1_024;
/** Longest name of a kind, characters. */
export const MAX_KIND_CHARS = 32;

/** A message to read. */
export interface TextBody {
  readonly kind: "text";
  readonly text: string;
}

/** What happened to messages of the recipient of the receipt. */
export interface ReceiptBody {
  readonly kind: "receipt";
  readonly status: "delivered" | "read";
  readonly ids: readonly MessageId[];
}

/** To one's own other devices: a message that this device sent. */
export interface SyncSentBody {
  readonly kind: "sync.sent";
  /** Whom it was sent to; oneself for a note. */
  readonly peer: PublicKeyHex;
  readonly id: MessageId;
  readonly at: number;
  readonly body: TextBody;
}

/** To one's own other devices: messages of the peer that were read here. */
export interface SyncReadBody {
  readonly kind: "sync.read";
  readonly peer: PublicKeyHex;
  readonly ids: readonly MessageId[];
}

/** A kind of a later version: kept with its bytes, shown by its fallback. */
export interface UnknownBody {
  readonly kind: "unknown";
  readonly name: string;
  /** Plain text to show instead, or "". */
  readonly fallback: string;
  /** Deterministic CBOR of the body as it came. */
  readonly raw: Uint8Array;
}

/** Bodies that this version writes. */
export type KnownBody = TextBody | ReceiptBody | SyncSentBody | SyncReadBody;

/** Everything that stands around a body. */
export interface ContentFrame {
  readonly id: MessageId;
  readonly from: PublicKeyHex;
  readonly fromDevice: X25519KeyHex;
  readonly to: PublicKeyHex;
  readonly chainId: string;
  /** Milliseconds since 1970, the sender's clock. */
  readonly at: number;
}

/** One content as it is written. */
export interface OutgoingContent extends ContentFrame {
  readonly body: KnownBody;
}

/** One content as it is read. */
export interface IncomingContent extends ContentFrame {
  readonly body: KnownBody | UnknownBody;
}

/** What a plaintext turned out to be. */
export type DecodedPlaintext =
  | { readonly form: "content"; readonly content: IncomingContent }
  /** No content of ours: plain text of another program. */
  | { readonly form: "plain"; readonly text: string }
  /** Content of a later version, of which nothing can be read. */
  | { readonly form: "newer"; readonly version: number }
  | { readonly form: "invalid" };
