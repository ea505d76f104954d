// Blocks that a gateway takes from its node: only those that are whole.
import { expect, it, onTestFinished } from "vitest";
import { blocksOfPage } from "#node/gateway/public/explorer/fed-blocks.ts";
import { openChainFeed } from "#node/storage/chain/feed/chain-feed.ts";
import { decodeBlock, encodeBlock } from "#shared/protocol/chain/block.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, CHAIN_ID, START_MS } from "#test/support/worlds/ledger-world.ts";

it("takes a reward with each block that has transactions, and none with another", async () => {
  const folder = await createTemporaryFolder();
  onTestFinished(folder.remove);
  const chain = openTestChain(folder.path, { genesis: CONTRACTS_GENESIS });
  onTestFinished(() => chain.close());
  const random = createRandom(1);
  for (let height = 1; height <= 7; height += 1) chain.commit(mixedBlock(height, random), START_MS + 1_000 * height);
  const feed = openChainFeed(folder.path);
  onTestFinished(() => feed.close());
  const page = await feed.read(undefined);
  const taken = blocksOfPage(page, CHAIN_ID, undefined);
  expect(taken.map(({ reward }) => reward !== undefined)).toEqual(taken.map(({ records }) => records.length > 0));
  const blocks = (at: number, reward: (typeof page.blocks)[number]["reward"]): typeof page => ({
    ...page,
    blocks: page.blocks.map((block, place) => (place === at ? { ...block, reward } : block)),
  });
  const refused = expect.objectContaining({ code: "UPSTREAM_FAILED" });
  // A node without an index of the block.
  expect(() => blocksOfPage(blocks(3, null), CHAIN_ID, undefined)).toThrow(refused);
  expect(() => blocksOfPage(blocks(7, { to: alice.pub, amount_ut: 1 }), CHAIN_ID, undefined)).toThrow(refused);
  // The right parent, and another height.
  const [first, second] = page.blocks;
  if (first === undefined || second === undefined) expect.unreachable();
  const decoded = decodeBlock(fromBase64(second.block));
  const higher = { ...decoded, header: { ...decoded.header, height: 2 } };
  const pages = [decoded, higher].map((block) => ({ ...page, blocks: [first, { ...second, block: toBase64(encodeBlock(block)) }] }));
  expect(blocksOfPage(pages[0] ?? page, CHAIN_ID, undefined)).toHaveLength(2);
  expect(() => blocksOfPage(pages[1] ?? page, CHAIN_ID, undefined)).toThrow("does not follow block 0");
});
