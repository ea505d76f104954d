// Short texts from one process to all others that share a database, by NOTIFY. They are stored nowhere: what is sent while a connection is
// away is lost.
import pg from "pg";
import { ASK_PLACE, type PlaceRow } from "./database-history.ts";
import type { PostgresDatabase } from "./postgres-database.ts";
import { statement } from "./statement-batch.ts";

/** Bytes of a text, as PostgreSQL takes them. */
export const NOTICE_BYTES = 7_999;
/** Between two looks whether the connection still leads to the database that is used, and before another one is made, ms. */
const LOOK_INTERVAL_MS = 2_000;
/** Time to connect, and for an answer, ms. */
const ANSWER_TIMEOUT_MS = 5_000;

/** The commit of a notice writes nothing that the disk or a standby would have to be waited for. */
const SEND = statement("send_notice", "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)");

export interface NoticeChannelOptions {
  readonly database: Pick<PostgresDatabase, "run" | "address" | "timeline">;
  /** An identifier in lower case. */
  readonly name: string;
  /** Hears of every text, those of this process too. */
  readonly onNotice: (text: string) => void;
  /** Once for a time without a connection. */
  readonly onError: (error: unknown) => void;
}

/** A channel that is open: it has a connection of its own, beside the pool. */
export class NoticeChannel {
  readonly #options: NoticeChannelOptions;
  #client: pg.Client | undefined;
  #address = "";
  #hasFailed = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void>;

  constructor(options: NoticeChannelOptions) {
    this.#options = options;
    this.#looking = this.#look();
  }

  /** Resolves once all that listen now will have it. @throws CodedError UNAVAILABLE while the database is away */
  async send(text: string): Promise<void> {
    await this.#options.database.run(SEND, [this.#options.name, text]);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await this.#leave();
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    try {
      if (this.#client === undefined || this.#address !== this.#options.database.address) {
        await this.#leave();
        await this.#listen();
      } else await this.#assertFollows(this.#client);
      this.#hasFailed = false;
    } catch (error) {
      await this.#leave();
      if (!this.#hasFailed) this.#options.onError(error);
      this.#hasFailed = true;
    }
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look();
    }, LOOK_INTERVAL_MS);
  }

  async #listen(): Promise<void> {
    const { database, name, onNotice } = this.#options;
    this.#address = database.address;
    const client = new pg.Client({
      connectionString: this.#address,
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
      application_name: "parley-notices",
    });
    this.#client = client;
    // The next look finds that it is gone.
    client.on("error", () => this.#forget(client));
    client.on("end", () => this.#forget(client));
    client.on("notification", ({ payload = "" }) => onNotice(payload));
    await client.connect();
    await this.#assertFollows(client);
    await client.query(`LISTEN ${name}`);
  }

  /** @throws Error for a standby, and for a database that another one has taken over from */
  async #assertFollows(client: pg.Client): Promise<void> {
    const [place] = (await client.query<PlaceRow>(ASK_PLACE)).rows;
    if ((place?.timeline ?? -1) < this.#options.database.timeline)
      throw new Error("A database is followed by another one: its notices are not heard");
  }

  #forget(client: pg.Client): void {
    if (this.#client === client) this.#client = undefined;
  }

  async #leave(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }
}
