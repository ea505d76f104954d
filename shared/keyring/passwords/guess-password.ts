// The estimator: zxcvbn-ts with words, names and leaked passwords, English and German. 2.5 MB with its lists: only ever loaded lazily.
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as german } from "@zxcvbn-ts/language-de";
import { dictionary as english } from "@zxcvbn-ts/language-en";
import {
  MIN_GUESSES_LOG10,
  PASSWORD_SUGGESTIONS,
  PASSWORD_WARNINGS,
  type PasswordEstimate,
  type PasswordSuggestion,
} from "./password-estimate.ts";

/** So many characters are judged: the work grows with their square, and a password that is good until there is good. */
const MAX_JUDGED_CHARS = 64;
const MIN_WORD_CHARS = 3;
/** Words of this program that a guesser tries first. */
const OWN_WORDS = ["parley"];

let estimator: ZxcvbnFactory | undefined;

/** Guesses that a password needs, and what would make it better. */
export function guessPassword(password: string, words: readonly string[]): Omit<PasswordEstimate, "isAcceptable"> {
  estimator ??= createEstimator();
  // As the vault's key is derived from it.
  const judged = password.normalize("NFKC").slice(0, MAX_JUDGED_CHARS);
  const { guessesLog10, feedback } = estimator.check(judged, [...OWN_WORDS, ...words.flatMap(partsOf)]);
  return {
    guessesLog10,
    warning: PASSWORD_WARNINGS.find((warning) => warning === feedback.warning) ?? null,
    suggestions: feedback.suggestions.filter(isSuggestion),
  };
}

/** Without the search for words that are spelt slightly wrong: it costs ten to fifty times the time, half a second a keystroke. */
function createEstimator(): ZxcvbnFactory {
  const named = Object.entries(german).map(([name, words]) => [`${name}-de`, words] as const);
  const floor = 10 ** MIN_GUESSES_LOG10;
  return new ZxcvbnFactory({
    dictionary: { ...common, ...english, ...Object.fromEntries(named) },
    graphs: adjacencyGraphs,
    maxLength: MAX_JUDGED_CHARS,
    // Advice is given below the third bound: for what is refused, and for nothing else.
    timeEstimationValues: { scoring: { 0: 1e3, 1: 1e6, 2: floor, 3: floor * 100 }, attackTime: ATTACKS },
  });
}

/** The library's own figures, which are not used: the interface computes times itself. */
const ATTACKS = {
  onlineThrottlingXPerHour: 100,
  onlineNoThrottlingXPerSecond: 10,
  offlineSlowHashingXPerSecond: 1e4,
  offlineFastHashingXPerSecond: 1e10,
};

function partsOf(words: string): readonly string[] {
  const normal = words.normalize("NFKC");
  return [normal, ...normal.split(/[^\p{L}\p{N}]+/u)].filter((word) => word.length >= MIN_WORD_CHARS);
}

function isSuggestion(name: string): name is PasswordSuggestion {
  return PASSWORD_SUGGESTIONS.some((suggestion) => suggestion === name);
}
