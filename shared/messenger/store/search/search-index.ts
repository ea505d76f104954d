// Full-text search over all messages. At rest the index is a list of sealed rows; in memory it is the folded text of every message,
// which is scanned: 100,000 messages are a few megabytes. Belongs into a worker. It is derived: rebuilt when it is missing or damaged.
import pLimit from "p-limit";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { ConversationId, MessageKey } from "../../model/message.ts";
import type { MessageRecord } from "../../model/records.ts";
import { createRenewableCipher, type RenewableCipher } from "../sealing/record-cipher.ts";
import { storeCall } from "../store-call.ts";
import type { StoreChange, StoreDatabase } from "../store-database.ts";
import { bitsOf, kindBits, queryTerms, type SearchKind, searchableText } from "./search-text.ts";

/** What a search is narrowed to. */
export interface SearchFilter {
  readonly conversation?: ConversationId;
  /** One of these; any without it. */
  readonly kinds?: readonly SearchKind[];
  /** Written at this time or later, milliseconds since 1970. */
  readonly from?: number;
  /** Written before this time. */
  readonly before?: number;
}

export interface SearchQuery extends SearchFilter {
  /** May be "" where it is narrowed to kinds or times. */
  readonly text: string;
  readonly limit: number;
}

/** A message that was found. */
export interface SearchHit {
  readonly key: MessageKey;
  readonly at: number;
}

/** A search, in this thread or in a worker. */
export interface MessageSearch {
  /** Messages with all words of the text that the filter lets through, newest first. */
  find(query: SearchQuery): Promise<readonly SearchHit[]>;
  /** The keys of the store are others now. */
  renew(keys: StoreKeys<CryptoKey>): void;
  close(): void;
}

/**
 * What the index says about one message; `t` is absent for one that is gone. The highest revision holds, and gone is final. Words of one that
 * disappears are not repeated: `f` says that they are read from the message.
 */
export interface SearchEntry {
  readonly k: MessageKey;
  readonly c: ConversationId;
  readonly a: number;
  readonly r: number;
  readonly t?: string;
  readonly f?: 1;
  /** Bits of its kinds; absent for none. */
  readonly m?: number;
}

/** Location of the rows of the index: none depends on its order. */
export const SEARCH_LOCATION = "search";
/** Key of the mark that the rows hold every message, with what their entries say. */
export const SEARCH_BUILT = "search built";
/** Version of what entries say: 3 repeats no words of what disappears. Rows of another one are built again. */
export const SEARCH_VERSION = 3;
/** Messages in one row after merging. */
const ROW_ENTRIES = 1_000;
/** Small rows that are merged at once. */
const MERGE_ROWS = 128;

/** Entry of a message, or undefined when nothing in it can be found. */
export function searchEntry(key: MessageKey, record: MessageRecord): SearchEntry | undefined {
  const text = searchableText(record.body);
  const entry = { k: key, c: record.conversation, a: record.at, r: record.revision ?? 0 };
  const bits = kindBits(record.body);
  const kinds = bits !== 0 && { m: bits };
  if (record.expiry !== undefined && text !== "") return { ...entry, t: "", f: 1, ...kinds };
  if (text !== "" || bits !== 0) return { ...entry, t: text, ...kinds };
  return record.body.kind === "deleted" ? entry : undefined;
}

/** The index over an open database. Queries run one after another. */
export class SearchIndex implements MessageSearch {
  readonly #database: StoreDatabase;
  readonly #cipher: RenewableCipher;
  readonly #entries = new Map<MessageKey, SearchEntry>();
  /** Words of messages that disappear are still to be read. */
  readonly #wordless = new Set<MessageKey>();
  /** Newest first; undefined when it has to be sorted again. */
  #sorted: readonly SearchEntry[] | undefined;
  #lastSeq = 0;
  readonly #limit = pLimit(1);

  constructor(database: StoreDatabase, keys: StoreKeys<CryptoKey>) {
    this.#database = database;
    this.#cipher = createRenewableCipher(keys);
  }

  renew(keys: StoreKeys<CryptoKey>): void {
    this.#cipher.renew(keys);
  }

