// Texts of responses that may be asked for again, the longest unused ones forgotten first.
import { LRUCache } from "lru-cache";
import type { JsonText } from "../json/json-text.ts";

/** A text longer than this is not worth its room, characters. */
const MAX_TEXT_CHARS = 65_536;
/** What an entry takes besides its text, about. */
const ENTRY_CHARS = 200;
/** Keys that are remembered as asked for once; a power of two. */
const REQUESTED_KEYS = 8_192;

/** How much a cache keeps. */
export interface ResponseCacheOptions {
  /** Characters of all texts. */
  readonly maxChars: number;
  /**
   * True: a text is stored when it is requested for the second time within about {@link REQUESTED_KEYS} others. Storing what is never
   * requested again costs more than answering it, for the memory must be made free again.
   */
  readonly storesFromSecond?: boolean;
}

/** Keeps texts up to a number of characters in all. */
export class ResponseCache {
  readonly #responses: LRUCache<string, JsonText>;
  /** Hashes of keys by their lowest bits; undefined when everything is kept. */
  readonly #asked: Uint32Array | undefined;

  constructor({ maxChars, storesFromSecond = false }: ResponseCacheOptions) {
    this.#responses = new LRUCache({
      maxSize: maxChars,
      sizeCalculation: ({ text }, key): number => text.length + key.length + ENTRY_CHARS,
    });
    this.#asked = storesFromSecond ? new Uint32Array(REQUESTED_KEYS) : undefined;
  }

  get(key: string): JsonText | undefined {
    return this.#responses.get(key);
  }

  /** Keeps a response, if it is worth it. */
  set(key: string, response: JsonText): void {
    if (response.text.length <= MAX_TEXT_CHARS && this.#wasRequested(key)) this.#responses.set(key, response);
  }

  delete(key: string): void {
    this.#responses.delete(key);
  }

  clear(): void {
    this.#responses.clear();
  }

  #wasRequested(key: string): boolean {
    if (this.#asked === undefined) return true;
    const hash = hashOf(key);
    const slot = hash % REQUESTED_KEYS;
    const wasRequested = this.#asked[slot] === hash;
    this.#asked[slot] = hash;
    return wasRequested;
  }
}

/** 32 bits of a text (FNV-1a). Two keys with one hash cost nothing but an entry. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
