// What is said of a password that is chosen, and the floor below which no vault takes one.

/** Shortest password of a vault, characters. */
export const MIN_PASSWORD_CHARS = 8;

/**
 * Fewest guesses of a vault's password, as a power of ten: twelve days for ten graphics cards, which try about ten thousand a second
 * against Argon2id with 64 MiB and three passes.
 */
export const MIN_GUESSES_LOG10 = 10;

/** What makes a password easy to guess: names of zxcvbn-ts. */
export const PASSWORD_WARNINGS = [
  "straightRow",
  "keyPattern",
  "simpleRepeat",
  "extendedRepeat",
  "sequences",
  "recentYears",
  "dates",
  "topTen",
  "topHundred",
  "common",
  "similarToCommon",
  "wordByItself",
  "namesByThemselves",
  "commonNames",
  "userInputs",
] as const;

/** What would make it harder to guess: names of zxcvbn-ts. */
export const PASSWORD_SUGGESTIONS = [
  "l33t",
  "reverseWords",
  "allUppercase",
  "capitalization",
  "dates",
  "recentYears",
  "associatedYears",
  "sequences",
  "repeated",
  "longerKeyboardPattern",
  "anotherWord",
  "useWords",
  "noNeed",
] as const;

export type PasswordWarning = (typeof PASSWORD_WARNINGS)[number];
export type PasswordSuggestion = (typeof PASSWORD_SUGGESTIONS)[number];

/** A password, and words that a guesser of it tries first. */
export interface PasswordEstimateRequest {
  readonly password: string;
  /** The person's name, the name of a file: what the password is chosen for. */
  readonly words?: readonly string[];
}

/** How hard a password is to guess. */
export interface PasswordEstimate {
  /** Decimal logarithm of the guesses that someone well prepared needs. */
  readonly guessesLog10: number;
  /** Whether a vault may have it. */
  readonly isAcceptable: boolean;
  readonly warning: PasswordWarning | null;
  /** Empty for a password that is accepted. */
  readonly suggestions: readonly PasswordSuggestion[];
}
