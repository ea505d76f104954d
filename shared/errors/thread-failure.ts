// Errors on their way between threads and processes, whose copies lose their class: an expected one goes as its code and words.
import { CodedError } from "./coded-error.ts";
import type { ErrorCode } from "./codes.ts";

/** An expected error, or what went wrong inside. */
export type ThreadFailure = { readonly code: ErrorCode; readonly message: string } | { readonly failure: unknown };

/** The form in which an error is sent. */
export function threadFailure(error: unknown): ThreadFailure {
  return error instanceof CodedError ? { code: error.code, message: error.message } : { failure: error };
}

/** The error that was sent. */
export function errorOfThread(failed: ThreadFailure): unknown {
  return "code" in failed ? new CodedError(failed.code, failed.message) : failed.failure;
}
