// Which runs there are, and what they find, for one connection to chain.db. Rows of the index go once a run has what they say, so that only
// who misses rows looks here. Files never change; those that were merged stay until the thread that merges starts again, and a reader of older
// tables than that finds what they held in the file that they became.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { TX_ID_PREFIX } from "#shared/protocol/transactions/transaction-id.ts";
import { toHex } from "#shared/util/bytes.ts";
import { inImmediateTransaction, type SqliteDatabase } from "../../sqlite-database.ts";
import type { FileLayer } from "../files/file-layer.ts";
import { ACCOUNT_RUN, AccountRun, accountName } from "../runs/account-run.ts";
import { ID_RUN, IdRun, idKey } from "../runs/id-run.ts";
import { type NamedRun, type RunKind, runName } from "../runs/run-format.ts";
import { rowNow } from "./named-now.ts";
import { type OpenAccounts, type OpenIds, partOfAccounts, partOfIds } from "./run-part.ts";

/** Kinds by what the table calls them. */
export const RUN_KINDS = { ids: ID_RUN, acc: ACCOUNT_RUN } as const satisfies Readonly<Record<string, RunKind>>;

/** Ids, or entries of accounts. */
export type RunKindName = keyof typeof RUN_KINDS;

export const RUN_KIND_NAMES = Object.keys(RUN_KINDS) as readonly RunKindName[];

/** A run as the table names it. */
export interface StoredRun extends NamedRun {
  readonly kind: RunKindName;
  /** How often neighbours were merged for it. */
  readonly level: number;
}

/** What tables say of runs. */
export interface RunList {
  /** In the order of their heights. */
  runs(kind: RunKindName): readonly StoredRun[];
  /** Names files that are durable, in the place of others, in a transaction of its own that is durable on return. */
  nameRuns(added: readonly StoredRun[], merged: readonly StoredRun[]): void;
}

interface RunRow {
  readonly kind: RunKindName;
  readonly level: number;
  readonly first: Height;
  readonly last: Height;
  readonly bytes: number;
  readonly sha256: Uint8Array;
}

const NAMED_NOW = "SELECT kind, level, first, last, bytes, sha256 FROM runs WHERE kind = ? AND first <= ? AND last >= ?";

/** Name of the file of a run. */
export function storedRunName(run: StoredRun): string {
  return runName(run, RUN_KINDS[run.kind]);
}

/** Reads runs, and writes which there are. */
export class SealedRuns implements RunList {
  readonly #database: SqliteDatabase;
  readonly #files: FileLayer;
  readonly #genesisHash: () => HashHex;
  readonly #newest;
  readonly #rows;
  readonly #insert;
  readonly #remove;
  readonly #highest;
  readonly #firstHeight;
  readonly #lastHeight;
  /**
   * The highest number in the table when the open runs were listed, how many there were, and where the lowest began: the one with the highest
   * number may have been made below all others, and its number is given again once it was dropped.
   */
  #known = "";
  /** Hashes of runs whose files cannot be read as they were written, as far as this connection has found. */
  readonly #damaged = new Set<HashHex>();
  #ids: readonly Opened<OpenIds>[] = [];
  /** The same, the largest first. */
  #largestIds: readonly Opened<OpenIds>[] = [];
  #accounts: readonly Opened<OpenAccounts>[] = [];

