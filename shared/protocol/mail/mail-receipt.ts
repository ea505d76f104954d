// What a keeper signs of the mail that it took: it has written it down, and keeps it until then.
import { fromBase64, fromHex, toBase64 } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import { domainBytes } from "../primitives/domains.ts";
import { signEd25519, type VerifySignature } from "../primitives/signature.ts";

/** Envelopes of one receipt. */
export const MAX_RECEIPT_IDS = 64;

/** A keeper's word for envelopes. */
export interface MailReceipt {
  /** Ed25519 key of the keeper. */
  readonly from: PublicKeyHex;
  /** Hex of 16 bytes each. */
  readonly ids: readonly string[];
  /** Unix seconds until which it keeps them, unless their owner deletes them. */
  readonly untilSec: number;
  /** Base64. */
  readonly signature: string;
}

/** Bytes that a keeper signs: domain `parley-receipt` over [[id …], unix seconds]. */
export function receiptSignBytes(chainId: string, { ids, untilSec }: Pick<MailReceipt, "ids" | "untilSec">): Uint8Array {
  return domainBytes("receipt", chainId, [ids.map(fromHex), untilSec]);
}

/** The receipt of a keeper; `secret` is the seed of its key, 32 bytes. */
export function signReceipt(
  chainId: string,
  { ids, untilSec }: Pick<MailReceipt, "ids" | "untilSec">,
  key: { readonly publicKey: PublicKeyHex; readonly secret: Uint8Array },
): MailReceipt {
  const signature = toBase64(signEd25519(receiptSignBytes(chainId, { ids, untilSec }), key.secret));
  return { from: key.publicKey, ids, untilSec, signature };
}

/** True when the keeper that a receipt names has signed it. */
export async function isSignedReceipt(
  chainId: string,
  receipt: MailReceipt,
  verify: (...input: Parameters<VerifySignature>) => boolean | Promise<boolean>,
): Promise<boolean> {
  return await verify(fromBase64(receipt.signature), receiptSignBytes(chainId, receipt), fromHex(receipt.from));
}
