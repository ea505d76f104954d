// SQL of account histories: the entries of an account are numbered from 1 in the order of the chain, so that any page is a range of numbers
// and a deep one costs what the first one costs. Entries of sealed blocks have no rows after a while, but for each account's newest: runs
// have the others.
import { readAccount } from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { GenerationCache } from "#node/state/generation-cache.ts";
import { SEQ_PER_BLOCK } from "../chain-schema.ts";
import { KeptRepository } from "../history/records/kept-repository.ts";
import { FIRST_HEIGHT } from "../history/sealing/drop-marks.ts";
import type { KeptEntry } from "../history/sealing/drop-segments.ts";
import { sealedHistory } from "../history/sealing/sealed-history.ts";
import { readTogether, type SqliteDatabase } from "../sqlite-database.ts";

/** Entries of an account, both ends included; empty when `first` is above `last`. */
export interface HistorySlice {
  readonly publicKey: string;
  readonly accountId: number;
  readonly first: number;
  readonly last: number;
}

type NumberedAccount = Pick<HistorySlice, "publicKey" | "accountId">;

/** Number of an account, and of its last entry. */
interface HistoryEnd {
  readonly accountId: number;
  readonly last: number;
}

/** Ends of histories that stay in memory, so that an entry of an account in use is written without reading those before it. */
export const HISTORY_END_CACHE_BYTES = 16_777_216;
const END_BYTES = 32;

/** The newest entry that an account has below the blocks that are here. */
export interface NewestEntry {
  readonly publicKey: string;
  readonly number: number;
  readonly seq: number;
  readonly end: number;
}

/** A row of an entry. */
interface EntryRow {
  readonly number: number;
  readonly seq: number;
}

/** Writes entries, and finds the numbers of those that a page shows. */
export class AccountHistoryRepository {
  readonly #accountId;
  readonly #insertAccount;
  readonly #insertEntry;
  readonly #lastNumber;
  readonly #seqOf;
  readonly #entries;
  readonly #firstEntry;
  readonly #sealed;
  readonly #remove;
  readonly #insertNewest;
  readonly #rowFrom;
  readonly #together;
  /** Entries of own accounts that were kept when their blocks were dropped. */
  readonly #kept: KeptRepository;
  readonly #firstHeight;
  readonly #account;
  /** The committed records. */
  readonly #accounts: StateReader;
  readonly #endBytes: number;
  #ends: GenerationCache<HistoryEnd>;

