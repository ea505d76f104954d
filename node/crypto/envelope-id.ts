// The id of an envelope by the runtime's own library: every envelope that arrives is checked.
import { hash } from "node:crypto";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";

const ID_CHARS = 32;

/** True when the id is the hash of nonce and ciphertext; the same result as of the portable rule. */
export function isAuthenticEnvelope({ id, nonce, ciphertext }: Pick<Envelope, "id" | "nonce" | "ciphertext">): boolean {
  const content = Buffer.concat([Buffer.from(nonce, "base64"), Buffer.from(ciphertext, "base64")]);
  return hash("sha256", content, "hex").slice(0, ID_CHARS) === id;
}
