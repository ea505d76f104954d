// MESSAGE-INTEGRITY and FINGERPRINT of messages (RFC 8489, 14.5 and 14.7). WebRTC signs for relays with HMAC-SHA-1 under an MD5 key and with
// nothing else; neither protects more here than who may use a relay, for minutes.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { ATTRIBUTES, attributeOf, type StunMessage, type Written, writeStun } from "./stun-message.ts";
import { writeUint32 } from "./stun-values.ts";

const MAC_BYTES = 20;
const FINGERPRINT_MASK = 0x5354554e;

/** The key of a long-term credential. */
export function longTermKey(username: string, realm: string, password: string): Buffer {
  return createHash("md5").update(`${username}:${realm}:${password}`).digest();
}

/** Whether a message carries the integrity of a key. */
export function hasIntegrity(message: StunMessage, key: Uint8Array): boolean {
  const found = attributeOf(message, ATTRIBUTES.integrity);
  return found?.value.length === MAC_BYTES && timingSafeEqual(found.value, macOf(message.bytes.subarray(0, found.at), key));
}

/** Whether a message has no fingerprint, or the right one as its last attribute. */
export function hasRightFingerprint({ attributes, bytes }: StunMessage): boolean {
  const index = attributes.findIndex(({ type }) => type === ATTRIBUTES.fingerprint);
  const found = attributes[index];
  if (found === undefined) return true;
  if (index !== attributes.length - 1 || found.value.length !== 4) return false;
  return found.value.readUInt32BE(0) === fingerprintOf(bytes.subarray(0, found.at));
}

/** What a message is closed with. */
export interface Sealing {
  /** Key of the integrity; none without it. */
  readonly key?: Uint8Array | undefined;
  readonly hasFingerprint: boolean;
}

/** A message with integrity and fingerprint. */
export function sealStun(head: Parameters<typeof writeStun>[0], attributes: readonly Written[], { key, hasFingerprint }: Sealing): Buffer {
  const plain = writeStun(head, attributes);
  const signed = key === undefined ? plain : appended(plain, ATTRIBUTES.integrity, macOf(plain, key));
  return hasFingerprint ? appended(signed, ATTRIBUTES.fingerprint, writeUint32(fingerprintOf(signed))) : signed;
}

/** Of all bytes before the attribute, with the length as it is with it. */
function macOf(before: Buffer, key: Uint8Array): Buffer {
  return createHmac("sha1", key)
    .update(withLength(before, 4 + MAC_BYTES))
    .digest();
}

function fingerprintOf(before: Buffer): number {
  return (crc32(withLength(before, 8)) ^ FINGERPRINT_MASK) >>> 0;
}

function appended(before: Buffer, type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([withLength(before, 4 + value.length), head, value]);
}

/** A copy whose length counts `more` bytes that follow. */
function withLength(before: Buffer, more: number): Buffer {
  const bytes = Buffer.from(before);
  bytes.writeUInt16BE(bytes.length - 20 + more, 2);
  return bytes;
}
