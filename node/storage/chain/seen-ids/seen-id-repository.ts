// Ids of transactions of the last two hours of block time: part of what validators agree on. Which ids count depends on the given block's
// time alone. A filter in memory suffices for nearly all ids that are new.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { SEQ_PER_BLOCK } from "../../chain-schema.ts";
import { IdRepository } from "../../history/records/id-repository.ts";
import { recordId } from "../../history/records/record-groups.ts";
import { RecordRepository } from "../../history/records/record-repository.ts";
import { FIRST_HEIGHT } from "../../history/sealing/drop-marks.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";
import { SeenIdFilter } from "./seen-id-filter.ts";

/** Ids, and blocks without any, that one block brings into the filter after a start: a busy network's window is not read at once. */
const LOADED_IDS = 20_000;

/** Reads which ids were seen. */
export class SeenIdRepository {
  readonly #ids: IdRepository;
  readonly #records: RecordRepository;
  readonly #timeOf;
  readonly #tipHeight;
  readonly #firstHeight;
  #filter: SeenIdFilter | undefined;
  /** Blocks up to this one are not in the filter yet; undefined when all of the window are, null before the first look. */
  #notLoaded: Height | undefined | null = null;
  /** Time of the newest block that the filter knows. */
  #filterTimeMs = 0;

  constructor(database: SqliteDatabase) {
    this.#firstHeight = database.prepare<[], number | null>(FIRST_HEIGHT).pluck();
    this.#ids = new IdRepository(database);
    this.#records = new RecordRepository(database);
    this.#timeOf = database.prepare<[number], number>("SELECT time_ms FROM blocks WHERE height = ?").pluck();
    this.#tipHeight = database.prepare<[], number | null>("SELECT MAX(height) FROM blocks").pluck();
  }

  /** True when a block later than `timeMs` − 2 h holds the id. `timeMs` is the time of the block that asks. */
  has(id: string, timeMs: number): boolean {
    const isFilterComplete = this.#notLoaded === undefined && timeMs >= this.#filterTimeMs;
    if (isFilterComplete && this.#filter?.mayHave(id) !== true) return false;
    const isTooOld = (height: Height): boolean => (this.#timeOf.get(height) ?? 0) <= timeMs - SEEN_WINDOW_MS;
    for (const seq of this.#ids.places(id, isTooOld)) return !isTooOld(Math.floor(seq / SEQ_PER_BLOCK));
    return false;
  }

  /** Notes the ids of a block that is durable: to be called for each, before anything is asked of the chain with it. */
  remember(ids: readonly string[], timeMs: number): void {
    this.#filter ??= new SeenIdFilter(timeMs);
    for (const id of ids) this.#filter.add(id, timeMs);
    this.#filterTimeMs = timeMs;
    this.#loadMore(this.#filter, timeMs);
  }

  /** Forgets what memory holds: to be called when blocks were taken back. */
  forget(): void {
    this.#ids.forget();
    this.#filter = undefined;
    this.#notLoaded = null;
    this.#filterTimeMs = 0;
  }

  /** From the newest block down to the first one that is too old for every block to come. */
  #loadMore(filter: SeenIdFilter, timeMs: number): void {
    if (this.#notLoaded === undefined) return;
    let height = this.#notLoaded ?? this.#tipHeight.get() ?? 0;
    const first = this.#firstHeight.get() ?? 0;
    for (let left = LOADED_IDS; left > 0; height -= 1) {
      if ((this.#timeOf.get(height) ?? 0) <= timeMs - SEEN_WINDOW_MS) {
        this.#notLoaded = undefined;
        return;
      }
      // Of blocks without their transactions the table has the ids, and only as hashes: it is asked until the last of them is too old.
      if (height < first) break;
      const ids = this.#idsOf(height);
      if (ids === undefined) break;
      for (const id of ids) filter.add(id, timeMs);
      left -= Math.max(1, ids.length);
    }
    this.#notLoaded = height;
  }

  /** Undefined for a block in a file that is damaged: the table of ids is asked as long as it counts. */
  #idsOf(height: Height): readonly string[] | undefined {
    try {
      return this.#records.ofBlock(height).map(recordId);
    } catch (error) {
      if (isCodedError(error, "STORAGE_CORRUPT")) return undefined;
      throw error;
    }
  }
}
