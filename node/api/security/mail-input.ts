// What requests of mailboxes name: keys, signatures, and who sends them.
import type { MailClient } from "#node/relay/intake/mail-service.ts";
import { type MailSource, OWN_PARTY } from "#node/storage/mailbox/mail-sources.ts";
import type { Input } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type BoxOpening, READ_RULES, type ReadRule } from "#shared/protocol/mail/box-opening.ts";
import type { BoxDeletion } from "#shared/protocol/mail/box-proof.ts";
import { isEnvelopeId, type X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { isHex, toBase64, tryFromBase64 } from "#shared/util/bytes.ts";
import type { RequestContext } from "../handler-types.ts";
import { isAddressGroup, subnetOfGroup } from "./client-address.ts";

const SIGNATURE_BYTES = 64;

/** Clients of one network are counted together, each by its address among them. */
export function clientOf({ isOwn, isExempt, address }: Pick<RequestContext, "isOwn" | "isExempt" | "address">): MailClient {
  if (isOwn) return { party: OWN_PARTY, tag: "", isLimited: false };
  return { party: partyOf(address), tag: address, isLimited: !isExempt };
}

/** The network of a client, as it is counted. */
export function partyOf(address: string): string {
  return `client ${subnetOfGroup(address)}`;
}

/** The address of a client of {@link clientOf}; undefined for every other source. */
export function addressOf({ party, tag }: MailSource): string | undefined {
  return isAddressGroup(tag) && party === partyOf(tag) ? tag : undefined;
}

/** Key of a mailbox in lower case. @throws CodedError BAD_REQUEST */
export function boxKey(field: string, text: string): X25519KeyHex {
  if (!isHex(text, 32)) throw new CodedError("BAD_REQUEST", `${field} is an X25519 public key of 64 hex characters`);
  return text.toLowerCase();
}

/** Master key of a person in lower case. @throws CodedError BAD_REQUEST */
export function personKey(field: string, text: string): PublicKeyHex {
  if (!isHex(text, 32)) throw new CodedError("BAD_REQUEST", `${field} is a public key of 64 hex characters`);
  return text.toLowerCase();
}

/** A signature in its one encoding, base64. @throws CodedError BAD_REQUEST */
export function signatureField(field: string, text: string): string {
  const bytes = tryFromBase64(text);
  if (bytes?.length !== SIGNATURE_BYTES) throw new CodedError("BAD_REQUEST", `${field} is base64 of 64 bytes`);
  return toBase64(bytes);
}

/** An opening as clients send it. @throws CodedError BAD_REQUEST */
export function openingField({ pub, write_pub, read, until, height, signature }: Input<"openBox">["body"]): BoxOpening {
  const mailbox = boxKey("pub", pub);
  if (!isHex(write_pub, 32)) throw new CodedError("BAD_REQUEST", "write_pub is an Ed25519 public key of 64 hex characters");
  const signed = { read: readRule(read), untilSec: until, height, signature: signatureField("signature", signature) };
  return { mailbox, writeKey: write_pub.toLowerCase(), ...signed };
}

/** A deletion as clients send it. @throws CodedError BAD_REQUEST */
export function deletionField({ pub, ids, height, signature }: Input<"deleteEnvelopes">["body"]): BoxDeletion {
  const mailbox = boxKey("pub", pub);
  if (!ids.every(isEnvelopeId)) throw new CodedError("BAD_REQUEST", "ids are 1–128 printable ASCII characters each");
  return { mailbox, ids, height, signature: signatureField("signature", signature) };
}

function readRule(text: string): ReadRule {
  const rule = READ_RULES.find((known) => known === text);
  if (rule === undefined) throw new CodedError("BAD_REQUEST", `read is ${READ_RULES.join(" or ")}`);
  return rule;
}
