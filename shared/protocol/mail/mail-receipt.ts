// What a keeper signs of the mail that it took: it has written it down, and keeps it until then.
import { fromBase64, fromHex, toBase64, toHex, utf8 } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import { domainBytes } from "../primitives/domains.ts";
import { type Sha256, sha256 } from "../primitives/hash.ts";
import { signEd25519, type VerifySignature } from "../primitives/signature.ts";
import type { Envelope } from "./envelope.ts";

/** Envelopes of one receipt. */
export const MAX_RECEIPT_MARKS = 64;
const MARK_BYTES = 16;

/** A keeper's word for envelopes. */
export interface MailReceipt {
  /** Ed25519 key of the keeper. */
  readonly from: PublicKeyHex;
  /** {@link receiptMark} of each. */
  readonly marks: readonly string[];
  /** Unix seconds until which it keeps them, unless their owner deletes them. */
  readonly untilSec: number;
  /** Base64. */
  readonly signature: string;
}

/**
 * What a receipt names an envelope by, hex of 16 bytes: the hash of all that its reader needs. The id covers nonce and ciphertext alone, so that
 * who passes an envelope on could alter its sender, with which no one opens it. The time is left out: nodes give theirs to what has none.
 */
export function receiptMark(
  { envelope, admit }: { readonly envelope: Envelope; readonly admit: string | null },
  hash: Sha256 = sha256,
): string {
  const { recipient_pub, id, sender_pub, sender_ed25519_pub, fee_ut, fee_sig } = envelope;
  const text = JSON.stringify([recipient_pub, id, sender_pub, sender_ed25519_pub, fee_ut, fee_sig, admit]);
  return toHex(hash(utf8(text)).subarray(0, MARK_BYTES));
}

/** Bytes that a keeper signs: domain `parley-receipt` over [[mark …], unix seconds]. */
export function receiptSignBytes(chainId: string, { marks, untilSec }: Pick<MailReceipt, "marks" | "untilSec">): Uint8Array {
  return domainBytes("receipt", chainId, [marks.map(fromHex), untilSec]);
}

/** The receipt of a keeper; `secret` is the seed of its key, 32 bytes. */
export function signReceipt(
  chainId: string,
  { marks, untilSec }: Pick<MailReceipt, "marks" | "untilSec">,
  key: { readonly publicKey: PublicKeyHex; readonly secret: Uint8Array },
): MailReceipt {
  const signature = toBase64(signEd25519(receiptSignBytes(chainId, { marks, untilSec }), key.secret));
  return { from: key.publicKey, marks, untilSec, signature };
}

/** True when the keeper that a receipt names has signed it. */
export async function isSignedReceipt(
  chainId: string,
  receipt: MailReceipt,
  verify: (...input: Parameters<VerifySignature>) => boolean | Promise<boolean>,
): Promise<boolean> {
  return await verify(fromBase64(receipt.signature), receiptSignBytes(chainId, receipt), fromHex(receipt.from));
}
