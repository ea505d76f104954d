// Judges passwords where the keys are: a page that was taken over can leave a meter out. The estimator and its word lists are loaded with
// the first password that is chosen.
import { CodedError } from "#shared/errors/coded-error.ts";
import { MIN_GUESSES_LOG10, MIN_PASSWORD_CHARS, type PasswordEstimate, type PasswordEstimateRequest } from "./password-estimate.ts";

/** Estimates a password. @throws CodedError UNAVAILABLE where the word lists cannot be loaded. */
export async function estimatePassword({ password, words = [] }: PasswordEstimateRequest): Promise<PasswordEstimate> {
  const { guessPassword } = await import("./guess-password.ts").catch((cause: unknown) => {
    throw new CodedError("UNAVAILABLE", "The strength of the password cannot be judged now", { cause });
  });
  const estimate = guessPassword(password, words);
  const isAcceptable = [...password].length >= MIN_PASSWORD_CHARS && estimate.guessesLog10 >= MIN_GUESSES_LOG10;
  return isAcceptable ? { ...estimate, isAcceptable, warning: null, suggestions: [] } : { ...estimate, isAcceptable };
}

/** @throws CodedError PASSWORD_WEAK for a new password of a vault that is too short or too easy to guess, UNAVAILABLE. */
export async function requirePassword(password: string): Promise<void> {
  if ([...password].length < MIN_PASSWORD_CHARS)
    throw new CodedError("PASSWORD_WEAK", `A password has at least ${MIN_PASSWORD_CHARS} characters`, { details: { field: "password" } });
  if (!(await estimatePassword({ password })).isAcceptable)
    throw new CodedError("PASSWORD_WEAK", "This password is too easy to guess", { details: { field: "password" } });
}
