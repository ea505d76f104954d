// The quiz that confirms a recovery phrase: a few positions, drawn at random.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { PhraseAnswer } from "../keyring-api.ts";
import { PHRASE_WORDS } from "./phrase.ts";

/** Positions that a quiz asks for. */
const QUIZ_SIZE = 3;
/** Largest multiple of the number of words in a byte: higher bytes would prefer some positions. */
const FAIR_BYTES = 256 - (256 % PHRASE_WORDS);

/** Distinct positions (1–24), ascending. */
export function drawQuiz(random: RandomBytes): readonly number[] {
  const positions = new Set<number>();
  while (positions.size < QUIZ_SIZE) {
    for (const byte of random(16)) if (byte < FAIR_BYTES && positions.size < QUIZ_SIZE) positions.add((byte % PHRASE_WORDS) + 1);
  }
  return [...positions].sort((a, b) => a - b);
}

/** True when exactly the asked positions are answered with the words of the phrase. */
export function isQuizPassed(quiz: readonly number[], answers: readonly PhraseAnswer[], words: readonly string[]): boolean {
  const given = new Map(answers.map(({ position, word }) => [position, word.trim().toLowerCase()]));
  return given.size === quiz.length && quiz.every((position) => given.get(position) === words[position - 1]);
}

/** The one quiz that waits for its answer: a new one replaces it, and it serves once. */
export class PendingQuiz {
  readonly #random: RandomBytes;
  #positions: readonly number[] | undefined;

  constructor(random: RandomBytes) {
    this.#random = random;
  }

  /** Positions (1–24) of a new quiz. */
  draw(): readonly number[] {
    this.#positions = drawQuiz(this.#random);
    return this.#positions;
  }

  /** Whether the answers are right; the quiz has ended either way. @throws CodedError BAD_REQUEST when none waits. */
  take(answers: readonly PhraseAnswer[], words: readonly string[]): boolean {
    const positions = this.#positions;
    this.drop();
    if (positions === undefined) throw new CodedError("BAD_REQUEST", "Ask for a quiz first");
    return isQuizPassed(positions, answers, words);
  }

  drop(): void {
    this.#positions = undefined;
  }
}
