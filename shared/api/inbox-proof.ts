// The header X-Inbox-Proof as a node checks it; ../protocol/mail/inbox-proof.ts makes it.

import { formatInboxProof } from "#shared/protocol/mail/inbox-proof.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { equalBytes, utf8 } from "#shared/util/bytes.ts";

/** Name of the header, in lower case. */
export const INBOX_PROOF_HEADER = "x-inbox-proof";
/** A proof is valid this long before and after its time, seconds. */
export const INBOX_PROOF_WINDOW_SECONDS = 300;

const PROOF = /^(\d{1,12})\.(?:([0-9a-f]{32})\.)?([0-9a-f]{64})$/;

/** A header's value by its parts, nothing of it checked. */
export interface ParsedInboxProof {
  readonly unixSeconds: number;
  readonly nonce: string | undefined;
  /** Lower-case hex. */
  readonly mac: string;
}

/** What a request does, as the node has parsed it: what a proof of it covers. */
export interface ProvenRequest {
  readonly method: string;
  /** Path of the parsed operation without query: the mailbox key of the query is bound by the secret itself. */
  readonly path: string;
}

/** Parts of a header's value; undefined for any other text. */
export function parseInboxProof(value: string): ParsedInboxProof | undefined {
  const [, seconds, nonce, mac] = PROOF.exec(value.toLowerCase()) ?? [];
  return seconds === undefined || mac === undefined ? undefined : { unixSeconds: Number(seconds), nonce, mac };
}

/** True when the header's value is a proof for the request within the window around `nowSeconds`. `sharedSecret` is the raw X25519 one. */
export function isInboxProof(value: string, sharedSecret: Uint8Array, request: ProvenRequest, nowSeconds: number): boolean {
  const proof = parseInboxProof(value);
  if (proof === undefined || Math.abs(proof.unixSeconds - nowSeconds) > INBOX_PROOF_WINDOW_SECONDS) return false;
  const { unixSeconds, nonce } = proof;
  const expected = formatInboxProof(sharedSecret, { ...request, unixSeconds, ...(nonce === undefined ? {} : { nonce }) });
  // Comparing digests of both sides keeps the time of the comparison independent of where they differ.
  return equalBytes(sha256(utf8(value.toLowerCase())), sha256(utf8(expected)));
}
