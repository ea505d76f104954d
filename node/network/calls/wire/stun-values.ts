// Values of attributes: addresses that are hidden from routers by an exclusive or, numbers, errors.
import type { StunAttribute } from "./stun-message.ts";
import { MAGIC_COOKIE } from "./stun-message.ts";

/** Address and port of an end, the address as text. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

const FAMILY_IPV4 = 1;
const FAMILY_IPV6 = 2;

/** The endpoint of an XOR address; undefined for another form. An IPv6 address is written in eight groups. */
export function readXorAddress(value: Buffer, transaction: Buffer): Endpoint | undefined {
  const family = value[1];
  const isIpv4 = family === FAMILY_IPV4 && value.length === 8;
  if (!isIpv4 && !(family === FAMILY_IPV6 && value.length === 20)) return undefined;
  const port = value.readUInt16BE(2) ^ (MAGIC_COOKIE >>> 16);
  const bytes = xored(value.subarray(4), transaction);
  if (isIpv4) return { address: bytes.join("."), port };
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16));
  return { address: groups.join(":"), port };
}

/** The value of an XOR address; `bytes` are the four or sixteen of the address. */
export function writeXorAddress(bytes: Uint8Array, port: number, transaction: Uint8Array): Buffer {
  const value = Buffer.alloc(4 + bytes.length);
  value[1] = bytes.length === 4 ? FAMILY_IPV4 : FAMILY_IPV6;
  value.writeUInt16BE(port ^ (MAGIC_COOKIE >>> 16), 2);
  xored(bytes, transaction).copy(value, 4);
  return value;
}

function xored(bytes: Uint8Array, transaction: Uint8Array): Buffer {
  const mask = Buffer.alloc(16);
  mask.writeUInt32BE(MAGIC_COOKIE, 0);
  mask.set(transaction.subarray(0, 12), 4);
  return Buffer.from(bytes.map((byte, index) => byte ^ (mask[index] ?? 0)));
}

/** A number of 32 bits; undefined for another form. */
export function readUint32(attribute: StunAttribute | undefined): number | undefined {
  return attribute?.value.length === 4 ? attribute.value.readUInt32BE(0) : undefined;
}

export function writeUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** The value of an ERROR-CODE without words: clients have their own, and an answer to a stranger is small. */
export function writeErrorCode(code: number): Buffer {
  return Buffer.from([0, 0, Math.floor(code / 100), code % 100]);
}

/** The value of UNKNOWN-ATTRIBUTES. */
export function writeTypes(types: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * types.length);
  for (const [index, type] of types.entries()) bytes.writeUInt16BE(type, 2 * index);
  return bytes;
}
