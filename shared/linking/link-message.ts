// What two devices say to each other while one is linked: deterministic CBOR in a padded frame. Everything is checked before anything is
// built from it, although only a holder of the code can write at all.
//   ff 50 4c 4c | version u8 = 1 | length u32 | CBOR | zeros up to a Padmé length, at least 512
import { hasBoundedShape } from "#shared/content/cbor-shape.ts";
import {
  booleanOf,
  bytesOf,
  checkedInteger,
  checkedText,
  type Fields,
  fieldsOf,
  hexOf,
  integerOf,
  keyOf,
  optionalTextOf,
  textOf,
} from "#shared/content/content-fields.ts";
import { padmeLength } from "#shared/content/padme.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type CborValue, decodeCbor, encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { MAX_DEVICE_NAME_BYTES, MAX_NICKNAME_BYTES } from "#shared/protocol/primitives/limits.ts";
import { concatBytes, fromHex } from "#shared/util/bytes.ts";

/** Largest part of what is handed over, bytes. */
export const MAX_PART_BYTES = 171_000;
/** Longest mark of a place in it, characters. */
export const MAX_MARK_CHARS = 128;
/** Most parts that may be under way. */
export const MAX_WINDOW = 8;

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

/** One message. */
export type LinkMessage =
  | { readonly kind: "hello"; readonly commitment: Uint8Array }
  | { readonly kind: "offer"; readonly key: Uint8Array }
  | { readonly kind: "reveal"; readonly key: Uint8Array; readonly nonce: Uint8Array }
  | ({ readonly kind: "device" } & NewDevice)
  | ({ readonly kind: "grant" } & LinkGrant)
  /** Asks for so many parts after a mark; "" is the beginning. */
  | { readonly kind: "want"; readonly after: string; readonly window: number }
  | LinkPart
  | { readonly kind: "end"; readonly reason: LinkEnd };

/** A part of what is handed over: it stands between two marks. */
export interface LinkPart {
  readonly kind: "part";
  readonly from: string;
  readonly next: string;
  readonly isLast: boolean;
  /** Of so many things in all, so many are behind the next mark. */
  readonly done: number;
  readonly total: number;
  readonly data: Uint8Array;
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
const KEY_BYTES = 32;
const NONCE_BYTES = 16;
const CERTIFICATE_BYTES = 64;
const MAX_KIND_CHARS = 16;

/** Padded bytes of a message. @throws RangeError when a limit is exceeded. */
export function encodeLinkMessage(message: LinkMessage): Uint8Array {
  const content = encodeCbor({ kind: message.kind, ...fieldsTo(message) });
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
  const content = bytes.subarray(HEAD_BYTES, end);
  if (!hasBoundedShape(content, SHAPE)) return undefined;
  try {
    return messageOf(fieldsOf(decodeCbor(content)));
  } catch {
    return undefined;
  }
}

function fieldsTo(message: LinkMessage): Readonly<Record<string, CborValue>> {
  switch (message.kind) {
    case "hello":
      return { commitment: message.commitment };
    case "offer":
      return { key: message.key };
    case "reveal":
      return { key: message.key, nonce: message.nonce };
    case "device": {
      const { devicePub, signingPub, name } = message;
      return { dev: fromHex(devicePub), sign: fromHex(signingPub), name: checkedText(name, 1, MAX_DEVICE_NAME_BYTES) };
    }
    case "grant": {
      const { masterPub, certificate, profileName, hasHistory } = message;
      const name = checkedText(profileName, 0, MAX_NICKNAME_BYTES);
      return { master: fromHex(masterPub), cert: fromHex(certificate), name, history: hasHistory };
    }
    case "want":
      return { after: checkedText(message.after, 0, MAX_MARK_CHARS), window: checkedInteger(message.window, 1, MAX_WINDOW) };
    case "part": {
      const { from, next, isLast, done, total, data } = message;
      return { from, next, last: isLast, done: checkedInteger(done, 0), total: checkedInteger(total, 0), data: checkedData(data) };
    }
    case "end":
      return { reason: message.reason };
    default:
      return message satisfies never;
  }
}

function messageOf(fields: Fields): LinkMessage | undefined {
  switch (textOf(fields.kind, MAX_KIND_CHARS)) {
    case "hello":
      return { kind: "hello", commitment: bytesOf(fields.commitment, KEY_BYTES, KEY_BYTES) };
    case "offer":
      return { kind: "offer", key: bytesOf(fields.key, KEY_BYTES, KEY_BYTES) };
    case "reveal":
      return {
        kind: "reveal",
        key: bytesOf(fields.key, KEY_BYTES, KEY_BYTES),
        nonce: bytesOf(fields.nonce, NONCE_BYTES, NONCE_BYTES),
      };
    case "device":
      return {
        kind: "device",
        devicePub: keyOf(fields.dev),
        signingPub: keyOf(fields.sign),
        name: textOf(fields.name, MAX_DEVICE_NAME_BYTES),
      };
    case "grant":
      return {
        kind: "grant",
        masterPub: keyOf(fields.master),
        certificate: hexOf(fields.cert, CERTIFICATE_BYTES),
        profileName: optionalTextOf(fields.name, MAX_NICKNAME_BYTES),
        hasHistory: booleanOf(fields.history),
      };
    case "want":
      return { kind: "want", after: optionalTextOf(fields.after, MAX_MARK_CHARS), window: integerOf(fields.window, 1, MAX_WINDOW) };
    case "part":
      return {
        kind: "part",
        from: optionalTextOf(fields.from, MAX_MARK_CHARS),
        next: optionalTextOf(fields.next, MAX_MARK_CHARS),
        isLast: booleanOf(fields.last),
        done: integerOf(fields.done, 0),
        total: integerOf(fields.total, 0),
        data: bytesOf(fields.data, 0, MAX_PART_BYTES),
      };
    case "end":
      return { kind: "end", reason: endOf(fields.reason) };
    default:
      return undefined;
  }
}

function checkedData(data: Uint8Array): Uint8Array {
  if (data.length > MAX_PART_BYTES) throw new RangeError(`A part has at most ${MAX_PART_BYTES} bytes, not ${data.length}`);
  return data;
}

function endOf(value: CborValue | undefined): LinkEnd {
  const reason = LINK_ENDS.find((known) => known === value);
  if (reason === undefined) throw new TypeError("not a reason");
  return reason;
}
