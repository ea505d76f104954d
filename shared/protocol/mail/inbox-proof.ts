// Proof that a caller holds a mailbox key: value of the header X-Inbox-Proof, `<unix seconds>.<nonce>.<hex HMAC-SHA-256>`.
// The HMAC is keyed by X25519(mailbox key, relay key), so both sides compute it; it covers method, path without query, time and nonce.
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { toHex, utf8 } from "#shared/util/bytes.ts";

/** Bytes of a proof's nonce. */
export const PROOF_NONCE_BYTES = 16;

/** What a proof covers. */
export interface InboxProofInput {
  /** Upper case, e.g. `DELETE`. */
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  readonly unixSeconds: number;
  /** 32 lower-case hex characters. A node takes a proof once: two of one second differ by it. Absent in the short form. */
  readonly nonce?: string;
}

/** Header value of a proof. `sharedSecret` is the raw X25519 result of the mailbox key and the relay's key. */
export function formatInboxProof(sharedSecret: Uint8Array, { method, path, unixSeconds, nonce }: InboxProofInput): string {
  const once = nonce === undefined ? [] : [nonce];
  const mac = hmac(sha256, sharedSecret, utf8([method, path, unixSeconds, ...once].join("\n")));
  return [unixSeconds, ...once, toHex(mac)].join(".");
}
