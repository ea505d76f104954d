// A number that two people compare by another way, so that each knows that the other's master key is the real one. It depends on both
// keys and on nothing else: both see the same number, on every device.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { concatBytes, fromHex, utf8 } from "#shared/util/bytes.ts";

const DOMAIN = utf8("parley-safety-number\n1\n");
/** Rounds of hashing: each guess at a key pair with the same number costs as much. */
const ROUNDS = 5_200;
const GROUPS = 12;
const GROUP_DIGITS = 5;
/** 40 bits for a number below 100,000: no digit is noticeably likelier than another. */
const GROUP_BYTES = 5;

/** Twelve groups of five digits for a pair of master keys, in any order. */
export function safetyNumber(one: PublicKeyHex, other: PublicKeyHex): readonly string[] {
  const [low, high] = [one.toLowerCase(), other.toLowerCase()].sort();
  const keys = concatBytes(fromHex(low ?? ""), fromHex(high ?? ""));
  let digest = sha256(concatBytes(DOMAIN, keys));
  for (let round = 1; round < ROUNDS; round += 1) digest = sha256(concatBytes(digest, keys));
  const bytes = concatBytes(sha256(concatBytes(digest, Uint8Array.of(0))), sha256(concatBytes(digest, Uint8Array.of(1))));
  return Array.from({ length: GROUPS }, (_, index) => digitsOf(bytes.subarray(index * GROUP_BYTES, (index + 1) * GROUP_BYTES)));
}

function digitsOf(bytes: Uint8Array): string {
  const number = bytes.reduce((value, byte) => value * 256 + byte, 0);
  return String(number % 10 ** GROUP_DIGITS).padStart(GROUP_DIGITS, "0");
}
