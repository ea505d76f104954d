// The header X-Inbox-Proof: proves to a node that the caller holds the secret of a mailbox key, without a signature.
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { equalBytes, fromHex, isHex, toHex, utf8 } from "#shared/util/bytes.ts";

/** Name of the header, in lower case. */
export const INBOX_PROOF_HEADER = "x-inbox-proof";
/** A proof is valid this long before and after its time, seconds. */
export const INBOX_PROOF_WINDOW_SECONDS = 300;

/** The request that a proof is for. */
export interface ProvenRequest {
  readonly method: string;
  /** Path without the query, exactly as sent: the mailbox key of the query is bound by the secret itself. */
  readonly path: string;
}

/**
 * Value of the header: `<unix seconds>.<hex HMAC-SHA-256>` over method, path and time, one a line.
 * `sharedSecret` is the raw X25519 secret between the mailbox key and the node's relay key (`relay_pub` of /api/status), 32 bytes.
 */
export function createInboxProof(sharedSecret: Uint8Array, request: ProvenRequest, unixSeconds: number): string {
  return `${unixSeconds}.${toHex(mac(sharedSecret, request, unixSeconds))}`;
}

/** True when the header's value is a proof for the request within the window around `nowSeconds`. */
export function isInboxProof(value: string, sharedSecret: Uint8Array, request: ProvenRequest, nowSeconds: number): boolean {
  const match = /^(\d{1,12})\.([0-9a-fA-F]{64})$/.exec(value);
  const [, time = "", digest = ""] = match ?? [];
  if (!isHex(digest, 32) || Math.abs(Number(time) - nowSeconds) > INBOX_PROOF_WINDOW_SECONDS) return false;
  // Comparing digests of both sides keeps the time of the comparison independent of where they differ.
  return equalBytes(sha256(fromHex(digest)), sha256(mac(sharedSecret, request, Number(time))));
}

function mac(sharedSecret: Uint8Array, request: ProvenRequest, unixSeconds: number): Uint8Array {
  return hmac(sha256, sharedSecret, utf8(`${request.method}\n${request.path}\n${unixSeconds}`));
}
