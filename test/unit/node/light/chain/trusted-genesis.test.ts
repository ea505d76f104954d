import { describe, expect, it } from "vitest";
import { createTrustedGenesis } from "#node/light/chain/trusted-genesis.ts";
import { verifyLightBlock } from "#shared/protocol/light/verify-light-block.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { GENESIS } from "#test/support/worlds/ledger-world.ts";
import { LIGHT_RULES } from "#test/support/worlds/light-world.ts";

describe("block 0 as the start of trust", () => {
  it("is the one that full nodes make, and the blocks of a real chain follow from it", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path);
    for (let height = 1; height <= 3; height += 1) chain.commit();
    const genesis = createTrustedGenesis(GENESIS);
    expect(genesis.hash).toBe(chain.database.blocks.summary(0)?.hash);
    const rules = { ...LIGHT_RULES, chainId: GENESIS.chain_id };
    for (const height of [1, 3]) {
      const record = chain.database.blocks.get(height);
      if (record === undefined) throw new Error(`block ${height} was expected`);
      const offered = { header: record.block.header, commit: record.commit, validators: chain.database.validatorSets.at(height) };
      const verdict = verifyLightBlock(genesis, offered, record.block.header.timeMs, rules);
      expect(verdict).toMatchObject({ outcome: "verified", block: { hash: record.hash } });
    }
  });
});
