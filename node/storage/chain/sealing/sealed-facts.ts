// What chain.db knows of a block whose body is in a file: enough to tell whether a body from elsewhere is the one that was there.
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { SealedReward } from "../../history/segments/segment-block.ts";
import type { SqliteDatabase } from "../../sqlite-database.ts";

/** Facts of one block. */
export interface SealedFacts {
  readonly hash: HashHex;
  readonly timeMs: number;
  readonly reward: SealedReward | null;
}

/** Reads them; undefined for a block that has no row. */
export function sealedFacts(database: SqliteDatabase): (height: Height) => SealedFacts | undefined {
  const row = database.prepare<[number], Omit<SealedFacts, "reward">>(
    "SELECT lower(hex(hash)) AS hash, time_ms AS timeMs FROM blocks WHERE height = ?",
  );
  const reward = database.prepare<[number], SealedReward>(
    'SELECT lower(hex(pub)) AS "to", amount_ut AS amountUt FROM rewards JOIN accounts USING (account_id) WHERE height = ?',
  );
  return (height): SealedFacts | undefined => {
    const found = row.get(height);
    return found === undefined ? undefined : { ...found, reward: reward.get(height) ?? null };
  };
}
