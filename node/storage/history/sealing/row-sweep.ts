// Removes rows of the index that runs have, some with each write of new blocks. The tables are passed over once for each new run, in their
// order, and how far that is stands in the database: whichever connection writes next goes on there.
//
// Logs of contracts go in the same way once their blocks are dropped.
//
// What stays: ids of the last two hours before a block that is 128 deep, by which nodes agree on what was seen; and of each account its newest
// sealed entry, which has the number that the next one continues, whatever is rolled back.
import type { Height } from "#shared/protocol/chain/header.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { SEQ_PER_BLOCK } from "../../chain-schema.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";

/** Blocks below the newest one whose two hours are kept: more than a rollback reaches. */
export const KEPT_DEPTH = 128;

/** A pass over a table. */
interface Pass {
  /** Rows of blocks below this height go. */
  readonly below: Height;
  /** Where it goes on; undefined when it is done. */
  readonly from: readonly (string | number)[] | undefined;
}

/** How a table is passed over. */
interface Swept {
  /** Of the entry in the table `meta`. */
  readonly name: string;
  /** Before the first row. */
  readonly start: readonly (string | number)[];
  /** The last of so many rows behind a place. */
  readonly end: string;
  /** Removes what goes between two places. */
  readonly remove: string;
}

const IDS: Swept = {
  name: "swept_ids",
  start: [-1, "", 0],
  end: "SELECT part, hex(key), seq FROM ids WHERE (part, key, seq) > (?, unhex(?), ?) ORDER BY part, key, seq LIMIT 1 OFFSET ?",
  remove: `DELETE FROM ids WHERE (part, key, seq) > (?, unhex(?), ?) AND (part, key, seq) <= (?, unhex(?), ?) AND seq >= ? AND seq < ?`,
};
const ENTRIES: Swept = {
  name: "swept_entries",
  start: [-1, 0],
  end: "SELECT account_id, number FROM account_entries WHERE (account_id, number) > (?, ?) ORDER BY account_id, number LIMIT 1 OFFSET ?",
  remove: `DELETE FROM account_entries WHERE (account_id, number) > (?, ?) AND (account_id, number) <= (?, ?) AND seq < ?
    AND (SELECT n.seq FROM account_entries n WHERE n.account_id = account_entries.account_id AND n.number = account_entries.number + 1) < ?`,
};
const LOGS: Swept = {
  name: "swept_logs",
  start: [-1, 0, 0],
  end: `SELECT contract_num, seq, line FROM contract_logs WHERE (contract_num, seq, line) > (?, ?, ?)
    ORDER BY contract_num, seq, line LIMIT 1 OFFSET ?`,
  remove: "DELETE FROM contract_logs WHERE (contract_num, seq, line) > (?, ?, ?) AND (contract_num, seq, line) <= (?, ?, ?) AND seq < ?",
};
const EVENTS: Swept = {
  name: "swept_events",
  start: [-1, 0, 0, 0],
  end: `SELECT contract_num, key, seq, line FROM contract_events WHERE (contract_num, key, seq, line) > (?, ?, ?, ?)
    ORDER BY contract_num, key, seq, line LIMIT 1 OFFSET ?`,
  remove: `DELETE FROM contract_events
    WHERE (contract_num, key, seq, line) > (?, ?, ?, ?) AND (contract_num, key, seq, line) <= (?, ?, ?, ?) AND seq < ?`,
};
const LOGS_END = [Number.MAX_SAFE_INTEGER, 0, 0];
const EVENTS_END = [Number.MAX_SAFE_INTEGER, 0, 0, 0];
const IDS_END = [Number.MAX_SAFE_INTEGER, "", 0];
const ENTRIES_END = [Number.MAX_SAFE_INTEGER, 0];

/** What is known of blocks whose rows go. */
export interface SweptBlocks {
  /** Runs have them from one height to another. */
  readonly coveredFrom: Height;
  readonly coveredTo: Height;
  /** The highest block that was dropped; −1 where none was. */
  readonly droppedTo: Height;
}

/** Sweeps the tables of a connection. */
export class RowSweep {
  readonly #tip;
  readonly #timeOf;
  readonly #read;
  readonly #write;
  readonly #ids;
  readonly #entries;
  readonly #logs;
  readonly #events;

