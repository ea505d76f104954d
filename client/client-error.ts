// What goes wrong in words that a program can act on: the codes of the interface, and those of this side of the socket.

/**
 * Codes of this side.
 * - `UNREACHABLE`: no Parley of this user serves programs, or it stopped while it answered.
 * - `TOKEN_FILE`, `ENDPOINT_FILE`: the file is not one that only this user can read, or cannot be written.
 * - `NOT_PAID`: the order is in no block and can enter none any more; nothing was spent.
 * - `CALL_FAILED`: the contract refused the call; fee and gas are spent.
 */
export type ClientErrorCode = "UNREACHABLE" | "TOKEN_FILE" | "ENDPOINT_FILE" | "NOT_PAID" | "CALL_FAILED";

/** What a failure brings beside its words. */
export interface ParleyErrorOptions {
  /** HTTP status; 0 when there was no response. */
  readonly status?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** When it may be tried again, ms from now. */
  readonly retryAfterMs?: number;
}

/** A failure with a code: one of docs/apps.md, such as `APP_LIMIT`, or a {@link ClientErrorCode}. */
export class ParleyError extends Error {
  override readonly name = "ParleyError";
  readonly code: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, { status = 0, details = {}, cause, retryAfterMs }: ParleyErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }
}

/** True for a ParleyError with one of the codes, or any when none is named. */
export function isParleyError(error: unknown, ...codes: readonly string[]): error is ParleyError {
  return error instanceof ParleyError && (codes.length === 0 || codes.includes(error.code));
}
