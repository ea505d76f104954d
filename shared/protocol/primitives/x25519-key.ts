// Which X25519 keys may be published on chain: canonical encodings that are not of small order.
import { isHex } from "#shared/util/bytes.ts";

/** Canonical u-coordinates of the points of small order (RFC 7748 §6.1: with them every shared secret is zero). */
const SMALL_ORDER: readonly string[] = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

/** Encodings of 2^255 − 19 and above: `ed` or more, then 30 times `ff`, then `7f`. */
const NOT_REDUCED = /^(?:e[d-f]|f[0-9a-f])(?:ff){30}7f$/;

/** True for 64 hex characters (either case) of a key that can agree on a secret and has no second encoding. */
export function isAcceptableX25519Key(key: unknown): key is string {
  if (!isHex(key, 32)) return false;
  const hex = key.toLowerCase();
  const isHighBitClear = Number.parseInt(hex.slice(62), 16) < 0x80;
  return isHighBitClear && !NOT_REDUCED.test(hex) && !SMALL_ORDER.includes(hex);
}