  constructor(database: SqliteDatabase) {
    this.#tip = database.prepare<[], number | null>("SELECT MAX(height) FROM blocks").pluck();
    this.#timeOf = database.prepare<[number], number>("SELECT time_ms FROM blocks WHERE height = ?").pluck();
    this.#read = database.prepare<[string], string>("SELECT value FROM meta WHERE name = ?").pluck();
    this.#write = database.prepare<[string, string]>(
      "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    );
    this.#ids = prepared(database, IDS);
    this.#entries = prepared(database, ENTRIES);
    this.#logs = prepared(database, LOGS);
    this.#events = prepared(database, EVENTS);
  }

  /** Looks at so many rows of each table. Call it in a transaction. */
  sweep({ coveredFrom, coveredTo, droppedTo }: SweptBlocks, limit: number): void {
    this.#pass(IDS, coveredTo, (pass) => {
      const { end, remove } = this.#ids;
      const to = end.get(...(pass.from ?? IDS.start), limit - 1);
      remove.run(...(pass.from ?? IDS.start), ...(to ?? IDS_END), coveredFrom * SEQ_PER_BLOCK, pass.below * SEQ_PER_BLOCK);
      return to;
    });
    this.#pass(ENTRIES, coveredTo, (pass) => {
      const { end, remove } = this.#entries;
      const to = end.get(...(pass.from ?? ENTRIES.start), limit - 1);
      const below = pass.below * SEQ_PER_BLOCK;
      remove.run(...(pass.from ?? ENTRIES.start), ...(to ?? ENTRIES_END), below, below);
      return to;
    });
    if (droppedTo < 0) return;
    this.#sweepDropped(LOGS, { statements: this.#logs, last: LOGS_END, droppedTo, limit });
    this.#sweepDropped(EVENTS, { statements: this.#events, last: EVENTS_END, droppedTo, limit });
  }

  #sweepDropped(swept: Swept, { statements: { end, remove }, last, droppedTo, limit }: DroppedPass): void {
    this.#pass(swept, droppedTo, (pass) => {
      const from = pass.from ?? swept.start;
      const to = end.get(...from, limit - 1);
      remove.run(...from, ...(to ?? last), pass.below * SEQ_PER_BLOCK);
      return to;
    });
  }

  #pass(swept: Swept, coveredTo: Height, step: (pass: Pass) => readonly (string | number)[] | undefined): void {
    const { name, start } = swept;
    const known = JSON.parse(this.#read.get(name) ?? '{"covered":-1,"below":0}') as Pass & { readonly covered: Height };
    if (known.from === undefined && known.covered >= coveredTo) return;
    const pass =
      known.from === undefined
        ? { covered: coveredTo, below: swept === IDS ? this.#oldBelow(coveredTo + 1) : coveredTo + 1, from: start }
        : known;
    this.#write.run(name, JSON.stringify({ ...pass, from: step(pass) }));
  }

  /** The lowest height, at most the given one, from which on ids may still be asked for. */
  #oldBelow(most: Height): Height {
    const deep = (this.#tip.get() ?? 0) - KEPT_DEPTH;
    const since = (this.#timeOf.get(deep) ?? 0) - SEEN_WINDOW_MS;
    let [low, high] = [0, Math.max(0, Math.min(most, deep))];
    while (low < high) {
      const middle = (low + high) >> 1;
      // Heights without a row are below the first block that the chain has.
      if ((this.#timeOf.get(middle) ?? 0) <= since) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** How a table is passed over of which dropped blocks have rows. */
interface DroppedPass {
  readonly statements: Statements;
  /** Behind the last row. */
  readonly last: readonly (string | number)[];
  readonly droppedTo: Height;
  readonly limit: number;
}

function prepared(database: SqliteDatabase, { end, remove }: Swept): Statements {
  return {
    end: database.prepare<(string | number)[], (string | number)[]>(end).raw(),
    remove: database.prepare<(string | number)[]>(remove),
  };
}

interface Statements {
  readonly end: { get(...values: readonly (string | number)[]): (string | number)[] | undefined };
  readonly remove: { run(...values: readonly (string | number)[]): unknown };
}
