// Open boxes: mailboxes that take only what a write key has signed, as the mailbox's own key says. Every node checks both, and none can invent
// either.
import { fromBase64, fromHex } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "../primitives/address.ts";
import { domainBytes } from "../primitives/domains.ts";
import type { VerifySignature } from "../primitives/signature.ts";
import type { Envelope, X25519KeyHex } from "./envelope.ts";
import { isSignedByBoxKey } from "./xeddsa.ts";

/** Who may list an open box: anyone who knows its key, as with every mailbox, or who proves that key alone. */
export const READ_RULES = ["anyone", "owner"] as const;
export type ReadRule = (typeof READ_RULES)[number];

/** A box is open for so long at most, s; then it is opened again, or another one is used. */
export const MAX_OPEN_S = 30 * 86_400;
/** A box that is open no more takes admitted envelopes alone for so long, s: contacts that were away still write to it. */
export const KNOWN_AFTER_S = 90 * 86_400;

/** A mailbox that its owner opens. */
export interface BoxOpening {
  readonly mailbox: X25519KeyHex;
  /** Ed25519 key that signs envelopes. */
  readonly writeKey: PublicKeyHex;
  readonly read: ReadRule;
  /** Unix seconds. */
  readonly untilSec: number;
  /** Height of the chain when it was signed: of two openings the higher one holds. */
  readonly height: number;
  /** Base64 of the XEdDSA signature. */
  readonly signature: string;
}

type Verify = (...input: Parameters<VerifySignature>) => boolean | Promise<boolean>;

/** Bytes that a mailbox key signs to open: domain `parley-box` over ["open", mailbox, write key, read rule, until, height]. */
export function openingSignBytes(
  chainId: string,
  { mailbox, writeKey, read, untilSec, height }: Omit<BoxOpening, "signature">,
): Uint8Array {
  return domainBytes("box", chainId, ["open", fromHex(mailbox), fromHex(writeKey), read, untilSec, height]);
}

/** True when the mailbox key has signed the opening. */
export function isSignedOpening(chainId: string, opening: BoxOpening, verify: Verify): Promise<boolean> {
  const message = openingSignBytes(chainId, opening);
  return isSignedByBoxKey(verify, { message, signature: fromBase64(opening.signature), publicKey: opening.mailbox });
}

/** What a write key signs of an envelope. The id is the hash of the rest, and the fee has a signature of its own. */
export type AdmittedParts = Pick<Envelope, "recipient_pub" | "id" | "sender_pub" | "sender_ed25519_pub" | "fee_ut" | "sent_at">;

/**
 * Bytes that a write key signs to admit an envelope: domain `parley-box` over ["admit", mailbox, id, sender's box key, sender's master key or
 * no bytes, fee, unix seconds]. The time is in it so that what was recorded is of no use once nodes have forgotten its deletion.
 */
export function admitSignBytes(
  chainId: string,
  { recipient_pub: mailbox, id, sender_pub: sender, sender_ed25519_pub: master, fee_ut: feeUt, sent_at: sentAtSec }: AdmittedParts,
): Uint8Array {
  return domainBytes("box", chainId, ["admit", fromHex(mailbox), id, fromHex(sender), fromHex(master), feeUt, sentAtSec]);
}

/** By whom an envelope is said to be admitted. */
export interface AdmittedBy {
  readonly writeKey: PublicKeyHex;
  /** Base64 of the Ed25519 signature. */
  readonly admit: string;
}

/** True when the write key has admitted the envelope. */
export async function isAdmitted(
  chainId: string,
  envelope: AdmittedParts,
  { writeKey, admit }: AdmittedBy,
  verify: Verify,
): Promise<boolean> {
  const signature = fromBase64(admit);
  return signature.length === 64 && (await verify(signature, admitSignBytes(chainId, envelope), fromHex(writeKey)));
}

/** True when two envelopes are the same in all that a write key signs. */
export function isSameAdmitted(one: AdmittedParts, other: AdmittedParts): boolean {
  const partsOf = ({ recipient_pub, id, sender_pub, sender_ed25519_pub, fee_ut, sent_at }: AdmittedParts): string =>
    JSON.stringify([recipient_pub, id, sender_pub, sender_ed25519_pub, fee_ut, sent_at]);
  return partsOf(one) === partsOf(other);
}

/** True when one opening of a mailbox holds and the other no more. All nodes decide the same, in whatever order they learn the two. */
export function isLaterOpening(one: BoxOpening, other: BoxOpening): boolean {
  if (one.height !== other.height) return one.height > other.height;
  if (one.untilSec !== other.untilSec) return one.untilSec > other.untilSec;
  if (one.writeKey !== other.writeKey) return one.writeKey > other.writeKey;
  return one.read > other.read;
}

/** True when two openings say the same. */
export function isSameOpening(one: BoxOpening, other: BoxOpening): boolean {
  return one.mailbox === other.mailbox && !isLaterOpening(one, other) && !isLaterOpening(other, one);
}
