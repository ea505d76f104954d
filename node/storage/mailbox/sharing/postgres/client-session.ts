// A transaction on one connection. It begins with its first statement and may commit with its last one, so that neither costs a round trip.
import type pg from "pg";
import { type Call, type Rows, runBatch, type Statement, statement } from "./statement-batch.ts";

/** A statement that takes longer is given up by the server, ms. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** A transaction whose process does nothing for so long is rolled back: it may hold what others wait for, ms. */
const IDLE_TIMEOUT_MS = 30_000;

const BEGIN: Call = { query: statement("begin", "BEGIN") };
const COMMIT: Call = { query: statement("commit", "COMMIT") };
/** Time limits of a connection to the server itself; a pooler may give its statements to any other. */
export const SET_LIMITS = `SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`;
/** The same for one transaction, be it that of a single statement: it ends where its batch does. */
export const LIMITS: Call = {
  query: statement(
    "limits",
    `SELECT set_config('statement_timeout', '${STATEMENT_TIMEOUT_MS}', true),
      set_config('idle_in_transaction_session_timeout', '${IDLE_TIMEOUT_MS}', true)`,
  ),
};

/** One connection, for as long as a transaction lasts. */
export interface PostgresSession {
  run<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Runs these in their order, each seeing what is committed when its turn comes, in one round trip; gives the rows of each. */
  runAll(calls: readonly Call[]): Promise<readonly Rows[]>;
  /** Several statements without parameters. */
  exec(text: string): Promise<void>;
  /** Runs these and commits, in one round trip: nothing can be run after it. */
  commit(calls: readonly Call[]): Promise<void>;
}

/** A transaction. */
export class ClientSession implements PostgresSession {
  readonly #client: pg.PoolClient;
  readonly #first: readonly Call[];
  #state: "new" | "begun" | "committed" = "new";

  constructor(client: pg.PoolClient, isLimited: boolean) {
    this.#client = client;
    this.#first = isLimited ? [BEGIN] : [BEGIN, LIMITS];
  }

  async run<Row extends object>(query: Statement, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const [rows = []] = await this.runAll([{ query, values }]);
    return rows as readonly unknown[] as readonly Row[];
  }

  async runAll(calls: readonly Call[]): Promise<readonly Rows[]> {
    const first = this.#begin();
    const rows = await runBatch(this.#client, [...first, ...calls]);
    return rows.slice(first.length);
  }

  async exec(text: string): Promise<void> {
    if (this.#state === "new") await this.runAll([]);
    await this.#client.query(text);
  }

  async commit(calls: readonly Call[]): Promise<void> {
    await this.runAll([...calls, COMMIT]);
    this.#state = "committed";
  }

  /** Commits what was not committed. */
  async end(): Promise<void> {
    if (this.#state === "begun") await this.commit([]);
  }

  #begin(): readonly Call[] {
    if (this.#state === "committed") throw new Error("The transaction is over");
    const first = this.#state === "new" ? this.#first : [];
    this.#state = "begun";
    return first;
  }
}
