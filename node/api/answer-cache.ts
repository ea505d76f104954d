// Texts of answers that may be asked for again, the longest unused ones forgotten first.
import type { JsonText } from "./json-text.ts";

/** A text longer than this is not worth its room, characters. */
const MAX_TEXT_CHARS = 65_536;
/** What an entry takes besides its text, about. */
const ENTRY_CHARS = 200;

/** Keeps texts up to a number of characters in all. */
export class AnswerCache {
  readonly #maxChars: number;
  readonly #answers = new Map<string, JsonText>();
  #chars = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get(key: string): JsonText | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  set(key: string, answer: JsonText): void {
    if (answer.text.length > MAX_TEXT_CHARS) return;
    this.delete(key);
    this.#answers.set(key, answer);
    this.#chars += answer.text.length + key.length + ENTRY_CHARS;
    for (const oldest of this.#answers.keys()) {
      if (this.#chars <= this.#maxChars) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const answer = this.#answers.get(key);
    if (answer === undefined) return;
    this.#answers.delete(key);
    this.#chars -= answer.text.length + key.length + ENTRY_CHARS;
  }

  clear(): void {
    this.#answers.clear();
    this.#chars = 0;
  }
}
