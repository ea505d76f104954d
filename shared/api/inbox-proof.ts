// The header X-Inbox-Proof as a node checks it; ../protocol/inbox-proof.ts makes it.

import { formatInboxProof } from "#shared/protocol/mail/inbox-proof.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { equalBytes, utf8 } from "#shared/util/bytes.ts";

/** Name of the header, in lower case. */
export const INBOX_PROOF_HEADER = "x-inbox-proof";
/** A proof is valid this long before and after its time, seconds. */
export const INBOX_PROOF_WINDOW_SECONDS = 300;

export interface ProvenRequest {
  readonly method: string;
  /** Path without the query, exactly as sent: the mailbox key of the query is bound by the secret itself. */
  readonly path: string;
}

/** True when the header's value is a proof for the request within the window around `nowSeconds`. `sharedSecret` is the raw X25519 one. */
export function isInboxProof(value: string, sharedSecret: Uint8Array, request: ProvenRequest, nowSeconds: number): boolean {
  const seconds = /^(\d{1,12})\.[0-9a-fA-F]{64}$/.exec(value)?.[1];
  if (seconds === undefined || Math.abs(Number(seconds) - nowSeconds) > INBOX_PROOF_WINDOW_SECONDS) return false;
  const expected = formatInboxProof(sharedSecret, { ...request, unixSeconds: Number(seconds) });
  // Comparing digests of both sides keeps the time of the comparison independent of where they differ.
  return equalBytes(sha256(utf8(value.toLowerCase())), sha256(utf8(expected)));
}