  constructor(database: SqliteDatabase, files: FileLayer, genesisHash: () => HashHex) {
    this.#database = database;
    this.#files = files;
    this.#genesisHash = genesisHash;
    this.#newest = database
      .prepare<[], string>("SELECT COALESCE(MAX(run_id), 0) || ' ' || COUNT(*) || ' ' || COALESCE(MIN(first), 0) FROM runs")
      .pluck();
    this.#highest = database.prepare<[], number | null>("SELECT MAX(run_id) FROM runs").pluck();
    this.#rows = database.prepare<[string], RunRow>(
      "SELECT kind, level, first, last, bytes, sha256 FROM runs WHERE kind = ? ORDER BY first",
    );
    this.#insert = database.prepare<[number, string, number, number, number, number, Uint8Array]>(
      "INSERT INTO runs (run_id, kind, level, first, last, bytes, sha256) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    this.#remove = database.prepare<[string, number, number]>("DELETE FROM runs WHERE kind = ? AND first = ? AND last = ?");
    this.#firstHeight = database.prepare<[], number | null>("SELECT MIN(first) FROM runs").pluck();
    this.#lastHeight = database.prepare<[string], number | null>("SELECT MAX(last) FROM runs WHERE kind = ?").pluck();
  }

  runs(kind: RunKindName): readonly StoredRun[] {
    const genesisHash = this.#genesisHash();
    return this.#rows.all(kind).map(({ sha256, ...row }) => ({ ...row, genesisHash, sha256: toHex(sha256) }));
  }

  /** The highest block that all kinds cover; −1 when there is none. */
  coveredTo(): Height {
    return Math.min(...RUN_KIND_NAMES.map((kind) => this.#lastHeight.get(kind) ?? -1));
  }

  /** The lowest block that runs cover. */
  coveredFrom(): Height {
    return this.#firstHeight.get() ?? 0;
  }

  nameRuns(added: readonly StoredRun[], merged: readonly StoredRun[]): void {
    inImmediateTransaction(this.#database, () => {
      // Above all that there were, also those that go: who remembers the highest one sees that there is another.
      let id = this.#highest.get() ?? 0;
      for (const { kind, first, last } of merged) this.#remove.run(kind, first, last);
      for (const { kind, level, first, last, bytes, sha256 } of added) {
        id += 1;
        this.#insert.run(id, kind, level, first, last, bytes, Buffer.from(sha256, "hex"));
      }
    });
  }

  /** Names of the files that are damaged, as far as was noted; none that was made once more. */
  damaged(): readonly string[] {
    if (this.#damaged.size === 0) return [];
    return this.#all().flatMap((run) => (this.#damaged.has(run.sha256) ? [storedRunName(run)] : []));
  }

  /** The file of a run cannot be read as it was written: it is to be made once more. */
  noteDamage({ sha256 }: Pick<StoredRun, "sha256">): void {
    this.#damaged.add(sha256);
  }

  /** Notes it where an error that another connection has met names such a file. */
  noteError({ message }: Error): void {
    const found = this.#all().find((run) => message.includes(`${this.#files.path(storedRunName(run))} `));
    if (found !== undefined) this.noteDamage(found);
  }

  /**
   * Places that an id may have, newest first; of one that stands in no more than one block those in the largest runs first, which hold it
   * most likely. @throws CodedError STORAGE_CORRUPT naming file and offset
   */
  *idPlaces(id: string): Generator<number, void> {
    this.#look();
    const key = idKey(id);
    for (const run of id.startsWith(TX_ID_PREFIX) ? this.#largestIds : this.#ids.toReversed())
      yield* run.read((file) => file.places(key)).toReversed();
  }

  /** Places under the key of an id, ascending. @throws CodedError STORAGE_CORRUPT naming file and offset */
  keyPlaces(key: number): readonly number[] {
    this.#look();
    return this.#ids.flatMap((run) => run.read((file) => file.places(key)));
  }

  /** Places of an account's entries from one number up to another one, as far as runs have them. @throws CodedError STORAGE_CORRUPT */
  entryPlaces(publicKey: string, first: number, last: number): ReadonlyMap<number, number> {
    this.#look();
    const found = new Map<number, number>();
    const name = accountName(publicKey);
    for (const run of this.#accounts) {
      for (const [number, seq] of run.read((file) => [...file.places(name, first, last)])) found.set(number, seq);
      if (found.size === last - first + 1) break;
    }
    return found;
  }

  /** Number of the oldest entry that runs have of an account; undefined where they have none. @throws CodedError STORAGE_CORRUPT */
  oldestNumber(publicKey: string): number | undefined {
    this.#look();
    const name = accountName(publicKey);
    for (const run of this.#accounts) {
      const [number] = run.read((file) => [file.oldest(name)]);
      if (number !== undefined) return number;
    }
    return undefined;
  }

  close(): void {
    for (const run of [...this.#ids, ...this.#accounts]) run.close();
    [this.#ids, this.#largestIds, this.#accounts, this.#known] = [[], [], [], ""];
  }

  #all(): readonly StoredRun[] {
    return RUN_KIND_NAMES.flatMap((kind) => this.runs(kind));
  }

  #look(): void {
    const newest = this.#newest.get() ?? "";
    if (newest === this.#known) return;
    this.close();
    this.#ids = this.runs("ids").map((run) => this.#opened(run, (named) => new IdRun(this.#files, named), partOfIds));
    this.#largestIds = this.#ids.toSorted((a, b) => b.bytes - a.bytes);
    this.#accounts = this.runs("acc").map((run) => this.#opened(run, (named) => new AccountRun(this.#files, named), partOfAccounts));
    this.#known = newest;
  }

  /** One that was dropped since finds nothing that is still here; one that was merged, or made once more, is another file by now. */
  #opened<Run extends Part, Part extends OpenIds | OpenAccounts>(
    stored: StoredRun,
    open: (run: StoredRun) => Run,
    partOf: (run: Run, range: StoredRun) => Part,
  ): Opened<Part> {
    let run: Part | undefined;
    let source = stored;
    return {
      bytes: stored.bytes,
      read: (work): ReturnType<typeof work> => {
        try {
          run ??= open(stored);
          return work(run);
        } catch (error) {
          if (!isCodedError(error, "STORAGE_CORRUPT")) throw error;
          const now = run === undefined ? this.#now(stored) : source;
          if (now === undefined) return [];
          if (now.sha256 === source.sha256) {
            this.noteDamage(source);
            throw error;
          }
          source = now;
          run = this.#noted(now, () => partOf(open(now), stored));
          return work(run);
        }
      },
      close: (): void => run?.file.close(),
    };
  }

  #noted<T>(run: StoredRun, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isCodedError(error, "STORAGE_CORRUPT")) this.noteDamage(run);
      throw error;
    }
  }

  /** The run that has the blocks of one by the tables of now; undefined where they were dropped. */
  #now({ kind, first, last, genesisHash }: StoredRun): StoredRun | undefined {
    const row = rowNow<RunRow>(this.#database, NAMED_NOW, [kind, first, last]);
    return row === undefined ? undefined : { ...row, genesisHash, sha256: toHex(row.sha256) };
  }
}

/** A run that is opened when it is looked into. */
interface Opened<Run> {
  readonly bytes: number;
  read<T>(work: (run: Run) => readonly T[]): readonly T[];
  close(): void;
}
