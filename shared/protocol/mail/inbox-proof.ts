// Proof that a caller holds a mailbox key: value of the header X-Inbox-Proof, `<unix seconds>.<hex HMAC-SHA-256>`.
// The HMAC is keyed by X25519(mailbox key, relay key), so both sides compute it; it covers method, path without query, and time.
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { toHex, utf8 } from "#shared/util/bytes.ts";

/** What a proof covers. */
export interface InboxProofInput {
  /** Upper case, e.g. `DELETE`. */
  readonly method: string;
  /** Path as sent, without query. */
  readonly path: string;
  readonly unixSeconds: number;
}

/** Header value of a proof. `sharedSecret` is the raw X25519 result of the mailbox key and the relay's key. */
export function formatInboxProof(sharedSecret: Uint8Array, input: InboxProofInput): string {
  const mac = hmac(sha256, sharedSecret, utf8(`${input.method}\n${input.path}\n${input.unixSeconds}`));
  return `${input.unixSeconds}.${toHex(mac)}`;
}
