// Connections to PostgreSQL: a small pool, transactions that are run again when they meet another, and errors in the program's own words.
import pg from "pg";
import { CodedError } from "#shared/errors/coded-error.ts";
import { ClientSession, LIMITS, type PostgresSession, SET_LIMITS } from "./client-session.ts";
import { ASK_PLACE, type PlaceRow, timelineAt } from "./database-history.ts";
import { type Call, type Rows, runBatch, type Statement } from "./statement-batch.ts";

/** Connections of one process. */
const POOL_CONNECTIONS = 8;
/** Time to get a connection, be it a new one or one that is free again, ms. */
const CONNECT_TIMEOUT_MS = 5_000;
/** An answer that takes longer is given up, should the server be gone: a little later than the server itself gives a statement up, ms. */
const RESPONSE_TIMEOUT_MS = 15_000;
/** How often a transaction is tried that met another one. */
const ATTEMPTS = 5;
/** Time between two looks at the other databases: one that was promoted is used from then on, ms. */
const LOOK_INTERVAL_MS = 2_000;
/** What clients are told to wait, s. */
const RETRY_AFTER_S = 2;

/** SQLSTATEs of transactions that met: serialisation failure, deadlock. */
const MET_ANOTHER = new Set(["40001", "40P01"]);
/** Classes of SQLSTATEs that say that the server cannot serve now: connection, resources, operator, system; and a standby. */
const AWAY_CLASSES = new Set(["08", "53", "57", "58"]);
const READ_ONLY = "25006";
/** Of those classes: a statement took too long, which another server would not change. */
const CANCELLED = "57014";

/** A database that processes share. */
export interface PostgresDatabase {
  /** Runs one statement. @throws CodedError UNAVAILABLE while the database is away, or when it takes too long */
  run<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Runs several reads in one round trip, each of what is committed when its turn comes. @throws CodedError as {@link PostgresDatabase.run} */
  runAll(calls: readonly Call[]): Promise<readonly Rows[]>;
  /**
   * All of the work in one durable commit, or nothing. It is run again when it met another transaction.
   * @throws what the work throws; CodedError UNAVAILABLE while the database is away.
   */
  transaction<T>(work: (session: PostgresSession) => Promise<T>): Promise<T>;
  /** The newest timeline that was seen: another one than before says that a standby was promoted. */
  readonly timeline: number;
  /** Where it is now. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Opens the database with the newest timeline, of several the first that is there and no standby; later another one, when that is away or was
 * promoted, and never one with an older timeline than it has seen. `onError` hears of connections that broke while they were idle.
 */
export function openPostgres(addresses: readonly string[], onError: (error: Error) => void): PostgresDatabase {
  return new PooledDatabase(addresses, onError);
}

/** Opens a database to read from, be it a standby. */
export function openReplica(address: string, onError: (error: Error) => void): PostgresDatabase {
  return new PooledDatabase([address], onError, true);
}

/** A connection led to a database that only follows another one, or that another one has taken over from. */
class NotPrimaryError extends Error {}

class PooledDatabase implements PostgresDatabase {
  readonly #addresses: readonly string[];
  readonly #onError: (error: Error) => void;
  #at = 0;
  #pool: pg.Pool;
  /** Connections of the pool. */
  #clients = new Set<pg.PoolClient>();
  /** Connections whose statements all have a time limit. */
  readonly #limited = new WeakSet<pg.PoolClient>();
  readonly #ending = new Set<Promise<void>>();
  #timeline = 0;
  /** Resolves once all databases were looked at: the first may be an old one that came back. */
  readonly #ready: Promise<void>;
  #look: NodeJS.Timeout | undefined;
  #isClosed = false;

  readonly #isReplica: boolean;

  constructor(addresses: readonly string[], onError: (error: Error) => void, isReplica = false) {
    this.#isReplica = isReplica;
    this.#addresses = addresses;
    this.#onError = onError;
    this.#pool = this.#openPool();
    this.#ready = addresses.length < 2 ? Promise.resolve() : this.#lookAtAll();
  }

  get timeline(): number {
    return this.#timeline;
  }

  get address(): string {
    return this.#addresses[this.#at] ?? "";
  }

  async run<Row extends object>(query: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const [rows = []] = await this.runAll([{ query, values }]);
    return rows as readonly unknown[] as readonly Row[];
  }

