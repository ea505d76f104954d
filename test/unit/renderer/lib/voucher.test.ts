import { describe, expect, it } from "vitest";
import * as commandLine from "#node/cli/commands/account/channels.ts";
import { formatVoucher, isVoucherOf, parseVoucher } from "#renderer/lib/voucher.ts";
import { voucherSignBytes } from "#shared/protocol/authorisations.ts";
import { ed25519PublicKey, signEd25519 } from "#shared/protocol/signature.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";

const SEED = new Uint8Array(32).fill(5);
const PAYER = toHex(ed25519PublicKey(SEED));
const CHANNEL = "0a".repeat(16);
const voucher = { channelId: CHANNEL, paidUt: 7, signature: toBase64(signEd25519(voucherSignBytes("chain", CHANNEL, 7), SEED)) };

describe("vouchers", () => {
  it("are the texts of the command line", () => {
    expect(formatVoucher(voucher)).toBe(commandLine.formatVoucher(voucher));
    expect(parseVoucher(commandLine.formatVoucher(voucher))).toEqual(voucher);
    expect(parseVoucher("no voucher")).toBeUndefined();
  });

  it("hold for their payer, amount, channel and chain only", () => {
    expect(isVoucherOf(PAYER, voucher, "chain")).toBe(true);
    expect(isVoucherOf(PAYER, voucher, "other")).toBe(false);
    expect(isVoucherOf(PAYER, { ...voucher, paidUt: 8 }, "chain")).toBe(false);
    expect(isVoucherOf(PAYER, { ...voucher, channelId: "0b".repeat(16) }, "chain")).toBe(false);
    expect(isVoucherOf("00".repeat(32), voucher, "chain")).toBe(false);
  });
});
