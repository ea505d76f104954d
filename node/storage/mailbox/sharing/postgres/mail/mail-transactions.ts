// Transactions over mailboxes: locks what the work names, lets it run in memory, reads what it lacks, writes what it changed. The database
// orders those of all processes.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { PostgresSession } from "../client-session.ts";
import type { PostgresDatabase } from "../postgres-database.ts";
import { statement } from "../statement-batch.ts";
import { type Lack, LackingMail, type LoadedMail } from "../view/loaded-mail.ts";
import { dayOf } from "../view/mail-rows.ts";
import { MailView } from "../view/mail-view.ts";
import { DayLedger } from "./day-ledger.ts";
import { loadLack, loadMail, type MailKeys } from "./mail-loader.ts";
import { makeWeeks, ROOM_LOCK } from "./mail-weeks.ts";
import { type Lane, writeView } from "./mail-writer.ts";

/** A piece of work that lacks more and more is given up. */
const MOST_ROUNDS = 8_192;
const WEEK_DAYS = 7;

// A lane that was not used lately: two processes with the same one wait for each other, and nothing else.
const CHOOSE_LANE = statement(
  "choose_lane",
  `UPDATE lanes SET used_at = $1 WHERE lane = (SELECT lane FROM lanes ORDER BY used_at, random() LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING lane`,
);
const LOCK_ROOM = statement("lock_room", `SELECT pg_advisory_xact_lock(${ROOM_LOCK})`);
const SHARE_ROOM = statement("share_room", `SELECT pg_advisory_xact_lock_shared(${ROOM_LOCK})`);
const LOCK_LANE = statement("lock_lane", "SELECT lane, n FROM lanes WHERE lane = $1 FOR UPDATE");

/** Thrown to begin again with the lock alone. */
class MustBeAlone extends Error {}

/** Runs work. One at a time of a process: its lane orders them anyway. */
export class MailTransactions {
  readonly #database: PostgresDatabase;
  readonly #clock: Clock;
  readonly #days: DayLedger;
  #lane: number | undefined;
  #madeWeek = -1;
  #last: Promise<unknown> = Promise.resolve();
  /** The last failure for want of the database, and how many there were. */
  #away: { readonly count: number; readonly error: unknown } = { count: 0, error: undefined };

  constructor(database: PostgresDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#days = new DayLedger(database);
  }

  /**
   * Runs work in a view, and makes what it changed durable. The work runs again where it lacked something: it changes nothing but the view.
   * @throws what the work throws, with nothing written; CodedError UNAVAILABLE while the database is away
   */
  run<T>(keys: MailKeys, work: (view: MailView) => T): Promise<T> {
    const { count } = this.#away;
    const result = this.#last.then(() => {
      // The database went away while this waited for its turn: it does not wait for a time-out of its own.
      if (this.#away.count !== count) throw this.#away.error;
      return this.#run(keys, work);
    });
    this.#last = result.catch((error: unknown) => {
      if (isCodedError(error, "UNAVAILABLE") && error !== this.#away.error) this.#away = { count: this.#away.count + 1, error };
    });
    return result;
  }

  /** Forgets limits of days that are over. */
  async prune(): Promise<void> {
    await this.#days.prune(this.#nowSec());
  }

  async #run<T>(keys: MailKeys, work: (view: MailView) => T): Promise<T> {
    let isAlone = false;
    for (let round = 0; ; round += 1) {
      try {
        return await this.#attempt(keys, work, isAlone);
      } catch (error) {
        if (round > MOST_ROUNDS) throw error;
        if (error instanceof MustBeAlone) isAlone = true;
        else if (error instanceof LackingMail && error.lack.type === "day") await this.#days.lease(error.lack, this.#nowSec());
        else throw error;
      }
    }
  }

  async #attempt<T>(keys: MailKeys, work: (view: MailView) => T, isAlone: boolean): Promise<T> {
    const nowSec = this.#nowSec();
    await this.#makeWeeks(nowSec);
    const number = await this.#laneOf();
    const { result, view } = await this.#database.transaction(async (session) => {
      const first = [{ query: isAlone ? LOCK_ROOM : SHARE_ROOM }, { query: LOCK_LANE, values: [number] }];
      const { loaded, firstRows } = await loadMail(session, keys, { isAlone, nowSec, first });
      const [locked] = (firstRows[1] ?? []) as readonly unknown[] as readonly Lane[];
      const lane = locked ?? { lane: number, n: 0 };
      const done = await this.#workIn(session, loaded, work);
      await writeView(session, done.view, { loaded, lane, nowSec });
      return done;
    });
    this.#days.use(view.changes.days, dayOf(nowSec));
    return result;
  }

  async #workIn<T>(
    session: PostgresSession,
    loaded: LoadedMail,
    work: (view: MailView) => T,
  ): Promise<{ readonly result: T; readonly view: MailView }> {
    for (let round = 0; ; round += 1) {
      const view = new MailView(loaded, this.#days);
      try {
        return { result: work(view), view };
      } catch (error) {
        if (!(error instanceof LackingMail) || error.lack.type === "day" || round > MOST_ROUNDS) throw error;
        if (!loaded.isAlone && isOfOthers(error.lack)) throw new MustBeAlone();
        await loadLack(session, loaded, error.lack);
      }
    }
  }

  /** Chosen in a transaction of its own: what locks a lane holds the lock of rooms. */
  async #laneOf(): Promise<number> {
    this.#lane ??= (await this.#database.run<{ readonly lane: number }>(CHOOSE_LANE, [this.#nowSec()]))[0]?.lane ?? 0;
    return this.#lane;
  }

  async #makeWeeks(nowSec: number): Promise<void> {
    const week = Math.floor(dayOf(nowSec) / WEEK_DAYS);
    if (week === this.#madeWeek) return;
    await makeWeeks(this.#database, nowSec);
    this.#madeWeek = week;
  }

  #nowSec(): number {
    return Math.floor(this.#clock.nowMs() / 1000);
  }
}

/** True for what concerns mailboxes that the work did not name. */
function isOfOthers({ type }: Lack): boolean {
  return type === "largest" || type === "oldest" || type === "oldest-read";
}
