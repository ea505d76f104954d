import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ed25519PublicKey, signEd25519 } from "#shared/protocol/primitives/signature.ts";
import { voucherSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import { formatVoucher, isVoucherOf, parseVoucher, type Voucher } from "#shared/protocol/transactions/voucher.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";

interface Authorisation {
  readonly purpose: string;
  readonly value: readonly [{ readonly hex: string }, number];
  readonly seed: string;
  readonly signature_base64: string;
}

const { chain_id: VECTOR_CHAIN, authorisations } = readVectors<{
  readonly chain_id: string;
  readonly authorisations: readonly Authorisation[];
}>("protocol.json");
const SEED = new Uint8Array(32).fill(5);
const PAYER = toHex(ed25519PublicKey(SEED));
const CHANNEL = "0a".repeat(16);
const SIGNATURE = toBase64(signEd25519(voucherSignBytes("chain", CHANNEL, 7), SEED));
const voucher: Voucher = { channelId: CHANNEL, paidUt: 7, signature: SIGNATURE };
const TEXT =
  "0123456789abcdef0123456789abcdef:700:LGnDZczJXANYTnstCz2Ix/qd6mP6T1DQS3urEYa98HFJKmfKoEOIuMVx8hc/F7nj9q7UNw9T1CRJ66LcCJJZAw==";

describe("the text of a voucher", () => {
  it("holds the golden authorisation", () => {
    const golden = authorisations.filter(({ purpose }) => purpose === "voucher");
    expect(golden).toHaveLength(1);
    for (const { value, seed, signature_base64: signature } of golden) {
      const [{ hex: channelId }, paidUt] = value;
      expect(formatVoucher({ channelId, paidUt, signature })).toBe(TEXT);
      expect(parseVoucher(TEXT)).toEqual({ channelId, paidUt, signature });
      const payer = toHex(ed25519PublicKey(Uint8Array.from(Buffer.from(seed, "hex"))));
      expect(isVoucherOf(payer, { channelId, paidUt, signature }, VECTOR_CHAIN)).toBe(true);
    }
  });

  it("is read back as it was written", () => {
    const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
    fc.assert(
      fc.property(bytes(16), fc.maxSafeNat(), bytes(64), (channel, paidUt, signature) => {
        const written: Voucher = { channelId: toHex(channel), paidUt, signature: toBase64(signature) };
        expect(parseVoucher(formatVoucher(written))).toEqual(written);
      }),
    );
  });

  it.each([
    ["white space around it", `  ${CHANNEL}:7:${SIGNATURE}\n`],
    ["an id in upper case", `${CHANNEL.toUpperCase()}:7:${SIGNATURE}`],
    ["an amount that begins with zeros", `${CHANNEL}:0007:${SIGNATURE}`],
  ])("is read with %s", (_name, text) => expect(parseVoucher(text)).toEqual(voucher));

  it.each([
    ["other words", "no voucher"],
    ["white space inside", `${CHANNEL}: 7:${SIGNATURE}`],
    ["a shorter id", `${CHANNEL.slice(1)}:7:${SIGNATURE}`],
    ["a longer id", `0${CHANNEL}:7:${SIGNATURE}`],
    ["an id that is no hex", `${"0g".repeat(16)}:7:${SIGNATURE}`],
    ["no amount", `${CHANNEL}::${SIGNATURE}`],
    ["an amount below zero", `${CHANNEL}:-7:${SIGNATURE}`],
    ["an amount with a fraction", `${CHANNEL}:7.5:${SIGNATURE}`],
    ["an amount above what a number holds", `${CHANNEL}:9007199254740992:${SIGNATURE}`],
    ["an amount of 17 digits", `${CHANNEL}:00000000000000007:${SIGNATURE}`],
    ["a signature without padding", `${CHANNEL}:7:${SIGNATURE.slice(0, 86)}`],
    ["a signature in URL-safe base64", `${CHANNEL}:7:${"-".repeat(86)}==`],
    ["a part more", `${CHANNEL}:7:${SIGNATURE}:`],
    ["a second line", `${CHANNEL}:7:${SIGNATURE}\n${CHANNEL}:7:${SIGNATURE}`],
  ])("is none with %s", (_name, text) => expect(parseVoucher(text)).toBeUndefined());
});

describe("the signature of a voucher", () => {
  it("holds for its payer, amount, channel and chain only", () => {
    expect(isVoucherOf(PAYER, voucher, "chain")).toBe(true);
    expect(isVoucherOf(PAYER, voucher, "other")).toBe(false);
    expect(isVoucherOf(PAYER, { ...voucher, paidUt: 8 }, "chain")).toBe(false);
    expect(isVoucherOf(PAYER, { ...voucher, channelId: "0b".repeat(16) }, "chain")).toBe(false);
    expect(isVoucherOf("00".repeat(32), voucher, "chain")).toBe(false);
  });

  it.each([
    ["is no base64", "?"],
    ["is shorter", toBase64(new Uint8Array(63))],
    ["is longer", toBase64(new Uint8Array(65))],
  ])("does not hold when it %s", (_name, signature) => expect(isVoucherOf(PAYER, { ...voucher, signature }, "chain")).toBe(false));
});
