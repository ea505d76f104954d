// Boxes that their owners have opened, in mailbox.db, with who brought the opening. What is open is never displaced.
import type { BoxOpening, ReadRule } from "#shared/protocol/mail/box-opening.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";
import { isCarriedParty } from "./mail-sources.ts";

/** Boxes that are open no more and still known; beyond that those are forgotten that were open longest ago of the party that has most of them. */
export const MAX_LAPSED_BOXES = 131_072;
/** Looking for them takes a while: so large a part of the most is forgotten at once. */
const FORGOTTEN_PART = 128;
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
  readonly countedAtSec: number;
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
  readonly #insert;
  readonly #update;
  readonly #count;
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
    this.#count = database.prepare<{ readonly now: number }, PartyRow>(
      `SELECT party, count(*) AS rows, sum(held_until > @now) AS held, sum(is_foreign AND held_until > @now) AS foreignHeld
        FROM opened_boxes GROUP BY party`,
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

  /** Boxes that are held, some of them perhaps until a moment ago. */
  counts(party: string, nowSec: number): OpenCounts {
    const { all, foreign, carried, parties } = this.#counted(nowSec);
    return { all, foreign, carried, ofParty: parties.get(party) ?? 0 };
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
      counts.carried += isCarriedParty(party) ? 1 : 0;
      counts.parties.set(party, (counts.parties.get(party) ?? 0) + 1);
    } else {
      counts.lapsed.set(party, (counts.lapsed.get(party) ?? 0) + 1);
    }
    this.#forgetBeyond(counts, nowSec);
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

  #counted(nowSec: number): Counts {
    if (this.#counts !== undefined && Math.abs(nowSec - this.#counts.countedAtSec) < COUNT_INTERVAL_S) return this.#counts;
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
