// What callers learn of a failure: a status, one text, and when to ask again. What went wrong inside is in the log only.
import type { FastifyError } from "fastify";
import { CodedError } from "#shared/errors/coded-error.ts";

const INTERNAL_TEXT = "The node failed to answer; its log says why";
/** When to ask again where nothing else says it: lines of large reads are worked off, and responses read, within moments. */
const RETRY_SECONDS = "1";
/** Texts of framework errors that need other words. */
const FRAMEWORK_TEXTS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "Send a JSON body with content-type application/json",
  FST_ERR_CTP_BODY_TOO_LARGE: "The request body is too large",
  FST_ERR_BAD_URL: "The path is not a valid URL",
};

/** Of one failure. */
export interface Failure {
  readonly status: number;
  readonly text: string;
}

/** Status and public text of any error. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CodedError) {
    // Codes of 500 are about this machine (files, locks, invariants): not for strangers.
    return { status: error.status, text: error.status === 500 ? INTERNAL_TEXT : error.message };
  }
  const { statusCode, code, message } = error as Partial<FastifyError>;
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return { status: 500, text: INTERNAL_TEXT };
  return { status: statusCode, text: FRAMEWORK_TEXTS[code ?? ""] ?? message ?? "The request is malformed" };
}

/** When to ask again, in seconds, where that helps. */
export function retrySecondsOf({ code, details }: CodedError): string | undefined {
  if (typeof details.retryAfterS === "number") return String(details.retryAfterS);
  return code === "BUSY" || code === "RATE_LIMITED" || code === "LARGE_LIMIT" ? RETRY_SECONDS : undefined;
}
