// SQL of the index of payment channels: which each key pays into or is paid from, and the transactions that opened and closed them.
// Derived from blocks; what a channel holds is in the state.

import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { SEQ_PER_BLOCK } from "../chain-schema.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";

/** A channel that a block opened. */
export interface OpenedChannel {
  /** Position of the transaction in its block. */
  readonly position: number;
  /** 32 lower-case hex characters. */
  readonly channelId: string;
  readonly payerPub: PublicKeyHex;
  readonly payeePub: PublicKeyHex;
}

/** Channels that a block opened and closed. */
export interface ChannelChanges {
  readonly opened: readonly OpenedChannel[];
  readonly closed: readonly { readonly position: number; readonly channelId: string }[];
}

export interface IndexedChannel {
  readonly channelId: string;
  /** "" for one that the chain began with. */
  readonly openTx: string;
  /** Null while it is open. */
  readonly closeTx: string | null;
}

const COLUMNS = `c.channel_id AS channelId, coalesce(o.id, '') AS openTx, z.id AS closeTx`;
const JOINS = "LEFT JOIN transactions o ON o.seq = c.seq LEFT JOIN transactions z ON z.seq = c.close_seq";

/** Reads and writes the index of channels. */
export class ChannelIndexRepository {
  readonly #insert;
  readonly #close;
  readonly #remove;
  readonly #list;
  readonly #get;
  readonly #lowest;

  constructor(database: SqliteDatabase) {
    this.#insert = database.prepare<[number, string, string, string]>(
      "INSERT INTO channels (seq, channel_id, payer_pub, payee_pub) VALUES (?, ?, ?, ?)",
    );
    this.#close = database.prepare<[number, string]>("UPDATE channels SET close_seq = ? WHERE channel_id = ?");
    this.#remove = ["DELETE FROM channels WHERE seq >= ?", "UPDATE channels SET close_seq = NULL WHERE close_seq >= ?"].map((sql) =>
      database.prepare<[number]>(sql),
    );
    const side = (column: string): string =>
      `SELECT * FROM (SELECT * FROM channels WHERE ${column} = @account
        AND seq < CASE @after WHEN '' THEN ${Number.MAX_SAFE_INTEGER} ELSE (SELECT seq FROM channels WHERE channel_id = @after) END
        ORDER BY seq DESC LIMIT @limit)`;
    this.#list = database.prepare<{ readonly account: string; readonly after: string; readonly limit: number }, IndexedChannel>(
      `SELECT ${COLUMNS} FROM (${side("payer_pub")} UNION ALL ${side("payee_pub")}) c ${JOINS} ORDER BY c.seq DESC LIMIT @limit`,
    );
    this.#lowest = database.prepare<[], number>("SELECT min(0, coalesce(min(seq), 0)) FROM channels").pluck();
    this.#get = database.prepare<[string], IndexedChannel>(`SELECT ${COLUMNS} FROM channels c ${JOINS} WHERE c.channel_id = ?`);
  }

  insert(height: Height, { opened, closed }: ChannelChanges): void {
    const base = height * SEQ_PER_BLOCK;
    for (const { position, channelId, payerPub, payeePub } of opened) this.#insert.run(base + position, channelId, payerPub, payeePub);
    for (const { position, channelId } of closed) this.#close.run(base + position, channelId);
  }

  /** Adds open channels that the chain began with: before all that blocks open, so at positions below 0. */
  insertCarried(channels: readonly Omit<OpenedChannel, "position">[]): void {
    let seq = this.#lowest.get() ?? 0;
    for (const { channelId, payerPub, payeePub } of channels) {
      seq -= 1;
      this.#insert.run(seq, channelId, payerPub, payeePub);
    }
  }

  /** Forgets what happened from a position on. */
  removeFrom(seq: number): void {
    for (const statement of this.#remove) statement.run(seq);
  }

  /** Channels that a key pays into or is paid from, newest first, after a channel when one is given. */
  list(account: PublicKeyHex, limit: number, after = ""): readonly IndexedChannel[] {
    return this.#list.all({ account, after, limit });
  }

  get(channelId: string): IndexedChannel | undefined {
    return this.#get.get(channelId);
  }
}
