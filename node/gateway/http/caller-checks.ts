// Who may speak to the gateway at all. No browser reaches its socket; what looks like one of a page is refused all the same, so that a
// program which forwards requests of pages by mistake forwards none.
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { CodedError } from "#shared/errors/coded-error.ts";

/** The only name that the gateway answers to. */
export const GATEWAY_HOST = "parley";
/** Header with the secret of the gateway, where there is one. */
export const SECRET_HEADER = "x-parley-secret";

const FETCH_METADATA = "sec-fetch-";

/** @throws CodedError FORBIDDEN */
export type CallerCheck = (headers: IncomingHttpHeaders) => void;

/** The check; `secret` is null where the system keeps other users out. */
export function createCallerCheck(secret: string | null): CallerCheck {
  const expected = secret === null ? undefined : digestOf(secret);
  return (headers) => {
    if (headers.origin !== undefined || Object.keys(headers).some((name) => name.startsWith(FETCH_METADATA)))
      throw new CodedError("FORBIDDEN", "Web pages cannot use this: a link parley:pay opens a payment for the person");
    if (headers.host?.toLowerCase() !== GATEWAY_HOST) throw new CodedError("FORBIDDEN", `Send the header Host: ${GATEWAY_HOST}`);
    if (expected === undefined) return;
    const given = headers[SECRET_HEADER];
    if (typeof given !== "string" || !timingSafeEqual(digestOf(given), expected))
      throw new CodedError("FORBIDDEN", `Send the secret of endpoint.json as ${SECRET_HEADER}`);
  };
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
