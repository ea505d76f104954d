// The journal of connections: lines are appended, each durable before what it says happens. When it is too long, its oldest lines go; what
// limits and keys rest on never does.
import { CodedError } from "#shared/errors/coded-error.ts";
import { concatBytes } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { JOURNAL_SPARE_BYTES, KEY_KEPT_MS, MAX_JOURNAL_AGE_MS, MAX_JOURNAL_BYTES, MESSAGE_KEPT_MS } from "../app-limits.ts";
import {
  encodeJournalHead,
  type HashedLine,
  hashLine,
  type JournalHead,
  type JournalLine,
  type ParsedJournal,
  parseJournal,
  sealLine,
} from "./journal-format.ts";

/** Where a host stores the journal. Writes are complete and durable when their promise resolves. */
export interface JournalStorage {
  read(): Promise<Uint8Array | undefined>;
  /** Appends while the journal still has this length; false, and no write, where it has another. */
  append(length: number, bytes: Uint8Array): Promise<boolean>;
  /** Replaces all of it at once, while it still has this length; 0 where there is none. */
  replace(length: number, bytes: Uint8Array): Promise<boolean>;
}

/** What a new line says; number and hash come of themselves. */
export type NewLine = Omit<JournalLine, "n">;

/** What an open journal needs. The key stays the caller's. */
export interface AppJournalOptions {
  readonly storage: JournalStorage;
  readonly key: Uint8Array;
  /** Those of former passwords: what lies under one of them is sealed again. */
  readonly formerKeys?: readonly Uint8Array[];
  readonly random: RandomBytes;
  /** Size from which the oldest lines are dropped. */
  readonly maxBytes?: number;
}

/** The journal of one profile, open. */
export class AppJournal {
  readonly #options: AppJournalOptions;
  readonly #maxBytes: number;
  #key: Uint8Array;
  readonly #spareBytes: number;
  #head: JournalHead;
  #lines: HashedLine[];
  #length: number;
  /** Lines in the middle could not be read: they and all after them are lost. */
  readonly isDamaged: boolean;

  private constructor(options: AppJournalOptions, { head, lines, isDamaged }: ParsedJournal, length: number) {
    const { maxBytes = MAX_JOURNAL_BYTES } = options;
    this.#options = options;
    this.#key = options.key;
    this.#maxBytes = maxBytes;
    this.#spareBytes = Math.ceil((JOURNAL_SPARE_BYTES / MAX_JOURNAL_BYTES) * maxBytes);
    this.#head = head;
    this.#lines = [...lines];
    this.#length = length;
    this.isDamaged = isDamaged;
  }

  /** Opens what is stored; a last line that was not written to its end goes. */
  static async open(options: AppJournalOptions): Promise<AppJournal> {
    const stored = (await options.storage.read()) ?? new Uint8Array();
    const parsed = parseJournal([options.key, ...(options.formerKeys ?? [])], stored);
    const journal = new AppJournal(options, parsed, stored.length);
    if (parsed.isFormer) {
      await journal.#rewrite();
      return journal;
    }
    const good = parsed.goodBytes === 0 ? encodeJournalHead(parsed.head) : stored.subarray(0, parsed.goodBytes);
    if (good.length !== stored.length) await journal.#replace(good);
    return journal;
  }

  get lines(): readonly HashedLine[] {
    return this.#lines;
  }

  get firstN(): number {
    return this.#head.firstN;
  }

  /** Number and hash of the last line; those before the first where there is none. */
  get last(): { readonly n: number; readonly hash: Uint8Array } {
    const last = this.#lines.at(-1);
    return last === undefined ? { n: this.#head.firstN - 1, hash: this.#head.hash } : { n: last.line.n, hash: last.hash };
  }

  /** The hash of a line that is there, or of the one before the first. */
  hashOf(n: number): Uint8Array | undefined {
    return n === this.#head.firstN - 1 ? this.#head.hash : this.#lines[n - this.#head.firstN]?.hash;
  }

  /** True where the oldest lines have to go: a part of the spare room is left for what is written at once. */
  get isFull(): boolean {
    return this.#length + this.#spareBytes / 4 > this.#maxBytes;
  }

  /** True where messages take no more room: the other half is for orders that spend. */
  get isHalfFull(): boolean {
    return this.#length > this.#maxBytes / 2;
  }

  /** Appends lines; they are durable when this resolves. @throws CodedError UNAVAILABLE when another program has written meanwhile. */
  async append(news: readonly NewLine[]): Promise<readonly HashedLine[]> {
    const added: HashedLine[] = [];
    const frames: Uint8Array[] = [];
    let { n, hash: prev } = this.last;
    for (const content of news) {
      n += 1;
      const line: JournalLine = { n, ...content };
      const hash = hashLine(line, prev);
      frames.push(sealLine(this.#key, line, prev, this.#options.random));
      added.push({ line, prev, hash });
      prev = hash;
    }
    const bytes = concatBytes(...frames);
    if (!(await this.#options.storage.append(this.#length, bytes))) throw changed();
    this.#length += bytes.length;
    this.#lines.push(...added);
    return added;
  }

  /**
   * How many of the oldest lines go for room (so that a part of the most bytes is left), or for their age. Those that limits or keys rest on
   * stay, by the time of budgets, which neither clock brings forward alone.
   */
  countDroppable(budgetNowMs: number, part = 1): number {
    const olderThan = (ageOf: (line: JournalLine) => number): number => {
      const firstYounger = this.#lines.findIndex(({ line }) => budgetNowMs - line.budgetMs <= ageOf(line));
      return firstYounger === -1 ? this.#lines.length : firstYounger;
    };
    const bytesOfLine = this.#length / Math.max(this.#lines.length, 1);
    const forRoom = Math.ceil(Math.max(0, this.#length + this.#spareBytes - this.#maxBytes * part) / bytesOfLine);
    const unneeded = olderThan(({ action }) => (action === "message" ? MESSAGE_KEPT_MS : KEY_KEPT_MS));
    return Math.min(
      unneeded,
      Math.max(
        forRoom,
        olderThan(() => MAX_JOURNAL_AGE_MS),
      ),
    );
  }

  /** Drops as many. */
  async dropOldest(budgetNowMs: number, part = 1): Promise<void> {
    const count = this.countDroppable(budgetNowMs, part);
    const last = this.#lines[count - 1];
    if (last === undefined) return;
    this.#head = { firstN: last.line.n + 1, hash: last.hash };
    this.#lines = this.#lines.slice(count);
    await this.#rewrite();
  }

  /** Seals all lines again, under another key from now on. */
  renewKey(key: Uint8Array): Promise<void> {
    this.#key = key;
    return this.#lines.length === 0 ? Promise.resolve() : this.#rewrite();
  }

  async #rewrite(): Promise<void> {
    const frames = this.#lines.map(({ line, prev }) => sealLine(this.#key, line, prev, this.#options.random));
    await this.#replace(concatBytes(encodeJournalHead(this.#head), ...frames));
  }

  async #replace(bytes: Uint8Array): Promise<void> {
    if (!(await this.#options.storage.replace(this.#length, bytes))) throw changed();
    this.#length = bytes.length;
  }
}

function changed(): CodedError {
  return new CodedError("UNAVAILABLE", "Another program has written the journal of connections");
}