  find(query: SearchQuery): Promise<readonly SearchHit[]> {
    return this.#limit(async () => {
      await this.#load();
      await this.#readWords();
      return this.#scan(query);
    });
  }

  close(): void {
    this.#entries.clear();
    this.#wordless.clear();
    this.#sorted = undefined;
    this.#database.close();
  }

  #scan(query: SearchQuery): readonly SearchHit[] {
    const { text, limit, conversation, kinds = [], from = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY } = query;
    const terms = queryTerms(text);
    const bits = bitsOf(kinds);
    if (terms.length === 0 && bits === 0 && query.from === undefined && query.before === undefined) return [];
    this.#sorted ??= [...this.#entries.values()].filter(({ t }) => t !== undefined).sort((a, b) => b.a - a.a);
    const hits: SearchHit[] = [];
    for (const { k, c, a, m = 0, t = "" } of this.#sorted) {
      if (a < from) break;
      if (a >= before || (conversation !== undefined && c !== conversation) || (bits !== 0 && (m & bits) === 0)) continue;
      if (!terms.every((term) => t.includes(term))) continue;
      hits.push({ key: k, at: a });
      if (hits.length >= limit) break;
    }
    return hits;
  }

  /** Reads what was added since the last query. */
  async #load(): Promise<void> {
    const built = await storeCall(() => this.#database.get("meta", SEARCH_BUILT));
    if (built === undefined || (await this.#cipher.open(`meta ${SEARCH_BUILT}`, built.sealed)) !== SEARCH_VERSION) await this.#startOver();
    const rows = await storeCall(() => this.#database.list("search", { after: this.#lastSeq }));
    let small = 0;
    for (const { seq, sealed } of rows) {
      const entries = (await this.#cipher.open(SEARCH_LOCATION, sealed)) as readonly SearchEntry[] | undefined;
      if (entries === undefined) return this.#startOver();
      this.#take(entries);
      this.#lastSeq = seq;
      if (entries.length < ROW_ENTRIES) small += 1;
    }
    if (small >= MERGE_ROWS) await this.#merge();
  }

  #take(entries: readonly SearchEntry[]): void {
    for (const entry of entries) {
      const known = this.#entries.get(entry.k);
      if (known !== undefined && (known.t === undefined || (entry.t !== undefined && entry.r < known.r))) continue;
      this.#entries.set(entry.k, entry);
      if (entry.f === 1) this.#wordless.add(entry.k);
    }
    if (entries.length > 0) this.#sorted = undefined;
  }

  /** Words of messages that disappear, from the messages. What no key opens yet is tried again with the next query. */
  async #readWords(): Promise<void> {
    const keys = [...this.#wordless];
    for (let start = 0; start < keys.length; start += ROW_ENTRIES) {
      const rows = await storeCall(() => this.#database.getMany("messages", keys.slice(start, start + ROW_ENTRIES)));
      for (const row of rows) {
        const record = row && ((await this.#cipher.open(`message ${row.key}`, row.sealed)) as MessageRecord | undefined);
        const entry = row && this.#entries.get(row.key);
        if (record === undefined || entry === undefined) continue;
        this.#wordless.delete(entry.k);
        if (entry.t !== undefined) this.#entries.set(entry.k, { ...entry, t: searchableText(record.body) });
        this.#sorted = undefined;
      }
    }
  }

  /** No index, words that are gone, or a damaged row: everything is read from the messages again. */
  async #startOver(): Promise<void> {
    await storeCall(() =>
      this.#database.write([
        { table: "search", deleteUpTo: Number.MAX_SAFE_INTEGER },
        { table: "meta", delete: SEARCH_BUILT },
      ]),
    );
    this.#entries.clear();
    this.#wordless.clear();
    this.#sorted = undefined;
    this.#lastSeq = 0;
    await this.#rebuild();
    await this.#load();
  }

  async #rebuild(): Promise<void> {
    let after: string | undefined;
    for (;;) {
      const range = after === undefined ? { limit: ROW_ENTRIES } : { after, limit: ROW_ENTRIES };
      const rows = await storeCall(() => this.#database.list("messages", range));
      const entries: SearchEntry[] = [];
      for (const { key, sealed } of rows) {
        const record = (await this.#cipher.open(`message ${key}`, sealed)) as MessageRecord | undefined;
        const entry = record && searchEntry(key, record);
        if (entry !== undefined) entries.push(entry);
      }
      const row = await this.#cipher.seal(SEARCH_LOCATION, entries);
      await storeCall(() => this.#database.write([{ table: "search", add: { sealed: row } }]));
      after = rows.at(-1)?.key;
      if (rows.length < ROW_ENTRIES) break;
    }
    const sealed = await this.#cipher.seal(`meta ${SEARCH_BUILT}`, SEARCH_VERSION);
    await storeCall(() => this.#database.write([{ table: "meta", put: { key: SEARCH_BUILT, sealed } }]));
  }

  /** Writes what is in memory as full rows, in place of the rows that were read. Rows that are added meanwhile stay. */
  async #merge(): Promise<void> {
    const all = [...this.#entries.values()].map((entry) => (entry.f === 1 && entry.t !== undefined ? { ...entry, t: "" } : entry));
    const merged: Uint8Array[] = [];
    for (let start = 0; start < all.length; start += ROW_ENTRIES)
      merged.push(await this.#cipher.seal(SEARCH_LOCATION, all.slice(start, start + ROW_ENTRIES)));
    const rows = merged.map((sealed, index): StoreChange => ({ table: "search", put: { seq: index + 1, sealed } }));
    await storeCall(() => this.#database.write([{ table: "search", deleteUpTo: this.#lastSeq }, ...rows]));
  }
}
