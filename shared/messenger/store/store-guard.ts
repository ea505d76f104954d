// Notices when someone with access to the disk puts older records back. A sealed record beside the others holds a number that rises with
// every write, and sums of keyed hashes over the rows: one of what is loaded at each start, one of the messages. Each write replaces it in the
// same transaction, only while it is as this writer left it: of two writers the slower one is refused. Pure but for the database.
import pLimit from "p-limit";
import { CodedError } from "#shared/errors/coded-error.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import type { RecordCipher } from "./sealing/record-cipher.ts";
import { type RowHash, rowHash } from "./sealing/row-hash.ts";
import { SEARCH_BUILT } from "./search/search-index.ts";
import { storeCall } from "./store-call.ts";
import type { MessageRow, StoreChange, StoreDatabase, StoreRows } from "./store-database.ts";

/** Key of the record. */
export const HEAD_KEY = "head";
/** Tables that are loaded at each start: what the messenger acts on. */
const LOADED_TABLES = ["conversations", "outbox", "streams", "pairs", "meta"] as const;
type LoadedTable = (typeof LOADED_TABLES)[number];
/** Rows that have no part in the sums: the search writes its own. */
const UNCOUNTED: readonly string[] = [HEAD_KEY, SEARCH_BUILT];
/** Messages of one step of checking. */
const STEP_ROWS = 256;
/** How often reading is begun again while another connection writes. */
const MAX_READS = 8;

/** What the vault says of the store. */
export interface StoreCheckpoint {
  /** Number of a write that was durable. */
  readonly counter: number;
  /** Generation of the vault. */
  readonly generation: number;
}

/**
 * - `records`: rows are not those that were written last.
 * - `store`: all of the store is older than the vault says, or gone.
 * - `vault`: the vault is older than the store says.
 */
export type StoreFinding = "records" | "store" | "vault";

interface Head {
  readonly counter: number;
  readonly loaded: string;
  /** Null until the messages of an earlier version were gone through once. */
  readonly messages: string | null;
  readonly generation: number;
}

/** Rows of messages that were gone through so far. */
interface Scan {
  readonly after: string | undefined;
  readonly sum: RowHash;
}

const EMPTY = 0n;
const SUM_BITS = 256;

/** Watches over the writes of one open store. */
export class StoreGuard {
  readonly #database: StoreDatabase;
  readonly #cipher: RecordCipher;
  readonly #hashes = new Map<string, RowHash>();
  readonly #queue = pLimit(1);
  #head: Head = { counter: 0, loaded: "0", messages: null, generation: 0 };
  #stored: Uint8Array | undefined;
  #scan: Scan | undefined;

  readonly #onOvertaken: () => void;

  /** `onOvertaken`: another writer has written, so what is in memory here is out of date. */
  constructor(database: StoreDatabase, cipher: RecordCipher, onOvertaken: () => void) {
    this.#database = database;
    this.#cipher = cipher;
    this.#onOvertaken = onOvertaken;
  }

  /** Number of the last write. */
  get counter(): number {
    return this.#head.counter;
  }

