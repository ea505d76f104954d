// Rows of the index as runs take them.
import { SEQ_PER_BLOCK } from "../../chain-schema.ts";
import { accountName } from "../../history/runs/account-run.ts";
import { ID_RUN } from "../../history/runs/id-run.ts";
import type { IndexSource } from "../../history/sealing/index-segments.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";

/** Reads rows through a connection. One pass over each table for a segment: neither is sorted by height, and rows of most blocks are gone. */
export function indexSource(database: SqliteDatabase): IndexSource {
  const ids = database.prepare<[number, number], [Buffer, number]>("SELECT key, seq FROM ids WHERE seq >= ? AND seq < ?").raw();
  const entries = database
    .prepare<[number, number], [string, number, number]>(
      `SELECT lower(hex(pub)), number, seq FROM account_entries CROSS JOIN accounts USING (account_id)
      WHERE seq >= ? AND seq < ? ORDER BY account_id, number`,
    )
    .raw();
  return {
    ids: function* (first, last): ReturnType<IndexSource["ids"]> & Generator {
      for (const [key, seq] of ids.iterate(first * SEQ_PER_BLOCK, (last + 1) * SEQ_PER_BLOCK))
        yield { key: key.readUIntBE(0, ID_RUN.keyBytes), seq };
    },
    entries: function* (first, last): ReturnType<IndexSource["entries"]> & Generator {
      let [known, name] = ["", new Uint8Array(0)];
      for (const [publicKey, number, seq] of entries.iterate(first * SEQ_PER_BLOCK, (last + 1) * SEQ_PER_BLOCK)) {
        if (publicKey !== known) [known, name] = [publicKey, Uint8Array.from(accountName(publicKey))];
        yield { name, number, seq };
      }
    },
  };
}
