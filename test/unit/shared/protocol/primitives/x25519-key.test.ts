import { describe, expect, it } from "vitest";
import { boxKeyPair, x25519 } from "#shared/protocol/mail/envelope.ts";
import { isAcceptableX25519Key } from "#shared/protocol/primitives/x25519-key.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";

/** Little-endian hex of 2^255 − 19 + n. */
const aboveField = (n: number): string => `${(0xed + n).toString(16)}${"ff".repeat(30)}7f`;
const SMALL_ORDER = [
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
  aboveField(-1),
  aboveField(0),
  aboveField(1),
];

describe("X25519 keys on chain", () => {
  it.each(SMALL_ORDER)("%s makes every secret zero and is refused", (key) => {
    expect(x25519(new Uint8Array(32).fill(7), fromHex(key))).toBeUndefined();
    expect(isAcceptableX25519Key(key)).toBe(false);
  });

  it.each([aboveField(2), aboveField(18), `09${"00".repeat(30)}80`])("%s has a second encoding and is refused", (key) => {
    expect(isAcceptableX25519Key(key)).toBe(false);
  });

  it("keys of key pairs are accepted in either case", () => {
    for (let n = 1; n <= 20; n += 1) {
      const key = toHex(boxKeyPair(new Uint8Array(32).fill(n)).publicKey);
      expect([isAcceptableX25519Key(key), isAcceptableX25519Key(key.toUpperCase())]).toEqual([true, true]);
    }
    expect(isAcceptableX25519Key(aboveField(-2))).toBe(true);
  });

  it.each([undefined, 5, "", "ab"])("%j is refused", (value) => expect(isAcceptableX25519Key(value)).toBe(false));
});
