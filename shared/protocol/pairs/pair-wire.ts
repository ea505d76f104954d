// Forms 02, 03 and 04 of what is inside the NaCl box of an envelope, of exactly one of four sizes:
//   ff 50 4c 51 | 02 | card id 8 | hedge 16 | X-Wing ciphertext 1120 | AES-256-GCM of: length u32 | content | zeros
//   ff 50 4c 51 | 03 | card id 8 | hedge 16 | X-Wing ciphertext 1120 | AES-256-GCM of the sender's keys 64 | AES-256-GCM as above
//   ff 50 4c 51 | 04 | as of 03, and the content is that of a pair
// The nonce of the cipher is 0, as each key is used once.
import { concatBytes, fromHex, toHex } from "#shared/util/bytes.ts";
import { CARD_ID_BYTES, X_WING_CIPHERTEXT_BYTES } from "./pair-bytes.ts";

/** Number of the form for a pair of devices. */
export const PAIR_FORM = 2 as const;
/** Number of the form for a public card: its id says nothing of the sender, so the sender's keys come along. */
export const PUBLIC_FORM = 3 as const;
/** Number of the form in which a content of a pair is sealed to a public card. */
export const PUBLIC_PAIR_FORM = 4 as const;

/** Number of a form. */
export type PairForm = typeof PAIR_FORM | typeof PUBLIC_FORM | typeof PUBLIC_PAIR_FORM;

/** Bytes of the plaintext of an envelope: contents of one size class look alike. */
export const PAIR_SIZES = [3_072, 12_288, 49_152, 192_512] as const;
/** Bytes of a hedge. */
export const HEDGE_BYTES = 16;

const MAGIC = Uint8Array.of(0xff, 0x50, 0x4c, 0x51);
const ID_AT = MAGIC.length + 1;
const HEDGE_AT = ID_AT + CARD_ID_BYTES;
const CIPHERTEXT_AT = HEDGE_AT + HEDGE_BYTES;
const SEALED_AT = CIPHERTEXT_AT + X_WING_CIPHERTEXT_BYTES;
const TAG_BYTES = 16;
/** Master key and device key of a sender. */
const SENDER_BYTES = 64;
const FROM_BYTES: number = SENDER_BYTES + TAG_BYTES;
const LENGTH_BYTES = 4;

/** A pair envelope in its parts. */
export interface PairParts {
  /** Hex of 8 bytes. */
  readonly cardId: string;
  readonly hedge: Uint8Array;
  /** Of X-Wing. */
  readonly ciphertext: Uint8Array;
  /** The sender's keys, sealed with their tag: of the forms for a public card, and of no other. */
  readonly from?: Uint8Array;
  /** Beside `from`: the content is that of a pair. */
  readonly isOfPair?: true;
  /** Of the padded content, with its tag. */
  readonly sealed: Uint8Array;
}

/** Number of the form that parts belong to. */
export function formOf({ from, isOfPair }: Pick<PairParts, "from" | "isOfPair">): PairForm {
  if (from === undefined) return PAIR_FORM;
  return isOfPair === true ? PUBLIC_PAIR_FORM : PUBLIC_FORM;
}

/** Longest content, bytes. */
export const MAX_PAIR_CONTENT_BYTES: number = roomOf(PAIR_SIZES[3], PAIR_FORM);
/** Longest content for a public card, bytes. */
export const MAX_PUBLIC_CONTENT_BYTES: number = roomOf(PAIR_SIZES[3], PUBLIC_FORM);

/** Bytes of the size class that a content of this length is sent in; undefined for one that fits in none. */
export function pairSize(contentLength: number, form: PairForm = PAIR_FORM): number | undefined {
  return PAIR_SIZES.find((size) => contentLength <= roomOf(size, form));
}

/** A content with its length, padded for its size class. @throws RangeError when it fits in none. */
export function padContent(content: Uint8Array, form: PairForm = PAIR_FORM): Uint8Array {
  const size = pairSize(content.length, form);
  if (size === undefined) throw new RangeError(`The content has ${content.length} bytes and does not fit in an envelope`);
  const frame = new Uint8Array(LENGTH_BYTES + roomOf(size, form));
  new DataView(frame.buffer).setUint32(0, content.length);
  frame.set(content, LENGTH_BYTES);
  return frame;
}

/** The content of a frame; undefined for one that is not padded as {@link padContent} does. */
export function unpadContent(frame: Uint8Array, form: PairForm = PAIR_FORM): Uint8Array | undefined {
  if (frame.length < LENGTH_BYTES) return undefined;
  const length = new DataView(frame.buffer, frame.byteOffset, frame.byteLength).getUint32(0);
  const end = LENGTH_BYTES + length;
  const isPadded = pairSize(length, form) === frame.length + SEALED_AT + fromBytes(form) + TAG_BYTES;
  return isPadded && frame.subarray(end).every((byte) => byte === 0) ? frame.slice(LENGTH_BYTES, end) : undefined;
}

/** Plaintext of the box of a pair envelope. */
export function writePair(parts: PairParts): Uint8Array {
  const { cardId, hedge, ciphertext, from = new Uint8Array(), sealed } = parts;
  return concatBytes(MAGIC, Uint8Array.of(formOf(parts)), fromHex(cardId), hedge, ciphertext, from, sealed);
}

/**
 * The parts of a plaintext: `other` for one that is no form of this family, `newer` for one of a form that is not known, `invalid` for one of
 * another length than its form has. Never throws.
 */
export function readPair(plaintext: Uint8Array): PairParts | "other" | "newer" | "invalid" {
  if (!MAGIC.every((byte, index) => plaintext[index] === byte)) return "other";
  const form = plaintext[MAGIC.length];
  if (form !== PAIR_FORM && form !== PUBLIC_FORM && form !== PUBLIC_PAIR_FORM) return "newer";
  if (!(PAIR_SIZES as readonly number[]).includes(plaintext.length)) return "invalid";
  return {
    cardId: toHex(plaintext.subarray(ID_AT, HEDGE_AT)),
    hedge: plaintext.slice(HEDGE_AT, CIPHERTEXT_AT),
    ciphertext: plaintext.slice(CIPHERTEXT_AT, SEALED_AT),
    ...(form !== PAIR_FORM && { from: plaintext.slice(SEALED_AT, SEALED_AT + FROM_BYTES) }),
    ...(form === PUBLIC_PAIR_FORM && { isOfPair: true }),
    sealed: plaintext.slice(SEALED_AT + fromBytes(form)),
  };
}

/** Where all forms so far have the id of the card: hex of 8 bytes of any plaintext, "" of one that is too short. */
export function cardIdOf(plaintext: Uint8Array): string {
  return plaintext.length < HEDGE_AT ? "" : toHex(plaintext.subarray(ID_AT, HEDGE_AT));
}

/** Bytes of content that a size class has room for. */
function roomOf(size: number, form: PairForm): number {
  return size - SEALED_AT - fromBytes(form) - TAG_BYTES - LENGTH_BYTES;
}

/** Bytes between the ciphertext of X-Wing and the content. */
function fromBytes(form: PairForm): number {
  return form === PAIR_FORM ? 0 : FROM_BYTES;
}