  async runAll(calls: readonly Call[]): Promise<readonly Rows[]> {
    await this.#ready;
    const pool = this.#pool;
    try {
      return await this.#withClient(pool, async (client) => {
        const first = this.#limited.has(client) ? [] : [LIMITS];
        return (await runBatch(client, [...first, ...calls])).slice(first.length);
      });
    } catch (error) {
      throw this.#inWords(error, pool);
    }
  }

  async transaction<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
    await this.#ready;
    for (let attempt = 1; ; attempt += 1) {
      const pool = this.#pool;
      try {
        return await this.#tryTransaction(pool, work);
      } catch (error) {
        if (attempt < ATTEMPTS && MET_ANOTHER.has(stateOf(error) ?? "")) continue;
        throw this.#inWords(error, pool);
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#look);
    await this.#ready;
    await this.#pool.end();
    await Promise.all(this.#ending);
  }

  #tryTransaction<T>(pool: pg.Pool, work: (session: PostgresSession) => Promise<T>): Promise<T> {
    return this.#withClient(pool, async (client, noteBroken) => {
      const session = new ClientSession(client, this.#limited.has(client));
      try {
        const result = await work(session);
        await session.end();
        return result;
      } catch (error) {
        // A connection that failed or stays silent is not used again, and not asked to roll back: that would take another time-out.
        if (!isLost(error)) await client.query("ROLLBACK").catch(noteBroken);
        throw error;
      }
    });
  }

  /** Lends a connection, which is ended when it broke. */
  async #withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient, noteBroken: (error: Error) => void) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    const noteBroken = (error: Error): void => {
      broken ??= error;
    };
    client.on("error", noteBroken);
    try {
      return await work(client, noteBroken);
    } catch (error) {
      if (isLost(error)) noteBroken(error);
      throw error;
    } finally {
      client.off("error", noteBroken);
      client.release(broken);
    }
  }

  #openPool(): pg.Pool {
    const pool = new pg.Pool({
      connectionString: this.address,
      max: POOL_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: RESPONSE_TIMEOUT_MS,
      keepAlive: true,
      application_name: "parley",
      verify: (client, done): void => {
        this.#greet(client).then(
          (isUsable) => done(isUsable ? undefined : new NotPrimaryError()),
          (error: Error) => done(error),
        );
      },
    });
    const clients = new Set<pg.PoolClient>();
    this.#clients = clients;
    pool.on("connect", (client) => {
      clients.add(client);
      // Between two statements there is a moment in which no one else listens: a server that ends then must not end this process. What is
      // asked next fails.
      client.on("error", () => undefined);
    });
    pool.on("remove", (client) => void clients.delete(client));
    pool.on("error", (error) => this.#onError(error));
    return pool;
  }

  /** Gives a new connection its time limits, where they stay; false for a database that is not to be used. */
  async #greet(client: pg.PoolClient): Promise<boolean> {
    const [place] = (await client.query<PlaceRow>(ASK_PLACE)).rows;
    if (!this.#isReplica && !this.#follows(place?.timeline)) return false;
    // A pooler gives clients numbers of its own.
    if (place?.pid !== (client as pg.PoolClient & { readonly processID?: number | null }).processID) return true;
    await client.query(SET_LIMITS);
    this.#limited.add(client);
    return true;
  }

  /** False for a standby, and for a database of which another one was made the successor. */
  #follows(timeline: number | null | undefined): boolean {
    if (timeline === null || timeline === undefined || timeline < this.#timeline) return false;
    this.#timeline = timeline;
    return true;
  }

  /** Looks whether another database was promoted meanwhile. */
  async #lookAtAll(): Promise<void> {
    const timelines = await Promise.all(this.#addresses.map(timelineAt));
    if (this.#isClosed) return;
    const newest = Math.max(this.#timeline, ...timelines.map((timeline) => timeline ?? 0));
    if (newest > this.#timeline) {
      this.#timeline = newest;
      if (timelines[this.#at] !== newest) this.#leaveFor(timelines.indexOf(newest));
    }
    this.#look = setTimeout(() => void this.#lookAtAll(), LOOK_INTERVAL_MS);
  }

  #inWords(error: unknown, pool: pg.Pool): unknown {
    if (!isAway(error)) return error;
    if (stateOf(error) !== CANCELLED) this.#turnToNext(pool);
    return new CodedError("UNAVAILABLE", "The database of this service is away: try again in a moment", {
      cause: error,
      details: { retryAfterS: RETRY_AFTER_S },
    });
  }

  /** The next address, unless another failure has led there already. */
  #turnToNext(failed: pg.Pool): void {
    if (failed === this.#pool && this.#addresses.length > 1) this.#turnTo((this.#at + 1) % this.#addresses.length);
  }

  /** Turns to the successor at once: what is under way at its predecessor fails, and is handed in again. */
  #leaveFor(at: number): void {
    const clients = [...this.#clients];
    this.#turnTo(at);
    for (const client of clients) void (client as pg.Client & pg.PoolClient).end().catch((error: Error) => this.#onError(error));
  }

  #turnTo(at: number): void {
    const failed = this.#pool;
    this.#at = at;
    this.#pool = this.#openPool();
    const ending = failed.end().catch((error: Error) => this.#onError(error));
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
  }
}

function stateOf(error: unknown): string | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" ? code : undefined;
}

/** True for what came from the connection, and not from the server or the work. */
function isLost(error: unknown): error is Error {
  return error instanceof Error && !(error instanceof pg.DatabaseError) && isAway(error);
}

/** True for what says nothing of the statement, but of the server or the way to it. What has no SQLSTATE came from the connection. */
function isAway(error: unknown): boolean {
  if (error instanceof NotPrimaryError) return true;
  if (!(error instanceof Error) || error instanceof CodedError) return false;
  if (error instanceof pg.DatabaseError) {
    const state = error.code ?? "";
    return AWAY_CLASSES.has(state.slice(0, 2)) || state === READ_ONLY || MET_ANOTHER.has(state);
  }
  const code = stateOf(error);
  return (code?.startsWith("E") ?? false) || /connect|terminated|timeout|closed|not queryable|ended/i.test(error.message);
}
