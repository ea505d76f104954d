// Errors in words for the person at the terminal: one sentence that says what is wrong and what to do.
import { HttpError } from "#shared/api/client.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";

/** One sentence for the error of a command. */
export function explainError(error: unknown): string {
  if (error instanceof HttpError) return explainResponse(error);
  if (isCodedError(error, "UNAVAILABLE")) return `${sentence(error.message)} Is it running? Use --node URL for another one.`;
  if (isCodedError(error)) return sentence(error.message);
  return `Unexpected failure: ${sentence(error instanceof Error ? error.message : String(error))}`;
}

/** The table of errors that a client must distinguish: too many requests, clock, signature, refused, failed. */
function explainResponse({ httpStatus, message }: HttpError): string {
  if (httpStatus === 429) return "Too many requests: wait a moment and try again.";
  if (httpStatus === 401) return "The node requires an API token: give it with --token-file FILE or SVC_API_TOKEN.";
  if (httpStatus === 400 && /timestamp/i.test(message))
    return `The node rejected the transaction's timestamp: this machine's clock must be right to within about one hour (${message}).`;
  if (httpStatus === 400 && /signature/i.test(message)) return `The node rejected the signature: check the key file (${message}).`;
  if (httpStatus === 404) return `Not found: ${sentence(message)}`;
  if (httpStatus === 410) return sentence(message);
  if (httpStatus === 503) return `The node cannot do that now: ${sentence(message)}`;
  if (httpStatus >= 500) return `The node failed: ${sentence(message)} Try again later.`;
  return `The node rejected the request: ${sentence(message)}`;
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
