import { join } from "node:path";
import { expect, it } from "vitest";
import { ValidatorSetRepository } from "#node/storage/chain/validator-set-repository.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { openSqliteDatabase } from "#node/storage/sqlite-database.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

const setOf = (bondUt: number): ValidatorSet => [{ publicKey: "aa".repeat(32), bondUt }];

it("keeps sets of single old blocks, and what is known of all others", async () => {
  await using folder = await createTemporaryFolder();
  const database = openSqliteDatabase(join(folder.path, "chain.db"), CHAIN_DATABASE);
  try {
    const sets = new ValidatorSetRepository(database);
    const rows = (): unknown => database.prepare<[], number>("SELECT from_height FROM validator_sets ORDER BY 1").pluck().all();
    sets.insert(1_000, setOf(1));
    // A row of headers that are here is not moved.
    sets.insertSingle(900, setOf(1), 1_000);
    sets.insertSingle(800, setOf(1), 1_000);
    sets.insertSingle(500, setOf(1), 1_000);
    expect(rows()).toEqual([500, 1_000]);
    sets.insertSingle(700, setOf(2), 1_000);
    sets.insertSingle(100, setOf(3), 1_000);
    const bondsAt = (heights: readonly number[]): unknown => heights.map((height) => sets.at(height)[0]?.bondUt);
    expect(bondsAt([100, 500, 700, 701, 800, 900, 1_000, 5_000])).toEqual([3, 1, 2, 1, 1, 1, 1, 1]);
    expect(bondsAt([99])).toEqual([undefined]);
    expect(rows()).toEqual([100, 500, 700, 701, 1_000]);
    // The row that was split off at 701 is of no set that is known there: another account's entries may say which one it is.
    sets.insertSingle(701, setOf(2), 1_000);
    expect(bondsAt([700, 701, 702, 800, 900])).toEqual([2, 2, 1, 1, 1]);
    expect(rows()).toEqual([100, 500, 700, 701, 702, 1_000]);
  } finally {
    database.close();
  }
});
