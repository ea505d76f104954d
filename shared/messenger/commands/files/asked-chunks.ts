// Which chunks of a file are asked for next: a few at a time, and again what did not come.
import { MAX_ASKED_CHUNKS } from "#shared/content/content.ts";

/** Further chunks are asked for when so few of those before are missing. */
const ASK_BELOW = MAX_ASKED_CHUNKS / 2;
/** What was asked for and did not come is asked for again after this, twice as long each time up to {@link LAST_RETRY_MS}. */
export const FIRST_RETRY_MS = 600_000;
const LAST_RETRY_MS = 86_400_000;

interface Asked {
  /** Monotonic milliseconds. */
  readonly atMs: number;
  readonly tries: number;
}

/** What of a file is there, and the time. */
export interface ChunksThere {
  /** Chunks of the whole file. */
  readonly total: number;
  readonly isHere: (index: number) => Promise<boolean>;
  /** Monotonic milliseconds. */
  readonly nowMs: number;
}

/** What was asked for of one file in this run. */
export class AskedChunks {
  /** Chunks before this one were looked for, and are here or asked for. */
  #next = 0;
  readonly #asked = new Map<number, Asked>();

  /** Numbers of chunks to ask for now, at most {@link MAX_ASKED_CHUNKS}; they count as asked for. */
  async take({ total, isHere, nowMs }: ChunksThere): Promise<readonly number[]> {
    for (const index of this.#asked.keys()) if (await isHere(index)) this.#asked.delete(index);
    const late = [...this.#asked].filter(([, asked]) => nowMs - asked.atMs >= retryAfterMs(asked)).map(([index]) => index);
    const more: number[] = [];
    if (this.#asked.size <= ASK_BELOW)
      for (; this.#asked.size + more.length < MAX_ASKED_CHUNKS && this.#next < total; this.#next += 1)
        if (!(await isHere(this.#next))) more.push(this.#next);
    const chunks = [...late, ...more].slice(0, MAX_ASKED_CHUNKS);
    for (const index of chunks) this.#asked.set(index, { atMs: nowMs, tries: (this.#asked.get(index)?.tries ?? 0) + 1 });
    return chunks;
  }
}

function retryAfterMs({ tries }: Asked): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1));
}
