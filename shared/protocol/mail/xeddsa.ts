// XEdDSA (Signal, revision 1): Ed25519 signatures by an X25519 key, checked like any other Ed25519 signature under the Edwards form of it.
import * as ed25519 from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { concatBytes, fromHex, toHex } from "#shared/util/bytes.ts";
import type { VerifySignature } from "../primitives/signature.ts";
import { isAcceptableX25519Key } from "../primitives/x25519-key.ts";

/** Random bytes that a signature takes. */
export const XEDDSA_RANDOM_BYTES = 64;

const { BASE } = ed25519.Point;
const { n: ORDER, p: PRIME } = ed25519.Point.CURVE();
/** Keeps this hash apart from those of Ed25519: 2^256 − 2, little-endian. */
const DOMAIN = new Uint8Array(32).fill(0xff).with(0, 0xfe);

/** Signature (64 bytes) of the message under a 32-byte X25519 secret; `random` are 64 fresh bytes. */
export function signXEd25519(message: Uint8Array, secretKey: Uint8Array, random: Uint8Array): Uint8Array {
  const clamped = secretKey.slice();
  clamped.set([(clamped[0] ?? 0) & 248]);
  clamped.set([((clamped[31] ?? 0) & 127) | 64], 31);
  const k = mod(integerOf(clamped));
  clamped.fill(0);
  const point = BASE.multiply(k).toBytes();
  const isNegative = (point[31] ?? 0) >= 0x80;
  // The key whose Edwards form has the sign 0.
  const a = isNegative ? mod(-k) : k;
  const publicKey = withSignBit0(point);
  const secret = bytesOf(a);
  const r = mod(integerOf(sha512(concatBytes(DOMAIN, secret, message, random))));
  secret.fill(0);
  const R = BASE.multiply(r).toBytes();
  const h = mod(integerOf(sha512(concatBytes(R, publicKey, message))));
  return concatBytes(R, bytesOf(mod(r + h * a)));
}

/** The Ed25519 key under which an X25519 key's signatures verify; undefined for a key that may not be published, or is no point. */
export function edwardsKeyOf(publicKey: string): Uint8Array | undefined {
  if (!isAcceptableX25519Key(publicKey)) return undefined;
  const u = integerOf(fromHex(publicKey.toLowerCase()));
  if (u === PRIME - 1n) return undefined;
  const y = ed25519.etc.mod((u - 1n) * ed25519.etc.invert(u + 1n, PRIME), PRIME);
  return bytesOf(y);
}

/** Who checks Ed25519 signatures, at once or later. */
type Verify = (...input: Parameters<VerifySignature>) => boolean | Promise<boolean>;

/** True when an X25519 key has signed the message. */
export async function isSignedByBoxKey(
  verify: Verify,
  { message, signature, publicKey }: { readonly message: Uint8Array; readonly signature: Uint8Array; readonly publicKey: string },
): Promise<boolean> {
  const key = edwardsKeyOf(publicKey);
  return key !== undefined && signature.length === 64 && (await verify(signature, message, key));
}

function withSignBit0(point: Uint8Array): Uint8Array {
  return point.with(31, (point[31] ?? 0) & 0x7f);
}

function mod(value: bigint): bigint {
  return ed25519.etc.mod(value, ORDER);
}

/** Little-endian. */
function integerOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(bytes.toReversed())}`);
}

/** 32 bytes, little-endian. */
function bytesOf(value: bigint): Uint8Array {
  return fromHex(value.toString(16).padStart(64, "0")).toReversed();
}
