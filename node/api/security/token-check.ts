// The API token, compared in constant time.
import { createHash, timingSafeEqual } from "node:crypto";

/** Decides whether a given token is the node's. */
export type TokenCheck = (token: string | undefined) => boolean;

/** Check against the expected token; without one, everything passes. */
export function createTokenCheck(expected: string | undefined): TokenCheck {
  if (expected === undefined) return () => true;
  const expectedDigest = digestOf(expected);
  return (token) => token !== undefined && timingSafeEqual(digestOf(token), expectedDigest);
}

/** Token of an Authorization header, or undefined when it has another form. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(header)?.[1];
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
