// A process of its own that commits blocks as fast as it can and reports each height once it is durable, until it is killed. With
// "elsewhere" as its second argument another thread writes the blocks that have transactions.
import { createBlockWriter } from "#node/storage/block-writer.ts";
import { genesisHash } from "#shared/protocol/genesis.ts";
import { transactionOf } from "#test/support/chain-traffic.ts";
import { GENESIS, START_MS } from "#test/support/ledger-world.ts";
import { pollUntil } from "#test/support/poll-until.ts";
import { openTestChain } from "#test/support/test-chain.ts";

const [directory = "", place] = process.argv.slice(2);
const identity = { chainId: GENESIS.chain_id, genesisHash: genesisHash(GENESIS) };
const writer = createBlockWriter({ directory, identity, leastTransactions: place === "elsewhere" ? 1 : Number.POSITIVE_INFINITY });
const chain = openTestChain(directory, { writer });
if (place === "elsewhere") await pollUntil(() => Promise.resolve(writer.takes(1) || undefined));
// Ids of their own, so that a later process does not repeat those of an earlier one.
for (let n = chain.executor.tip().height + 1; ; n += 1) {
  const transactions = Array.from({ length: n % 9 }, (_, i) => ({
    ...transactionOf([n + i * 3, n + i, n * 7 + i, (n + i) % 50], START_MS),
    id: `crash-${n}-${i}`,
  }));
  const { block, isElsewhere } = await chain.commitElsewhere(transactions);
  process.stdout.write(`${block.header.height} ${block.header.stateRoot} ${isElsewhere ? "elsewhere" : "here"}\n`);
}
