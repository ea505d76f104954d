// Texts of answers that may be asked for again, the longest unused ones forgotten first.
import { LRUCache } from "lru-cache";
import type { JsonText } from "../json-text.ts";

/** A text longer than this is not worth its room, characters. */
const MAX_TEXT_CHARS = 65_536;
/** What an entry takes besides its text, about. */
const ENTRY_CHARS = 200;
/** Keys that are remembered as asked for once; a power of two. */
const ASKED_KEYS = 8_192;

/** How much a cache keeps. */
export interface AnswerCacheOptions {
  /** Characters of all texts. */
  readonly maxChars: number;
  /**
   * True: a text is kept when it is asked for the second time within about {@link ASKED_KEYS} others. Keeping what is never asked for again
   * costs more than answering it, for the memory must be made free again.
   */
  readonly keepsFromSecond?: boolean;
}

/** Keeps texts up to a number of characters in all. */
export class AnswerCache {
  readonly #answers: LRUCache<string, JsonText>;
  /** Hashes of keys by their lowest bits; undefined when everything is kept. */
  readonly #asked: Uint32Array | undefined;

  constructor({ maxChars, keepsFromSecond = false }: AnswerCacheOptions) {
    this.#answers = new LRUCache({ maxSize: maxChars, sizeCalculation: ({ text }, key): number => text.length + key.length + ENTRY_CHARS });
    this.#asked = keepsFromSecond ? new Uint32Array(ASKED_KEYS) : undefined;
  }

  get(key: string): JsonText | undefined {
    return this.#answers.get(key);
  }

  /** Keeps an answer, if it is worth it. */
  set(key: string, answer: JsonText): void {
    if (answer.text.length <= MAX_TEXT_CHARS && this.#wasAsked(key)) this.#answers.set(key, answer);
  }

  delete(key: string): void {
    this.#answers.delete(key);
  }

  clear(): void {
    this.#answers.clear();
  }

  #wasAsked(key: string): boolean {
    if (this.#asked === undefined) return true;
    const hash = hashOf(key);
    const place = hash % ASKED_KEYS;
    const wasAsked = this.#asked[place] === hash;
    this.#asked[place] = hash;
    return wasAsked;
  }
}

/** 32 bits of a text (FNV-1a). Two keys with one hash cost nothing but an entry. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
