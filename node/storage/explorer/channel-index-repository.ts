// SQL of the index of payment channels: which each key pays into or is paid from, and the transactions that opened and closed them.
// Derived from blocks; what a channel holds is in the state.

import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { SEQ_PER_BLOCK } from "../chain-schema.ts";
import { recordId } from "../history/records/record-groups.ts";
import { RecordRepository } from "../history/records/record-repository.ts";
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
  /** Payer and payee are those of the transaction, which either of them sends to the other one. */
  readonly closed: readonly OpenedChannel[];
}

export interface IndexedChannel {
  readonly channelId: string;
  /** "" for one that the chain began with. */
  readonly openTx: string;
  /** Null while it is open. */
  readonly closeTx: string | null;
}

interface ChannelRow {
  readonly channelId: string;
  readonly seq: number;
  readonly closeSeq: number | null;
}

const COLUMNS = "lower(hex(channel_id)) AS channelId, seq, close_seq AS closeSeq";

/** Reads and writes the index of channels. */
export class ChannelIndexRepository {
  readonly #records: RecordRepository;
  readonly #insert;
  readonly #close;
  readonly #move;
  readonly #remove;
  readonly #list;
  readonly #get;
  readonly #lowest;

  constructor(database: SqliteDatabase) {
    this.#records = new RecordRepository(database);
    this.#insert = database.prepare<[number, string, string, string]>(
      "INSERT INTO channels (seq, channel_id, payer, payee) VALUES (?, unhex(?), unhex(?), unhex(?))",
    );
    this.#close = database.prepare<[number, string]>("UPDATE channels SET close_seq = ? WHERE channel_id = unhex(?)");
    this.#move = database.prepare<[number, string, string, string]>(
      "UPDATE channels SET seq = ?, payer = unhex(?), payee = unhex(?) WHERE channel_id = unhex(?)",
    );
    this.#remove = ["DELETE FROM channels WHERE seq >= ?", "UPDATE channels SET close_seq = NULL WHERE close_seq >= ?"].map((sql) =>
      database.prepare<[number]>(sql),
    );
    const side = (column: string): string =>
      `SELECT * FROM (SELECT * FROM channels WHERE ${column} = unhex(@account)
        AND seq < CASE @after WHEN '' THEN ${Number.MAX_SAFE_INTEGER} ELSE (SELECT seq FROM channels WHERE channel_id = unhex(@after)) END
        ORDER BY seq DESC LIMIT @limit)`;
    this.#list = database.prepare<{ readonly account: string; readonly after: string; readonly limit: number }, ChannelRow>(
      `SELECT ${COLUMNS} FROM (${side("payer")} UNION ALL ${side("payee")}) ORDER BY seq DESC LIMIT @limit`,
    );
    this.#lowest = database.prepare<[], number>("SELECT min(0, coalesce(min(seq), 0)) FROM channels").pluck();
    this.#get = database.prepare<[string], ChannelRow>(`SELECT ${COLUMNS} FROM channels WHERE channel_id = unhex(?)`);
  }

  insert(height: Height, { opened, closed }: ChannelChanges): void {
    const base = height * SEQ_PER_BLOCK;
    for (const { position, channelId, payerPub, payeePub } of opened) this.#insert.run(base + position, channelId, payerPub, payeePub);
    for (const { position, channelId } of closed) this.#close.run(base + position, channelId);
  }

  /**
   * Adds what a block below all others did. A channel that it opened may be here, since it was open when the chain began here or a later block
   * closed it; one that it closed was opened further below, by one of its two parties.
   */
  insertBelow(height: Height, { opened, closed }: ChannelChanges): void {
    const base = height * SEQ_PER_BLOCK;
    for (const { position, channelId, payerPub, payeePub } of opened)
      if (this.#move.run(base + position, payerPub, payeePub, channelId).changes === 0)
        this.#insert.run(base + position, channelId, payerPub, payeePub);
    for (const { position, channelId, payerPub, payeePub } of closed) {
      if (this.#get.get(channelId) === undefined) this.insertCarried([{ channelId, payerPub, payeePub }]);
      this.#close.run(base + position, channelId);
    }
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
    return this.#list.all({ account, after, limit }).map((row) => this.#channelOf(row));
  }

  get(channelId: string): IndexedChannel | undefined {
    const row = this.#get.get(channelId);
    return row === undefined ? undefined : this.#channelOf(row);
  }

  #channelOf({ channelId, seq, closeSeq }: ChannelRow): IndexedChannel {
    return {
      channelId,
      openTx: seq < 0 ? "" : (this.#idAt(seq) ?? ""),
      closeTx: closeSeq === null ? null : (this.#idAt(closeSeq) ?? null),
    };
  }

  #idAt(seq: number): string | undefined {
    const record = this.#records.at(seq);
    return record === undefined ? undefined : recordId(record);
  }
}
