// What two devices say to each other while one is linked: deterministic CBOR in a padded frame. Everything is checked before anything is
// built from it, although only a holder of the code can write at all.
//   ff 50 4c 4c | version u8 = 1 | length u32 | CBOR | zeros up to a Padmé length, at least 512
import { type Codec, encode, tryDecode } from "#shared/codec/codec.ts";
import { defaultsTo, keyed, omissible, unionMap } from "#shared/codec/maps.ts";
import { boolean, bytes, bytesUpTo, hex, integer, textUpTo, word } from "#shared/codec/scalars.ts";
import { key, typedText } from "#shared/content/content-fields.ts";
import { padmeLength } from "#shared/content/padme.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { MAX_DEVICE_NAME_BYTES, MAX_NICKNAME_BYTES } from "#shared/protocol/primitives/limits.ts";
import { concatBytes } from "#shared/util/bytes.ts";

/** Largest part of a transfer, bytes. */
export const MAX_PART_BYTES = 171_000;
/** Longest mark of a position in it, characters. */
export const MAX_MARK_CHARS = 128;
/** Most parts of one request. */
export const MAX_WINDOW = 8;
/** Most parts that may be under way to a device that puts them in order itself. */
export const MAX_AHEAD = 64;

/** Why a linking ended. */
export type LinkEnd = (typeof LINK_ENDS)[number];
const LINK_ENDS = ["cancelled", "expired", "used", "wrongDigits", "broken", "interrupted", "done"] as const;

/** Keys of the device that wants to be linked, and its name in the list of devices. */
export interface NewDevice {
  readonly devicePub: X25519KeyHex;
  readonly signingPub: PublicKeyHex;
  readonly name: string;
}

/** What the old device gives: whose device it is now, and the master key's word for it. */
export interface LinkGrant {
  readonly masterPub: PublicKeyHex;
  /** Hex of 64 bytes. */
  readonly certificate: string;
  /** Name that the person chose; may be "". */
  readonly profileName: string;
  /** Whether anything follows. */
  readonly hasHistory: boolean;
}

export type LinkMessage =
  | { readonly kind: "hello"; readonly commitment: Uint8Array }
  | { readonly kind: "offer"; readonly key: Uint8Array }
  | { readonly kind: "reveal"; readonly key: Uint8Array; readonly nonce: Uint8Array }
  | ({ readonly kind: "device" } & NewDevice)
  | ({ readonly kind: "grant" } & LinkGrant)
  | LinkWant
  | LinkPart
  | { readonly kind: "end"; readonly reason: LinkEnd };

/** Asks for so many parts after a mark; "" is the beginning. */
export interface LinkWant {
  readonly kind: "want";
  readonly after: string;
  readonly window: number;
  /** Of large files, too. */
  readonly large?: boolean;
  /** Instead of `window`: so many parts may be under way, in any order. All up to the mark have come. */
  readonly ahead?: number;
  /** With `ahead`: what is under way counts as lost. */
  readonly again?: boolean;
}

/** A part of a transfer, between two marks. */
export interface LinkPart {
  readonly kind: "part";
  readonly from: string;
  readonly next: string;
  readonly isLast: boolean;
  /** Of so many things in all, so many are behind the next mark. */
  readonly done: number;
  readonly total: number;
  readonly data: Uint8Array;
  /** The sender knows `ahead`. */
  readonly steady?: boolean;
}

/** What is said under the code alone. Everything else needs the keys of both devices. */
export const RENDEZVOUS_KINDS: ReadonlySet<LinkMessage["kind"]> = new Set(["hello", "offer", "reveal", "end"]);
/** What is said under the keys of both devices. */
export const SESSION_KINDS: ReadonlySet<LinkMessage["kind"]> = new Set(["device", "grant", "want", "part", "end"]);

const MAGIC = Uint8Array.of(0xff, 0x50, 0x4c, 0x4c, 1);
const HEAD_BYTES = MAGIC.length + 4;
const MIN_BYTES = 512;
const MAX_BYTES = 192_512;
const SHAPE = { maxDepth: 2, maxItems: 32 } as const;

const sessionKey = bytes(32);
const mark = defaultsTo(textUpTo(MAX_MARK_CHARS), "");

const messageCodec: Codec<LinkMessage> = unionMap("kind", {
  hello: { commitment: bytes(32) },
  offer: { key: sessionKey },
  reveal: { key: sessionKey, nonce: bytes(16) },
  device: { devicePub: keyed("dev", key), signingPub: keyed("sign", key), name: typedText(MAX_DEVICE_NAME_BYTES, 1) },
  grant: {
    masterPub: keyed("master", key),
    certificate: keyed("cert", hex(64)),
    profileName: keyed("name", defaultsTo(typedText(MAX_NICKNAME_BYTES), "")),
    hasHistory: keyed("history", boolean),
  },
  want: {
    after: mark,
    window: integer(1, MAX_WINDOW),
    large: omissible(boolean),
    ahead: omissible(integer(1, MAX_AHEAD)),
    again: omissible(boolean),
  },
  part: {
    from: mark,
    next: mark,
    isLast: keyed("last", boolean),
    done: integer(),
    total: integer(),
    data: bytesUpTo(MAX_PART_BYTES),
    steady: omissible(boolean),
  },
  end: { reason: word(LINK_ENDS, "reason") },
});

/** Padded bytes of a message. @throws RangeError when a limit is exceeded. */
export function encodeLinkMessage(message: LinkMessage): Uint8Array {
  const content = encode(messageCodec, message);
  const bytes = new Uint8Array(padmeLength(Math.max(MIN_BYTES, HEAD_BYTES + content.length)));
  if (bytes.length > MAX_BYTES) throw new RangeError(`The message has ${content.length} bytes and does not fit in an envelope`);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, content.length);
  bytes.set(concatBytes(MAGIC, length, content));
  return bytes;
}

/** The message of these bytes, or undefined when they are none. Never throws. */
export function decodeLinkMessage(bytes: Uint8Array): LinkMessage | undefined {
  if (bytes.length < HEAD_BYTES || bytes.length > MAX_BYTES || !MAGIC.every((byte, index) => bytes[index] === byte)) return undefined;
  const end = HEAD_BYTES + new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(MAGIC.length);
  if (bytes.length !== padmeLength(Math.max(MIN_BYTES, end)) || bytes.subarray(end).some((byte) => byte !== 0)) return undefined;
  return tryDecode(messageCodec, bytes.subarray(HEAD_BYTES, end), SHAPE);
}
