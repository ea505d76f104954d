// The Origin header: a web page of another origin cannot use the node with the visitor's network position.
import { HTTP_METHODS } from "#shared/api/routes.ts";

/** Where a request comes from, as far as its browser says. */
export type RequestOrigin = "none" | "own" | "allowed" | "foreign";

/** Decides about an Origin header, given the (already checked) Host header. */
export type OriginCheck = (origin: string | undefined, host: string | undefined) => RequestOrigin;

/** The node's own origin and the allowed ones pass; "null" (sandboxed pages, files) is foreign. */
export function createOriginCheck(allowedOrigins: readonly string[]): OriginCheck {
  const allowed = new Set(allowedOrigins.map((origin) => origin.trim().replace(/\/$/, "").toLowerCase()));
  return (origin, host) => {
    if (origin === undefined) return "none";
    const lower = origin.toLowerCase();
    if (host !== undefined && (lower === `http://${host.toLowerCase()}` || lower === `https://${host.toLowerCase()}`)) return "own";
    return allowed.has(lower) ? "allowed" : "foreign";
  };
}

/** Headers that let a page of an allowed origin read the response. */
export function corsHeaders(origin: string): Readonly<Record<string, string>> {
  return { "access-control-allow-origin": origin, "access-control-expose-headers": "retry-after", vary: "Origin" };
}

/** Further headers of the response to a preflight request. */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  "access-control-allow-methods": HTTP_METHODS.join(", "),
  "access-control-allow-headers": "authorization, content-type, x-inbox-proof",
  "access-control-max-age": "600",
};
