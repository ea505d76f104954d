// One coded error type for the whole program. Codes live in ./codes.ts with their HTTP status.
import { ERROR_CODES, type ErrorCode } from "./codes.ts";

/** Serialisable details of an error: strings, numbers and booleans only, never secrets. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean>>;

/** An expected failure with a stable code. The message says what is wrong and what to do next. */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: { readonly cause?: unknown; readonly details?: ErrorDetails } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CodedError";
    this.code = code;
    this.details = options.details ?? {};
  }

  /** HTTP status that the code maps to. */
  get status(): number {
    return ERROR_CODES[this.code];
  }
}

/** True for a CodedError with one of the given codes (any code when none is given). */
export function isCodedError(error: unknown, ...codes: readonly ErrorCode[]): error is CodedError {
  return error instanceof CodedError && (codes.length === 0 || codes.includes(error.code));
}