  /** Reads the rows that are loaded at each start and compares them; nothing is written. `isNew`: the store has just been made. */
  async open(checkpoint: StoreCheckpoint | undefined, isNew: boolean): Promise<StoreFinding | undefined> {
    const loaded = await this.#readLoaded();
    const head = this.#stored && ((await this.#cipher.open(`meta ${HEAD_KEY}`, this.#stored)) as Head | undefined);
    const counter = checkpoint?.counter ?? 0;
    this.#head = {
      // What comes next is newer than all that was.
      counter: Math.max(head?.counter ?? 0, counter),
      loaded: textOf(loaded),
      messages: head?.messages ?? (isNew ? textOf(EMPTY) : null),
      generation: Math.max(head?.generation ?? 0, checkpoint?.generation ?? 0),
    };
    if ((head?.counter ?? 0) < counter) return "store";
    if (head === undefined) return this.#stored === undefined ? undefined : "records";
    if (head.loaded !== textOf(loaded)) return "records";
    return checkpoint !== undefined && checkpoint.generation < head.generation ? "vault" : undefined;
  }

  /** The vault has this generation now; the store says so from the next write on. */
  noteGeneration(generation: number): void {
    this.#head = { ...this.#head, generation: Math.max(this.#head.generation, generation) };
  }

  /** Makes all changes durably, or none. @throws CodedError LOCAL_STORE_FAILED, also when another writer has written. */
  write(changes: readonly StoreChange[]): Promise<void> {
    return this.#queue(async () => {
      if (changes.length === 0) return;
      const { loaded, messages, scanned } = await this.#deltasOf(changes);
      const head: Head = {
        ...this.#head,
        counter: this.#head.counter + 1,
        loaded: textOf(plus(parseSum(this.#head.loaded), sumOf(loaded))),
        messages: this.#head.messages && textOf(plus(parseSum(this.#head.messages), messages)),
      };
      const sealed = await this.#cipher.seal(`meta ${HEAD_KEY}`, head);
      const all: readonly StoreChange[] = [...changes, { table: "meta", put: { key: HEAD_KEY, sealed } }];
      const expected = { key: HEAD_KEY, sealed: this.#stored };
      if (!(await storeCall(() => this.#database.write(all, expected)))) {
        this.#onOvertaken();
        throw new CodedError("LOCAL_STORE_FAILED", "Another window of Parley has written to the message store: nothing was changed here");
      }
      [this.#head, this.#stored] = [head, sealed];
      if (this.#scan !== undefined) this.#scan = { ...this.#scan, sum: plus(this.#scan.sum, scanned) };
      for (const { name, after } of loaded) {
        if (after === EMPTY) this.#hashes.delete(name);
        else this.#hashes.set(name, after);
      }
    });
  }

  /** Goes through the messages from the beginning. */
  beginScan(): void {
    this.#scan = { after: undefined, sum: EMPTY };
  }

  /** One step of that; at its end whether the messages are those that were written last. Undefined while there are more. */
  scanStep(): Promise<boolean | undefined> {
    return this.#queue(async () => {
      const { after, sum } = this.#scan ?? { after: undefined, sum: EMPTY };
      const range = after === undefined ? { limit: STEP_ROWS } : { after, limit: STEP_ROWS };
      const rows = await storeCall(() => this.#database.list("messages", range));
      const hashes = await Promise.all(rows.map((row) => rowHash(this.#cipher, "messages", row)));
      const total = hashes.reduce(plus, sum);
      this.#scan = { after: rows.at(-1)?.key ?? after, sum: total };
      if (rows.length === STEP_ROWS) return undefined;
      this.#scan = undefined;
      // A write that took effect without an answer, or another writer's: the next start judges what is there then.
      if (!isSame(await this.#readHead(), this.#stored)) return true;
      const isWhole = this.#head.messages === null || this.#head.messages === textOf(total);
      this.#head = { ...this.#head, messages: textOf(total) };
      return isWhole;
    });
  }

  /** Sum of the rows that are loaded, and the head as it was all the while. */
  async #readLoaded(): Promise<RowHash> {
    for (let attempt = 0; attempt < MAX_READS; attempt += 1) {
      this.#stored = await this.#readHead();
      this.#hashes.clear();
      let sum = EMPTY;
      for (const table of LOADED_TABLES)
        for (const row of await storeCall(() => this.#database.list(table))) {
          if (table === "meta" && UNCOUNTED.includes(String(keyOf(row)))) continue;
          const hash = await rowHash(this.#cipher, table, row);
          this.#hashes.set(nameOf(table, keyOf(row)), hash);
          sum = plus(sum, hash);
        }
      if (isSame(await this.#readHead(), this.#stored)) return sum;
    }
    throw new CodedError("LOCAL_STORE_FAILED", "Another window of Parley keeps writing to the message store: try again");
  }

  async #readHead(): Promise<Uint8Array | undefined> {
    return (await storeCall(() => this.#database.get("meta", HEAD_KEY)))?.sealed;
  }

  /** What changes add to the sums. */
  async #deltasOf(changes: readonly StoreChange[]): Promise<Deltas> {
    /** The last change of each row decides. */
    const last = new Map<string, CountedChange>();
    for (const change of changes) if (isCounted(change)) last.set(nameOf(change.table, keyOfChange(change)), change);
    const stored = await this.#storedMessages([...last.values()]);
    const rows = await Promise.all(
      [...last].map(async ([name, change]): Promise<RowDelta> => {
        const [before, after] = await Promise.all([this.#hashBefore(name, change, stored), this.#hashAfter(change)]);
        return { name, change, after, delta: minus(after, before) };
      }),
    );
    const ofMessages = rows.filter(({ change }) => change.table === "messages");
    const reached = this.#scan?.after;
    return {
      loaded: rows.filter(({ change }) => change.table !== "messages"),
      messages: sumOf(ofMessages),
      scanned: reached === undefined ? EMPTY : sumOf(ofMessages.filter(({ change }) => keyOfChange(change) <= reached)),
    };
  }

  /** The messages of these changes as they are stored, by their keys. */
  async #storedMessages(changes: readonly CountedChange[]): Promise<ReadonlyMap<string, MessageRow>> {
    const keys = changes.filter(({ table }) => table === "messages").map((change) => keyOfChange(change) as string);
    const rows = keys.length === 0 ? [] : await storeCall(() => this.#database.getMany("messages", keys));
    return new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.key, row]])));
  }

  async #hashBefore(name: string, change: CountedChange, stored: ReadonlyMap<string, MessageRow>): Promise<RowHash> {
    if (change.table !== "messages") return this.#hashes.get(name) ?? EMPTY;
    const row = stored.get(keyOfChange(change) as string);
    return row === undefined ? EMPTY : rowHash(this.#cipher, "messages", row);
  }

  async #hashAfter(change: CountedChange): Promise<RowHash> {
    return "put" in change ? rowHash(this.#cipher, change.table, change.put) : EMPTY;
  }
}

/** A change of a row that has a part in the sums. */
type CountedChange = Extract<StoreChange, { readonly table: LoadedTable | "messages" }> &
  ({ readonly put: StoreRows[LoadedTable | "messages"] } | { readonly delete: string | number });

interface RowDelta {
  readonly name: string;
  readonly change: CountedChange;
  readonly after: RowHash;
  readonly delta: RowHash;
}

interface Deltas {
  readonly loaded: readonly RowDelta[];
  readonly messages: RowHash;
  /** Of messages that were gone through already. */
  readonly scanned: RowHash;
}

function isCounted(change: StoreChange): change is CountedChange {
  const { table } = change;
  if (!("put" in change || "delete" in change)) return false;
  if (table === "meta") return !UNCOUNTED.includes(String(keyOfChange(change as CountedChange)));
  return table === "messages" || LOADED_TABLES.some((name) => name === table);
}

function keyOfChange(change: CountedChange): string | number {
  return "put" in change ? keyOf(change.put) : change.delete;
}

function keyOf(row: StoreRows[LoadedTable | "messages"]): string | number {
  return "seq" in row ? row.seq : row.key;
}

function nameOf(table: string, key: string | number): string {
  return `${table} ${key}`;
}

function plus(a: RowHash, b: RowHash): RowHash {
  return BigInt.asUintN(SUM_BITS, a + b);
}

function minus(a: RowHash, b: RowHash): RowHash {
  return BigInt.asUintN(SUM_BITS, a - b);
}

function sumOf(rows: readonly Pick<RowDelta, "delta">[]): RowHash {
  return rows.reduce((sum, { delta }) => plus(sum, delta), EMPTY);
}

function textOf(sum: RowHash): string {
  return sum.toString(16);
}

function parseSum(text: string): RowHash {
  return BigInt(`0x${text}`);
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalBytes(a, b);
}
