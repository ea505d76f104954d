// Boxes that their owners have opened, in mailbox.db, with who brought the opening. What is open is never displaced.
import type { BoxOpening, ReadRule } from "#shared/protocol/mail/box-opening.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";

/** Boxes that are open no more and still known; beyond that those that were open longest ago are forgotten. */
export const MAX_LAPSED_BOXES = 131_072;
/** Figures are counted again after so long, s: boxes lapse meanwhile. */
const COUNT_INTERVAL_S = 60;

/** Who brought an opening. */
export interface OpeningSource {
  readonly party: string;
  /** True when another node brought it. */
  readonly isForeign: boolean;
}

/** How many boxes are held. */
export interface OpenCounts {
  readonly all: number;
  readonly foreign: number;
  readonly ofParty: number;
}

interface Row {
  readonly mailbox: string;
  readonly writeKey: string;
  readonly read: ReadRule;
  readonly untilSec: number;
  readonly height: number;
  readonly signature: string;
}

interface Counts {
  readonly countedAtSec: number;
  all: number;
  foreign: number;
  rows: number;
  readonly parties: Map<string, number>;
}

/** Opened boxes. Synchronous; durable on return unless called inside a transaction of the mailbox. */
export class OpenedBoxRepository {
  readonly #maxLapsed: number;
  #counts: Counts | undefined;
  readonly #find;
  readonly #isHeld;
  readonly #insert;
  readonly #update;
  readonly #count;
  readonly #rows;
  readonly #remove;
  readonly #forgetLapsed;
  readonly #prune;

  constructor(database: SqliteDatabase, maxLapsed = MAX_LAPSED_BOXES) {
    this.#maxLapsed = maxLapsed;
    this.#find = database.prepare<[string], Row>(
      "SELECT mailbox, write_key AS writeKey, read_rule AS read, until AS untilSec, height, signature FROM opened_boxes WHERE mailbox = ?",
    );
    this.#isHeld = database.prepare<[string, number], number>("SELECT 1 FROM opened_boxes WHERE mailbox = ? AND held_until > ?").pluck();
    this.#insert = database.prepare<[string, string, string, number, number, string, number, string, number]>(
      `INSERT INTO opened_boxes (mailbox, write_key, read_rule, until, height, signature, held_until, party, is_foreign)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    // A replaced opening may have been for longer: as long as it could be shown again, the later one is not forgotten.
    this.#update = database.prepare<[string, string, number, number, string, number, string]>(
      `UPDATE opened_boxes SET write_key = ?, read_rule = ?, until = ?, height = ?, signature = ?, held_until = max(held_until, ?)
        WHERE mailbox = ?`,
    );
    this.#count = database.prepare<[number], { readonly party: string; readonly count: number; readonly foreignCount: number }>(
      "SELECT party, count(*) AS count, sum(is_foreign) AS foreignCount FROM opened_boxes WHERE held_until > ? GROUP BY party",
    );
    this.#rows = database.prepare<[], number>("SELECT count(*) FROM opened_boxes").pluck();
    this.#remove = database.prepare<[string]>("DELETE FROM opened_boxes WHERE mailbox = ?");
    this.#forgetLapsed = database.prepare<[number, number]>(
      "DELETE FROM opened_boxes WHERE mailbox IN (SELECT mailbox FROM opened_boxes WHERE held_until <= ? ORDER BY held_until LIMIT ?)",
    );
    this.#prune = database.prepare<[number]>("DELETE FROM opened_boxes WHERE held_until < ?");
  }

  /** The opening of a mailbox that holds, be it of the past. */
  find(mailbox: X25519KeyHex): BoxOpening | undefined {
    return this.#find.get(mailbox);
  }

  /** True while an opening of the mailbox could be shown again: it counts among those that are open. */
  isHeld(mailbox: X25519KeyHex, nowSec: number): boolean {
    return this.#isHeld.get(mailbox, nowSec) === 1;
  }

  /** Boxes that are held, some of them perhaps until a moment ago. */
  counts(party: string, nowSec: number): OpenCounts {
    const { all, foreign, parties } = this.#counted(nowSec);
    return { all, foreign, ofParty: parties.get(party) ?? 0 };
  }

  /** An opening that is the first of its box here, or holds from now on. A box that is held stays with who brought it. */
  put({ mailbox, writeKey, read, untilSec, height, signature }: BoxOpening, { party, isForeign }: OpeningSource, nowSec: number): void {
    if (this.isHeld(mailbox, nowSec)) {
      this.#update.run(writeKey, read, untilSec, height, signature, untilSec, mailbox);
      return;
    }
    const counts = this.#counted(nowSec);
    counts.rows -= this.#remove.run(mailbox).changes;
    this.#insert.run(mailbox, writeKey, read, untilSec, height, signature, untilSec, party, isForeign ? 1 : 0);
    counts.rows += 1;
    if (untilSec > nowSec) {
      counts.all += 1;
      counts.foreign += isForeign ? 1 : 0;
      counts.parties.set(party, (counts.parties.get(party) ?? 0) + 1);
    }
    const spare = counts.rows - counts.all - this.#maxLapsed;
    if (spare > 0) counts.rows -= this.#forgetLapsed.run(nowSec, spare).changes;
  }

  /** Forgets boxes that were open until before a time, unix seconds. */
  prune(beforeSec: number): void {
    this.#prune.run(beforeSec);
    this.forget();
  }

  /** The file says something else: a transaction failed. */
  forget(): void {
    this.#counts = undefined;
  }

  #counted(nowSec: number): Counts {
    if (this.#counts !== undefined && Math.abs(nowSec - this.#counts.countedAtSec) < COUNT_INTERVAL_S) return this.#counts;
    const parties = this.#count.all(nowSec);
    this.#counts = {
      countedAtSec: nowSec,
      all: parties.reduce((sum, { count }) => sum + count, 0),
      foreign: parties.reduce((sum, { foreignCount }) => sum + foreignCount, 0),
      rows: this.#rows.get() ?? 0,
      parties: new Map(parties.map(({ party, count }) => [party, count])),
    };
    return this.#counts;
  }
}
