// Errors as the interface shows them, and what they mean for trying again.
import { type CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { MessengerProblem } from "./message.ts";

/** Code and words of any error. */
export function problemOf(error: unknown): MessengerProblem {
  if (isCodedError(error)) return { code: error.code, message: error.message };
  return { code: "INTERNAL", message: "The messenger failed in an unexpected way" };
}

/** Refusals that pass: the person unlocks, the chain lists the device. */
const PASSING: readonly ErrorCode[] = ["KEYRING_LOCKED", "DEVICE_NOT_PUBLISHED"];

/** True when trying again later cannot help: the request itself was refused. */
export function isFinal(error: unknown): error is CodedError {
  return isCodedError(error) && !PASSING.includes(error.code) && (error.status === 400 || error.status === 413);
}
