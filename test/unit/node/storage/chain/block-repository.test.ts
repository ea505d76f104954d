// Reading parts of stored blocks: the same as reading the whole block.
import { describe, expect, it } from "vitest";
import { blockParts } from "#node/storage/history/records/block-parts.ts";
import { packGroups } from "#node/storage/history/records/record-groups.ts";
import { encode } from "#shared/codec/codec.ts";
import { type Block, encodeBlock } from "#shared/protocol/chain/block.ts";
import { type Commit, commitCodec, commitHash } from "#shared/protocol/chain/vote.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, carol, signed } from "#test/support/worlds/ledger-world.ts";

describe("the commit at the end of a block", () => {
  it("is that of the block, for a chain and for the largest set", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path);
    const { blocks } = chain.database;
    for (let amount = 1; amount <= 4; amount += 1) chain.commit([signed(alice, { type: "TRANSFER", to: carol.pub, amount, payload: {} })]);
    for (let height = 0; height <= 4; height += 1)
      expect(blocks.lastCommit(height)).toEqual(blocks.get(height)?.block.lastCommit ?? undefined);
    expect(blocks.lastCommit(4)?.height).toBe(3);
    expect(blocks.lastCommit(5)).toBeUndefined();
    const record = blocks.get(4);
    if (record === undefined) throw new Error("Four blocks were made");
    const signatures = Array.from({ length: 100 }, (_, at) => Uint8Array.from({ length: 64 }, (__, index) => (at * 64 + index) * 13));
    const large: Commit = { height: 4, round: 2 ** 40, blockHash: record.hash, bitmap: new Uint8Array(13).fill(255), signatures };
    const header = { ...record.block.header, height: 5, lastCommitHash: commitHash(large) };
    const block: Block = { ...record.block, header, lastCommit: large };
    const summary = { height: 5, hash: "55".repeat(32), parentHash: record.hash, stateRoot: header.stateRoot, timeMs: header.timeMs + 1 };
    blocks.insert(
      { ...summary, proposer: header.proposer, txCount: 1, totalFeesUt: 0 },
      { ...blockParts(block), commitRecord: encode(commitCodec, large), groups: packGroups(blocks.encodedRecords(4)) },
    );
    expect(blocks.lastCommit(5)).toEqual(large);
    expect(blocks.encodedBlock(5)).toEqual(encodeBlock(block));
  });
});
