// Boxes that their owners have opened, in mailbox.db, with who brought the opening. What is open is never displaced.
import type { BoxOpening, ReadRule } from "#shared/protocol/mail/box-opening.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";
import { isCarriedParty } from "./mail-sources.ts";

/** Boxes that are open no more and still known; beyond that those are forgotten that were open longest ago of the party that has most of them. */
export const MAX_LAPSED_BOXES = 1_048_576;
/** Bytes of the disk for mail by which one box may be open, and one that is over known: its opening takes a tenth of that in the file. */
const BYTES_A_BOX = 4_096;
const LEAST_BOXES = 131_072;
/** Looking for them takes a while: so large a part of the most is forgotten at once. */
const FORGOTTEN_PART = 128;
/** A clock that was set back by more than this has all figures counted again, s. */
const SET_BACK_S = 60;

/** Boxes that may be open at a node that gives its mail so many bytes; as many that are over are known at most. */
export function boxesOfDisk(mailDiskBytes: number): number {
  return Math.max(LEAST_BOXES, Math.floor(mailDiskBytes / BYTES_A_BOX));
}

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
  /** Of these, through carriers. */
  readonly carried: number;
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
  countedAtSec: number;
  all: number;
  foreign: number;
  carried: number;
  rows: number;
  readonly parties: Map<string, number>;
  /** Boxes that are open no more, by who brought them. */
  readonly lapsed: Map<string, number>;
}

/** Boxes of a party. */
interface PartyRow {
  readonly party: string;
  readonly rows: number;
  readonly held: number;
  readonly foreignHeld: number;
}

/** Opened boxes. Synchronous; durable on return unless called inside a transaction of the mailbox. */
export class OpenedBoxRepository {
  readonly #maxLapsed: number;
  #counts: Counts | undefined;
  readonly #find;
  readonly #isHeld;
  readonly #party;
  readonly #insert;
  readonly #update;
  readonly #count;
  readonly #lapsing;
  readonly #pruned;
  readonly #remove;
  readonly #forgetLapsed;
  readonly #prune;

