// Vouchers of payment channels as texts: channel, total in µT, signature. The payer hands the text over; the payee closes with it.

import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { type AmountUt, isAmount } from "#shared/protocol/amount.ts";
import { voucherSignBytes } from "#shared/protocol/authorisations.ts";
import { verifyZip215 } from "#shared/protocol/signature.ts";
import { fromHex, tryFromBase64 } from "#shared/util/bytes.ts";

/** A promise of the payer: so much in all. */
export interface Voucher {
  readonly channelId: string;
  readonly paidUt: AmountUt;
  /** Base64. */
  readonly signature: string;
}

const FORM = /^([0-9a-fA-F]{32}):(\d{1,16}):([A-Za-z0-9+/]{86}==)$/;
const SIGNATURE_BYTES = 64;

/** The text of a voucher, the same that the command line writes and reads. */
export function formatVoucher({ channelId, paidUt, signature }: Voucher): string {
  return `${channelId}:${paidUt}:${signature}`;
}

/** The voucher of a text, or undefined when it is none. */
export function parseVoucher(text: string): Voucher | undefined {
  const [, channelId, paid, signature] = FORM.exec(text.trim()) ?? [];
  if (channelId === undefined || signature === undefined || !isAmount(Number(paid))) return undefined;
  return { channelId: channelId.toLowerCase(), paidUt: Number(paid), signature };
}

/** True when the payer signed the voucher for the chain. */
export function isVoucherOf(payer: PublicKeyHex, { channelId, paidUt, signature }: Voucher, chainId: string): boolean {
  const bytes = tryFromBase64(signature);
  return bytes?.length === SIGNATURE_BYTES && verifyZip215(bytes, voucherSignBytes(chainId, channelId, paidUt), fromHex(payer));
}
