// Rows of blocks as a segment takes them.
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { SEQ_PER_BLOCK } from "../../chain-schema.ts";
import { encodedRecord } from "../../history/records/record-groups.ts";
import { RecordRepository } from "../../history/records/record-repository.ts";
import type { SealSource } from "../../history/sealing/seal-segment.ts";
import { sealedHistory } from "../../history/sealing/sealed-history.ts";
import type { SealableBlock, SealedReward } from "../../history/segments/segment-block.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";

interface BodyRow {
  readonly hash: HashHex;
  readonly timeMs: number;
  readonly front: Uint8Array;
  readonly tail: Uint8Array;
}

interface SizeRow {
  readonly height: Height;
  readonly bytes: number;
}

/** Reads blocks through a connection that nothing else uses meanwhile. */
export function sealSource(database: SqliteDatabase): SealSource {
  const records = new RecordRepository(database);
  const { genesisHash } = sealedHistory(database);
  const tip = database.prepare<[], number | null>("SELECT MAX(height) FROM blocks").pluck();
  const lowest = database.prepare<[], number | null>("SELECT MIN(height) FROM block_bodies").pluck();
  const sizes = database.prepare<[number, number], SizeRow>(
    `SELECT height, length(front) + length(tail) + COALESCE((SELECT SUM(length(records)) FROM block_records
      WHERE seq >= height * ${SEQ_PER_BLOCK} AND seq < (height + 1) * ${SEQ_PER_BLOCK}), 0) AS bytes
    FROM block_bodies WHERE height >= ? AND height <= ? ORDER BY height`,
  );
  const body = database.prepare<[number], BodyRow>(
    "SELECT lower(hex(hash)) AS hash, time_ms AS timeMs, front, tail FROM blocks JOIN block_bodies USING (height) WHERE height = ?",
  );
  const reward = database.prepare<[number], SealedReward>(
    'SELECT lower(hex(pub)) AS "to", amount_ut AS amountUt FROM rewards JOIN accounts USING (account_id) WHERE height = ?',
  );
  return {
    genesisHash,
    tipHeight: () => tip.get() ?? undefined,
    lowestHeight: () => lowest.get() ?? undefined,
    sizes: (from, to) => sizes.all(from, to),
    block: (height): SealableBlock => {
      const row = body.get(height);
      assertInvariant(row !== undefined, `Block ${height} has no row, and is in no segment`);
      return { ...row, height, reward: reward.get(height) ?? null, records: records.ofBlock(height).map(encodedRecord) };
    },
  };
}