  /** @param endBytes what the ends of histories may take of memory */
  constructor(database: SqliteDatabase, endBytes: number = HISTORY_END_CACHE_BYTES) {
    this.#endBytes = endBytes;
    this.#ends = emptyEnds(endBytes);
    this.#accountId = database.prepare<[string], number>("SELECT account_id FROM accounts WHERE pub = unhex(?)").pluck();
    this.#insertAccount = database.prepare<[string], number>("INSERT INTO accounts (pub) VALUES (unhex(?)) RETURNING account_id").pluck();
    this.#insertEntry = database.prepare<[number, number, number]>(
      "INSERT INTO account_entries (account_id, number, seq) VALUES (?, ?, ?)",
    );
    this.#lastNumber = database.prepare<[number], number | null>("SELECT MAX(number) FROM account_entries WHERE account_id = ?").pluck();
    this.#seqOf = database.prepare<[number, number], number>("SELECT seq FROM account_entries WHERE account_id = ? AND number = ?").pluck();
    this.#entries = database.prepare<[number, number, number], EntryRow>(
      "SELECT number, seq FROM account_entries WHERE account_id = ? AND number >= ? AND number <= ? ORDER BY number",
    );
    this.#firstEntry = database.prepare<[number], EntryRow>(
      "SELECT number, seq FROM account_entries WHERE account_id = ? ORDER BY number LIMIT 1",
    );
    this.#insertNewest = database.prepare<{
      readonly accountId: number;
      readonly number: number;
      readonly seq: number;
      readonly end: number;
    }>(
      `INSERT INTO account_entries (account_id, number, seq) SELECT @accountId, @number, @seq
      WHERE NOT EXISTS (SELECT 1 FROM account_entries WHERE account_id = @accountId AND number > @number AND seq < @end) ON CONFLICT DO NOTHING`,
    );
    this.#rowFrom = database
      .prepare<[number, number], number>("SELECT number FROM account_entries WHERE account_id = ? AND seq >= ? ORDER BY number LIMIT 1")
      .pluck();
    this.#together = readTogether(database);
    this.#sealed = sealedHistory(database);
    this.#kept = new KeptRepository(database);
    this.#firstHeight = database.prepare<[], number | null>(FIRST_HEIGHT).pluck();
    this.#account = database.prepare<[Uint8Array], Uint8Array>("SELECT value FROM state WHERE namespace = 'account' AND key = ?").pluck();
    this.#accounts = { get: (_namespace, key): Uint8Array | undefined => this.#account.get(key), next: (): undefined => undefined };
    this.#remove = database.prepare<[number]>("DELETE FROM account_entries WHERE seq >= ?");
  }

  /** Appends the entries of a block, whose changes of the state are stored, in the order of the chain. */
  insert(entries: readonly { readonly seq: number; readonly accounts: readonly string[] }[]): void {
    const isCut = entries.length > 0 && (this.#firstHeight.get() ?? 0) > 0;
    const rows: (readonly [accountId: number, number: number, seq: number])[] = [];
    // Those of this block, which have no rows yet.
    const ends = new Map<string, HistoryEnd>();
    for (const { seq, accounts } of entries) {
      for (const publicKey of accounts) {
        const { accountId, last } = ends.get(publicKey) ?? this.#ends.get(publicKey) ?? this.#endOf(publicKey, isCut ? entries : undefined);
        rows.push([accountId, last + 1, seq]);
        ends.set(publicKey, { accountId, last: last + 1 });
      }
    }
    for (const [publicKey, end] of ends) this.#ends.set(publicKey, end);
    // In the order of the table: neighbours share its pages.
    rows.sort(([a, numberOfA], [b, numberOfB]) => a - b || numberOfA - numberOfB);
    for (const row of rows) this.#insertEntry.run(...row);
  }

  /** Number of the newest entry of an account below all blocks that are here; 0 where there is none. */
  newestBelow(publicKey: string): number {
    return this.#together(() => {
      const accountId = this.#accountId.get(publicKey);
      const above =
        this.#sealed.runs.oldestNumber(publicKey) ??
        (accountId === undefined ? undefined : this.#rowFrom.get(accountId, this.#firstPlace()));
      return above === undefined ? readAccount(this.#accounts, publicKey).historyCount : above - 1;
    });
  }

  /**
   * Keeps the number of an account's newest entry in a block below all that are here, unless it has a newer one that no rollback reaches. The
   * entry is shown once its block is here. `end` is the first place that may be rolled back.
   */
  insertNewest({ publicKey, number, seq, end }: NewestEntry): void {
    this.#insertNewest.run({ accountId: this.addAccount(publicKey), number, seq, end });
  }

  /** Number of the newest entry of an account that is neither here nor kept, with all older ones; 0 where there is none. */
  nextOlder(publicKey: string): number {
    const accountId = this.#accountId.get(publicKey);
    if (accountId === undefined || (this.#lastNumber.get(accountId) ?? 0) === 0) return this.newestBelow(publicKey);
    const account = { publicKey, accountId };
    // Runs may reach below the first block here.
    return (this.#keptFrom(account) ?? this.#firstFrom(account, this.#firstPlace())) - 1;
  }

  /** Keeps the entry that {@link nextOlder} says, which others have sent. In a transaction of the caller. */
  keepOlder(entry: KeptEntry): void {
    const { publicKey, number, seq } = entry;
    const isNewest = number === this.newestBelow(publicKey);
    this.#kept.insertBelow(entry);
    // An account that rested since the first block here has no number yet.
    const end = Math.max(this.#sealed.lastHeight() + 1, this.#firstHeight.get() ?? 0) * SEQ_PER_BLOCK;
    if (isNewest) this.insertNewest({ publicKey, number, seq, end });
  }

  /** The number of an account, which is made where it has none. */
  addAccount(publicKey: string): number {
    return this.#accountId.get(publicKey) ?? this.#insertAccount.get(publicKey) ?? 0;
  }

  /** Forgets what it remembers of the tables, for when they changed by other means or a transaction was taken back. */
  forget(): void {
    this.#ends = emptyEnds(this.#endBytes);
  }

  /** Forgets the entries from a position on. */
  removeFrom(seq: number): void {
    this.#remove.run(seq);
    this.forget();
  }

  /** True when all entries of an account are here, and not only those of the blocks that are; kept ones only count where they may. */
  isWhole(publicKey: string, withKept = true): boolean {
    if ((this.#firstHeight.get() ?? 0) === 0) return true;
    const accountId = this.#accountId.get(publicKey);
    if (withKept && accountId !== undefined && this.#keptFrom({ publicKey, accountId }) === 1) return true;
    const first = accountId === undefined ? undefined : this.#firstEntry.get(accountId);
    if (first === undefined) return readAccount(this.#accounts, publicKey).historyCount === 0;
    const place = first.number === 1 ? first.seq : this.#sealed.runs.entryPlaces(publicKey, 1, 1).get(1);
    return place !== undefined && place >= this.#firstPlace();
  }

  /** The lowest block from which on each entry of an account is here or kept, and how many entries it has below: both of one moment. */
  missing(publicKey: string): { readonly firstHeight: number; readonly count: number } {
    return this.#together(() => {
      const from = this.wholeFrom(publicKey);
      if (from === 0) return { firstHeight: this.#firstHeight.get() ?? 0, count: 0 };
      const { first, last } = this.between(publicKey, from * SEQ_PER_BLOCK, Number.MAX_SAFE_INTEGER);
      const { historyCount } = readAccount(this.#accounts, publicKey);
      return { firstHeight: from, count: historyCount - Math.max(0, last - first + 1) };
    });
  }

  /** The lowest block from which on each entry of an account is here or kept; 0 where all are. */
  wholeFrom(publicKey: string): number {
    if (this.isWhole(publicKey)) return 0;
    const place = this.keptFromPlace(publicKey);
    if (place === undefined) return this.#firstHeight.get() ?? 0;
    // The entry before may be in the same block, unless this is its first one.
    return Math.ceil(place / SEQ_PER_BLOCK);
  }

  /** From which block on each entry is here or kept; undefined where that is the first block whose transactions are here. */
  keptFromPlace(publicKey: string): number | undefined {
    const accountId = this.#accountId.get(publicKey);
    const from = accountId === undefined ? undefined : this.#keptFrom({ publicKey, accountId });
    return from === undefined ? undefined : this.#kept.place(publicKey, from);
  }

  /** Entries that a page shows which begins so many entries before the newest. */
  page(publicKey: string, limit: number, offset: number): HistorySlice {
    const accountId = this.#accountId.get(publicKey);
    if (accountId === undefined) return { publicKey, accountId: 0, first: 1, last: 0 };
    const last = (this.#lastNumber.get(accountId) ?? 0) - offset;
    return { publicKey, accountId, first: Math.max(1, last - limit + 1), last };
  }

  /** Entries from a position on and below another one, as far as they are kept or their blocks are here. */
  between(publicKey: string, from: number, belowSeq: number): HistorySlice {
    const fromSeq = this.isWhole(publicKey) ? from : Math.max(from, this.keptFromPlace(publicKey) ?? this.#firstPlace());
    const accountId = this.#accountId.get(publicKey);
    if (accountId === undefined) return { publicKey, accountId: 0, first: 1, last: 0 };
    const account = { publicKey, accountId };
    return { ...account, first: this.#firstFrom(account, fromSeq), last: this.#firstFrom(account, belowSeq) - 1 };
  }

  /** Places of the entries of a slice, at most so many, and without those of blocks that are not here. */
  places({ publicKey, accountId, first, last }: HistorySlice, order: "asc" | "desc", limit: number): readonly number[] {
    const from = order === "asc" ? first : Math.max(first, last - limit + 1);
    const to = order === "asc" ? Math.min(last, first + limit - 1) : last;
    if (from > to) return [];
    const rows = this.#entries.all(accountId, from, to);
    const seqs = rows.map(({ seq }) => seq);
    // Rows go from the first number on.
    const sealedTo = (rows[0]?.number ?? to + 1) - 1;
    if (sealedTo >= from) seqs.unshift(...this.#sealedPlaces(publicKey, from, sealedTo));
    const firstPlace = this.#firstPlace();
    const held =
      firstPlace === 0 ? seqs : [...this.#keptPlaces({ publicKey, accountId }, from, to), ...seqs.filter((seq) => seq >= firstPlace)];
    return order === "asc" ? held : held.reverse();
  }

  /** Places of kept entries from one number up to another one, where none is missing between them and the blocks that are here. */
  #keptPlaces(account: NumberedAccount, first: number, last: number): readonly number[] {
    const from = this.#keptFrom(account);
    if (from === undefined) return [];
    const below = this.#firstFrom(account, this.#firstPlace());
    return this.#kept.places(account.publicKey, Math.max(from, first), Math.min(last, below - 1));
  }

  /** The number from which on the entries of an account are kept, or here. */
  #keptFrom(account: NumberedAccount): number | undefined {
    const range = this.#kept.range(account.publicKey);
    // Entries are kept before their block goes, and rows of those that went may stay for a while.
    const below = range === undefined ? 0 : this.#firstFrom(account, this.#firstPlace());
    return range !== undefined && range.first < below && range.last + 1 >= below ? range.first : undefined;
  }

  /** The first place of the blocks that are here. Each account's newest entry stays when its block is dropped. */
  #firstPlace(): number {
    return (this.#firstHeight.get() ?? 0) * SEQ_PER_BLOCK;
  }

  #sealedPlaces(publicKey: string, first: number, last: number): readonly number[] {
    const places = this.#sealed.runs.entryPlaces(publicKey, first, last);
    return [...places].sort(([a], [b]) => a - b).map(([, seq]) => seq);
  }

  /** Number of the first entry from a position on; numbers and positions ascend together. */
  #firstFrom({ publicKey, accountId }: NumberedAccount, seq: number): number {
    if (seq <= 0) return 1;
    const end = (this.#lastNumber.get(accountId) ?? 0) + 1;
    if (end > 1 && (this.#seqOf.get(accountId, end - 1) ?? 0) < seq) return end;
    const firstRow = this.#firstEntry.get(accountId);
    const isSealed = firstRow !== undefined && seq <= firstRow.seq;
    const seqOf = isSealed
      ? (number: number): number | undefined =>
          this.#kept.place(publicKey, number) ?? this.#sealed.runs.entryPlaces(publicKey, number, number).get(number)
      : (number: number): number | undefined => this.#seqOf.get(accountId, number);
    let [low, high] = isSealed ? [1, firstRow.number] : [firstRow?.number ?? 1, end];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((seqOf(middle) ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** `block` is given where entries may be missing: the first ones of an account have the numbers that its record says. */
  #endOf(publicKey: string, block: readonly { readonly accounts: readonly string[] }[] | undefined): HistoryEnd {
    const known = this.#accountId.get(publicKey);
    const accountId = known ?? this.addAccount(publicKey);
    // An account that is new here has no entries.
    const last = known === undefined ? undefined : (this.#lastNumber.get(known) ?? undefined);
    if (last !== undefined || block === undefined) return { accountId, last: last ?? 0 };
    const added = block.flatMap(({ accounts }) => accounts).filter((account) => account === publicKey).length;
    return { accountId, last: readAccount(this.#accounts, publicKey).historyCount - added };
  }
}

function emptyEnds(bytes: number): GenerationCache<HistoryEnd> {
  return new GenerationCache(bytes, () => END_BYTES);
}
