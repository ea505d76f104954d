// Messages of STUN (RFC 8489) and TURN (RFC 8656), read within bounds and written. Whatever comes is hostile: what is not exactly a message
// is none. Pure.

/** First 32 bits after type and length of every message. */
export const MAGIC_COOKIE = 0x2112a442;
const HEADER_BYTES = 20;
/** Most attributes of a message; those of a call have twelve at most. */
export const MAX_ATTRIBUTES = 32;
/** Attributes below this number must be understood, or the message is refused. */
const OPTIONAL_FROM = 0x8000;

/** Methods that a relay of calls knows. */
export const METHODS = {
  binding: 0x001,
  allocate: 0x003,
  refresh: 0x004,
  send: 0x006,
  data: 0x007,
  permission: 0x008,
  channel: 0x009,
} as const;
export const CLASSES = { request: 0, indication: 1, success: 2, error: 3 } as const;

/** Attributes that are read or written. */
export const ATTRIBUTES = {
  username: 0x0006,
  integrity: 0x0008,
  errorCode: 0x0009,
  unknown: 0x000a,
  channelNumber: 0x000c,
  lifetime: 0x000d,
  peerAddress: 0x0012,
  data: 0x0013,
  realm: 0x0014,
  nonce: 0x0015,
  relayedAddress: 0x0016,
  family: 0x0017,
  transport: 0x0019,
  mappedAddress: 0x0020,
  fingerprint: 0x8028,
} as const;

const KNOWN: ReadonlySet<number> = new Set(Object.values(ATTRIBUTES));

/** One attribute of a message. */
export interface StunAttribute {
  readonly type: number;
  readonly value: Buffer;
  /** Where it begins in the message, bytes. */
  readonly at: number;
}

export interface StunMessage {
  readonly method: number;
  readonly class: number;
  /** Twelve bytes. */
  readonly transaction: Buffer;
  readonly attributes: readonly StunAttribute[];
  /** The message as it came. */
  readonly bytes: Buffer;
}

/** True for what begins as a message of STUN, and not as data of a channel. */
export function looksLikeStun(bytes: Buffer): boolean {
  return bytes.length >= HEADER_BYTES && ((bytes[0] ?? 0) & 0xc0) === 0 && bytes.readUInt32BE(4) === MAGIC_COOKIE;
}

/** A message that takes up all of the bytes; undefined for anything else. Nothing is copied. */
export function parseStun(bytes: Buffer): StunMessage | undefined {
  if (!looksLikeStun(bytes)) return undefined;
  const length = bytes.readUInt16BE(2);
  if (length % 4 !== 0 || length !== bytes.length - HEADER_BYTES) return undefined;
  const attributes: StunAttribute[] = [];
  for (let at = HEADER_BYTES; at < bytes.length; ) {
    // Length is a multiple of four, so there is always a whole head.
    const size = bytes.readUInt16BE(at + 2);
    const end = at + 4 + size;
    if (end > bytes.length || attributes.length >= MAX_ATTRIBUTES) return undefined;
    attributes.push({ type: bytes.readUInt16BE(at), value: bytes.subarray(at + 4, end), at });
    at += 4 + padded(size);
  }
  const type = bytes.readUInt16BE(0);
  return { ...splitType(type), transaction: bytes.subarray(8, HEADER_BYTES), attributes, bytes };
}

/** The first attribute of a type before the integrity, which alone is covered by it; the fingerprint comes after. */
export function attributeOf(message: StunMessage, type: number): StunAttribute | undefined {
  for (const attribute of message.attributes) {
    if (attribute.type === type) return attribute;
    if (attribute.type === ATTRIBUTES.integrity && type !== ATTRIBUTES.fingerprint) return undefined;
  }
  return undefined;
}

/** All attributes of a type before the integrity. */
export function attributesOf(message: StunMessage, type: number): readonly StunAttribute[] {
  const end = message.attributes.findIndex((attribute) => attribute.type === ATTRIBUTES.integrity);
  return message.attributes.slice(0, end < 0 ? undefined : end).filter((attribute) => attribute.type === type);
}

/** Types of attributes that must be understood and are not. */
export function unknownAttributes({ attributes }: StunMessage): readonly number[] {
  return attributes.flatMap(({ type }) => (type < OPTIONAL_FROM && !KNOWN.has(type) ? [type] : []));
}

/** The text of an attribute in UTF-8; undefined where it is none, or longer than `maxBytes`. */
export function textOf(attribute: StunAttribute | undefined, maxBytes: number): string | undefined {
  if (attribute === undefined || attribute.value.length > maxBytes) return undefined;
  const text = attribute.value.toString("utf8");
  return text.includes("\ufffd") ? undefined : text;
}

/** An attribute to write. */
export type Written = readonly [type: number, value: Uint8Array];

/** The bytes of a message, without integrity and fingerprint. */
export function writeStun(
  head: Pick<StunMessage, "method" | "class"> & { readonly transaction: Uint8Array },
  attributes: readonly Written[],
): Buffer {
  const size = attributes.reduce((sum, [, value]) => sum + 4 + padded(value.length), 0);
  const bytes = Buffer.alloc(HEADER_BYTES + size);
  bytes.writeUInt16BE(joinType(head), 0);
  bytes.writeUInt16BE(size, 2);
  bytes.writeUInt32BE(MAGIC_COOKIE, 4);
  bytes.set(head.transaction.subarray(0, 12), 8);
  let at = HEADER_BYTES;
  for (const [type, value] of attributes) {
    bytes.writeUInt16BE(type, at);
    bytes.writeUInt16BE(value.length, at + 2);
    bytes.set(value, at + 4);
    at += 4 + padded(value.length);
  }
  return bytes;
}

/** Bytes that a value takes up, with what fills it to a multiple of four. */
export function padded(size: number): number {
  return (size + 3) & ~3;
}

/** The bits of method and class lie between each other. */
function splitType(type: number): Pick<StunMessage, "method" | "class"> {
  const method = (type & 0x000f) | ((type & 0x00e0) >> 1) | ((type & 0x3e00) >> 2);
  return { method, class: ((type & 0x0010) >> 4) | ((type & 0x0100) >> 7) };
}

function joinType({ method, class: kind }: Pick<StunMessage, "method" | "class">): number {
  const bits = (method & 0x000f) | ((method & 0x0070) << 1) | ((method & 0x0f80) << 2);
  return bits | ((kind & 1) << 4) | ((kind & 2) << 7);
}
