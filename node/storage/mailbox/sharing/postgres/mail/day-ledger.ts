// What parties may hand in on a day, leased of the database by tenths: processes that share a limit need not ask for each envelope.
import type { PostgresDatabase } from "../postgres-database.ts";
import { statement } from "../statement-batch.ts";
import type { Lack } from "../view/loaded-mail.ts";
import type { DayLeases } from "../view/mail-view.ts";

/** Parties whose leases are at hand; beyond that those that were leased first are given up. */
const MAX_PARTIES = 65_536;
const LEASED_PART = 10;
/** The database is asked again after this, s: another process may have handed nothing back, but the limit may have been raised. */
const USED_UP_S = 60;
const DAY_S = 86_400;

const LEASE = statement(
  "lease",
  `INSERT INTO limits AS held (key, period, used) SELECT $1, $2, $3::bigint WHERE $3::bigint <= $4::bigint
    ON CONFLICT (key, period) DO UPDATE SET used = held.used + $3 WHERE held.used + $3 <= $4 RETURNING used`,
);
const FORGET = statement("forget_limits", "DELETE FROM limits WHERE period < $1");

interface Lease {
  readonly day: number;
  left: number;
  /** Least number of bytes that was refused, and until when that holds, unix seconds. */
  refused: number;
  refusedUntilSec: number;
}

/** Leases of this process. */
export class DayLedger implements DayLeases {
  readonly #database: PostgresDatabase;
  readonly #leases = new Map<string, Lease>();

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  covers(party: string, day: number, bytes: number): boolean {
    return (this.#of(party, day)?.left ?? 0) >= bytes;
  }

  isUsedUp(party: string, day: number, bytes: number): boolean {
    const lease = this.#of(party, day);
    return lease !== undefined && bytes >= lease.refused;
  }

  /** Notes what a transaction has used. */
  use(days: ReadonlyMap<string, number>, day: number): void {
    for (const [party, bytes] of days) {
      const lease = this.#of(party, day);
      if (lease !== undefined) lease.left -= bytes;
    }
  }

  /** Asks the database for a tenth, or for what is needed. */
  async lease({ party, day, bytes, most }: Extract<Lack, { readonly type: "day" }>, nowSec: number): Promise<void> {
    const lease = this.#of(party, day) ?? { day, left: 0, refused: Number.POSITIVE_INFINITY, refusedUntilSec: 0 };
    this.#remember(party, lease);
    const needed = Math.max(1, bytes - lease.left);
    for (const asked of new Set([Math.max(needed, Math.floor(most / LEASED_PART)), needed])) {
      const granted = await this.#database.run(LEASE, [`mail ${party}`, day, asked, most]);
      if (granted.length === 0) continue;
      lease.left += asked;
      return;
    }
    lease.refused = Math.min(lease.refused, needed);
    lease.refusedUntilSec = nowSec + USED_UP_S;
  }

  /** Forgets leases whose time is over, and days before one in the database. */
  async prune(nowSec: number): Promise<void> {
    for (const lease of this.#leases.values()) if (lease.refusedUntilSec < nowSec) lease.refused = Number.POSITIVE_INFINITY;
    await this.#database.run(FORGET, [Math.floor(nowSec / DAY_S)]);
  }

  #of(party: string, day: number): Lease | undefined {
    const lease = this.#leases.get(party);
    return lease?.day === day ? lease : undefined;
  }

  #remember(party: string, lease: Lease): void {
    this.#leases.delete(party);
    this.#leases.set(party, lease);
    const [first] = this.#leases.keys();
    if (this.#leases.size > MAX_PARTIES && first !== undefined) this.#leases.delete(first);
  }
}
