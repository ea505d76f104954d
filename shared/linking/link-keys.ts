// Keys of a linking. From the code: two mailboxes where the devices find each other. From two keys used once: the two digits, and the
// mailboxes for everything after. Nothing here outlives the linking.
//
//   new ── commitment to its key ──▶ old      the commitment comes first: a device in the middle cannot choose a key that gives the
//   new ◀────────── its key ───────── old      digits that the other side shows
//   new ── its key ────────────────▶ old
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 as sha256Hash } from "@noble/hashes/sha2.js";
import { type BoxKeyPair, boxKeyPair, x25519 } from "#shared/protocol/mail/envelope.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { equalBytes, utf8 } from "#shared/util/bytes.ts";
import type { LinkSecret } from "./link-code.ts";

/** The two mailboxes of a conversation between the devices. Both know both secrets. */
export interface LinkMailboxes {
  /** Where the old device is written to. */
  readonly old: BoxKeyPair;
  /** Where the new device is written to. */
  readonly fresh: BoxKeyPair;
}

/** What both devices share once they have shown each other their keys. */
export interface LinkSession {
  /** Two digits. */
  readonly digits: string;
  /** 32 bytes: root of the mailboxes. */
  readonly key: Uint8Array;
}

/** What the digits are bound to. */
export interface LinkTranscript {
  readonly chainId: string;
  readonly secret: LinkSecret;
  readonly commitment: Uint8Array;
  readonly oldPub: Uint8Array;
  readonly freshPub: Uint8Array;
  readonly nonce: Uint8Array;
}

const KEY_BYTES = 32;
const DIGIT_BYTES = 8;

/** Mailboxes of a code. */
export function rendezvousMailboxes(chainId: string, secret: LinkSecret): LinkMailboxes {
  return mailboxes(utf8(secret), utf8(chainId), "rendezvous");
}

export function sessionMailboxes(key: Uint8Array): LinkMailboxes {
  return mailboxes(key, new Uint8Array(0), "session");
}

/** What binds the new device to its key before it has seen the other one. */
export function commitmentTo(freshPub: Uint8Array, nonce: Uint8Array): Uint8Array {
  return sha256(encodeCbor(["parley link commitment", freshPub, nonce]));
}

/** True when a key is the one that was committed to. */
export function matchesCommitment({ commitment, freshPub, nonce }: LinkTranscript): boolean {
  return equalBytes(commitment, commitmentTo(freshPub, nonce));
}

/** The session of two keys, or undefined for a key that agrees on nothing. */
export function agreeOnSession(secretKey: Uint8Array, theirPub: Uint8Array, transcript: LinkTranscript): LinkSession | undefined {
  const shared = x25519(secretKey, theirPub);
  if (shared === undefined) return undefined;
  const { chainId, secret, commitment, oldPub, freshPub, nonce } = transcript;
  const salt = sha256(encodeCbor(["parley link transcript", chainId, secret, commitment, oldPub, freshPub, nonce]));
  const digits = derive(shared, salt, "digits", DIGIT_BYTES).reduce((value, byte) => (value * 256 + byte) % 100, 0);
  const session = { digits: String(digits).padStart(2, "0"), key: derive(shared, salt, "session", KEY_BYTES) };
  shared.fill(0);
  return session;
}

function mailboxes(secret: Uint8Array, salt: Uint8Array, purpose: string): LinkMailboxes {
  return {
    old: boxKeyPair(derive(secret, salt, `${purpose} old`, KEY_BYTES)),
    fresh: boxKeyPair(derive(secret, salt, `${purpose} fresh`, KEY_BYTES)),
  };
}

function derive(secret: Uint8Array, salt: Uint8Array, purpose: string, length: number): Uint8Array {
  return hkdf(sha256Hash, secret, salt, utf8(`parley link ${purpose}`), length);
}