  constructor(database: SqliteDatabase, maxLapsed = MAX_LAPSED_BOXES) {
    this.#maxLapsed = maxLapsed;
    this.#find = database.prepare<[string], Row>(
      "SELECT mailbox, write_key AS writeKey, read_rule AS read, until AS untilSec, height, signature FROM opened_boxes WHERE mailbox = ?",
    );
    this.#isHeld = database.prepare<[string, number], number>("SELECT 1 FROM opened_boxes WHERE mailbox = ? AND held_until > ?").pluck();
    this.#party = database.prepare<[string], string>("SELECT party FROM opened_boxes WHERE mailbox = ?").pluck();
    this.#insert = database.prepare<[string, string, string, number, number, string, number, string, number]>(
      `INSERT INTO opened_boxes (mailbox, write_key, read_rule, until, height, signature, held_until, party, is_foreign)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    // A replaced opening may have been for longer: as long as it could be shown again, the later one is not forgotten.
    this.#update = database.prepare<[string, string, number, number, string, number, string]>(
      `UPDATE opened_boxes SET write_key = ?, read_rule = ?, until = ?, height = ?, signature = ?, held_until = max(held_until, ?)
        WHERE mailbox = ?`,
    );
    this.#count = database.prepare<{ readonly now: number }, PartyRow>(
      `SELECT party, count(*) AS rows, sum(held_until > @now) AS held, sum(is_foreign AND held_until > @now) AS foreignHeld
        FROM opened_boxes GROUP BY party`,
    );
    // By the index over time: what lapses between two looks is little, and all rows are many.
    this.#lapsing = database.prepare<[number, number], { readonly party: string; readonly isForeign: number; readonly count: number }>(
      `SELECT party, is_foreign AS isForeign, count(*) AS count FROM opened_boxes WHERE held_until > ? AND held_until <= ?
        GROUP BY party, is_foreign`,
    );
    this.#pruned = database.prepare<[number], { readonly party: string; readonly count: number }>(
      "SELECT party, count(*) AS count FROM opened_boxes WHERE held_until < ? GROUP BY party",
    );
    this.#remove = database.prepare<[string]>("DELETE FROM opened_boxes WHERE mailbox = ?");
    this.#forgetLapsed = database.prepare<[number, string, number]>(
      `DELETE FROM opened_boxes WHERE mailbox IN
        (SELECT mailbox FROM opened_boxes WHERE held_until <= ? AND party = ? ORDER BY held_until LIMIT ?)`,
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

  /** Who brought the opening of a mailbox first. */
  partyOf(mailbox: X25519KeyHex): string | undefined {
    return this.#party.get(mailbox);
  }

  /** Boxes that are held, some of them perhaps until a moment ago. */
  counts(party: string, nowSec: number): OpenCounts {
    const { all, foreign, carried, parties } = this.#counted(nowSec);
    return { all, foreign, carried, ofParty: parties.get(party) ?? 0 };
  }

  /** An opening that is the first of its box here, or holds from now on. A box that is held stays with who brought it. */
  put({ mailbox, writeKey, read, untilSec, height, signature }: BoxOpening, { party, isForeign }: OpeningSource, nowSec: number): void {
    const counts = this.#counted(nowSec);
    // By the time of the figures, which a clock that was set back does not move.
    if (this.isHeld(mailbox, counts.countedAtSec)) {
      this.#update.run(writeKey, read, untilSec, height, signature, untilSec, mailbox);
      return;
    }
    const before = this.partyOf(mailbox);
    if (before !== undefined) {
      this.#remove.run(mailbox);
      counts.rows -= 1;
      subtract(counts.lapsed, before, 1);
    }
    this.#insert.run(mailbox, writeKey, read, untilSec, height, signature, untilSec, party, isForeign ? 1 : 0);
    counts.rows += 1;
    if (untilSec > counts.countedAtSec) {
      counts.all += 1;
      counts.foreign += isForeign ? 1 : 0;
      counts.carried += isCarriedParty(party) ? 1 : 0;
      counts.parties.set(party, (counts.parties.get(party) ?? 0) + 1);
    } else {
      counts.lapsed.set(party, (counts.lapsed.get(party) ?? 0) + 1);
    }
    this.#forgetBeyond(counts, counts.countedAtSec);
  }

  /** Forgets boxes that were open until before a time, unix seconds. */
  prune(beforeSec: number): void {
    const counts = this.#counts;
    if (counts === undefined || beforeSec > counts.countedAtSec) {
      this.#prune.run(beforeSec);
      this.forget();
      return;
    }
    for (const { party, count } of this.#pruned.all(beforeSec)) {
      counts.rows -= count;
      subtract(counts.lapsed, party, count);
    }
    this.#prune.run(beforeSec);
  }

  /** The file says something else: a transaction failed. */
  forget(): void {
    this.#counts = undefined;
  }

  /** Of the party that has most: who opens boxes for a moment each has none forgotten but its own. */
  #forgetBeyond(counts: Counts, nowSec: number): void {
    const spare = counts.rows - counts.all - this.#maxLapsed;
    if (spare <= 0) return;
    const [party, count] = [...counts.lapsed].reduce((most, each) => (each[1] > most[1] ? each : most), ["", 0]);
    const forgotten = this.#forgetLapsed.run(nowSec, party, spare + Math.floor(this.#maxLapsed / FORGOTTEN_PART)).changes;
    counts.rows -= forgotten;
    // None of a party that has opened them again meanwhile: the next one is asked then.
    counts.lapsed.set(party, forgotten === 0 ? 0 : Math.max(0, count - forgotten));
  }

  /** Boxes that have lapsed meanwhile count no more. */
  #advanced(counts: Counts, nowSec: number): Counts {
    if (nowSec <= counts.countedAtSec) return counts;
    for (const { party, isForeign, count } of this.#lapsing.all(counts.countedAtSec, nowSec)) {
      counts.all -= count;
      counts.foreign -= isForeign === 1 ? count : 0;
      counts.carried -= isCarriedParty(party) ? count : 0;
      subtract(counts.parties, party, count);
      counts.lapsed.set(party, (counts.lapsed.get(party) ?? 0) + count);
    }
    counts.countedAtSec = nowSec;
    return counts;
  }

  #counted(nowSec: number): Counts {
    if (this.#counts !== undefined && nowSec > this.#counts.countedAtSec - SET_BACK_S) return this.#advanced(this.#counts, nowSec);
    const parties = this.#count.all({ now: nowSec });
    this.#counts = {
      countedAtSec: nowSec,
      all: parties.reduce((sum, { held }) => sum + held, 0),
      foreign: parties.reduce((sum, { foreignHeld }) => sum + foreignHeld, 0),
      carried: parties.reduce((sum, { party, held }) => sum + (isCarriedParty(party) ? held : 0), 0),
      rows: parties.reduce((sum, { rows }) => sum + rows, 0),
      parties: new Map(parties.map(({ party, held }) => [party, held])),
      lapsed: new Map(parties.map(({ party, rows, held }) => [party, rows - held])),
    };
    return this.#counts;
  }
}

function subtract(figures: Map<string, number>, party: string, count: number): void {
  const left = (figures.get(party) ?? 0) - count;
  if (left > 0) figures.set(party, left);
  else figures.delete(party);
}
