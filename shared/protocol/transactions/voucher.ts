// Vouchers of payment channels as texts: channel, total in µT, signature. The payer hands the text over; the payee closes with it.
import { fromHex, tryFromBase64 } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import { type AmountUt, isAmount } from "../primitives/amount.ts";
import { verifyZip215 } from "../primitives/signature.ts";
import { voucherSignBytes } from "./authorisations.ts";

/** A promise of the payer: so much in all. */
export interface Voucher {
  /** 32 lower-case hex characters. */
  readonly channelId: string;
  readonly paidUt: AmountUt;
  /** Of the payer over {@link voucherSignBytes}, base64. */
  readonly signature: string;
}

const FORM = /^([0-9a-fA-F]{32}):(\d{1,16}):([A-Za-z0-9+/]{86}==)$/;
const SIGNATURE_BYTES = 64;

/** The text of a voucher, which the command line and the wallet write and read. */
export function formatVoucher({ channelId, paidUt, signature }: Voucher): string {
  return `${channelId}:${paidUt}:${signature}`;
}

/** The voucher of a text, white space around it ignored; undefined when it is none. The signature is not checked. */
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
