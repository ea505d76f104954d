// Failures of the client for programs as those of commands.
import { isParleyError } from "#client/index.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { ERROR_CODES, type ErrorCode } from "#shared/errors/codes.ts";

/** Codes of the client's own side as codes of the command line. */
const OWN_CODES: Readonly<Record<string, ErrorCode>> = {
  UNREACHABLE: "UNAVAILABLE",
  ENDPOINT_FILE: "CONFIG_INVALID",
  TOKEN_FILE: "CONFIG_INVALID",
};

/** The same failure with a code of the table, which gives the exit code. */
export function asCommandFailure(error: unknown): unknown {
  if (!isParleyError(error)) return error;
  const known = Object.hasOwn(ERROR_CODES, error.code) ? (error.code as ErrorCode) : "INTERNAL";
  return new CodedError(OWN_CODES[error.code] ?? known, error.message, { cause: error });
}
