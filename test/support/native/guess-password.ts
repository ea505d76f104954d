// The estimate of a password, once for each: people of tests have the same one, and an eighth of a test of many people was its estimate.
import { guessPassword as guess } from "#shared/keyring/passwords/guess-password.ts";

const known = new Map<string, ReturnType<typeof guess>>();

/** What the estimator says of a password beside these words. */
export const guessPassword: typeof guess = (password, words) => {
  const key = JSON.stringify([password, words]);
  const estimate = known.get(key) ?? guess(password, words);
  known.set(key, estimate);
  return estimate;
};
