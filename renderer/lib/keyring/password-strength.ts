// What the keyring's estimate of a password means: a level, and a time.
import { MIN_GUESSES_LOG10, type PasswordEstimate } from "#shared/keyring/passwords/password-estimate.ts";

/** How strong a password is, in the four steps that the interface shows. A weak one is refused. */
export const PASSWORD_LEVELS = ["weak", "fair", "good", "strong"] as const;
export type PasswordLevel = (typeof PASSWORD_LEVELS)[number];

/** What ten fast graphics cards try against Argon2id with 64 MiB and three passes, as a power of ten. */
const GUESSES_PER_SECOND_LOG10 = 4;
/** Three years. */
const GOOD_LOG10 = MIN_GUESSES_LOG10 + 2;
/** Three centuries. */
const STRONG_LOG10 = MIN_GUESSES_LOG10 + 4;

/** Level of an estimate. */
export function levelOf({ isAcceptable, guessesLog10 }: PasswordEstimate): PasswordLevel {
  if (!isAcceptable) return "weak";
  if (guessesLog10 < GOOD_LOG10) return "fair";
  return guessesLog10 < STRONG_LOG10 ? "good" : "strong";
}

/** Seconds until a thief of the vault's files has guessed the password. */
export function secondsToGuess({ guessesLog10 }: PasswordEstimate): number {
  return 10 ** (guessesLog10 - GUESSES_PER_SECOND_LOG10);
}
