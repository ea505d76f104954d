// A process of its own that commits blocks as fast as it can and reports each height once it is durable, until it is killed. With
// "worker" as its second argument another thread writes the blocks that have transactions, and with "speculative" it writes batches of
// another chain's blocks, each executed while the one before is written.
import { setImmediate as turn } from "node:timers/promises";
import { createBlockWriter } from "#node/storage/chain/block-writer.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { transactionOf } from "#test/support/chain/chain-traffic.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { alice, bob, GENESIS, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const [directory = "", mode] = process.argv.slice(2);
const identity = { chainId: GENESIS.chain_id, genesisHash: genesisHash(GENESIS) };
const writer = createBlockWriter({ directory, identity, leastTransactions: mode === "here" ? Number.POSITIVE_INFINITY : 1 });
const verify = (): boolean => true;
const chain = openTestChain(directory, { writer, verify });
if (mode !== "here") await pollUntil(() => Promise.resolve(writer.takes(1) || undefined));
if (mode === "speculative") await followSource(openTestChain(`${directory}/source`, { verify }));
for (;;) {
  const { block, isInWorker } = await chain.commitInWorker(nextTransactions(chain));
  report(block, isInWorker ? "worker" : "here");
}

/** Ids of their own, so that a later process does not repeat those of an earlier one. */
function nextTransactions({ executor }: TestChain): readonly Transaction[] {
  const n = executor.tip().height + 1;
  return Array.from({ length: n % 9 }, (_, i) => ({
    ...transactionOf([n + i * 3, n + i, n * 7 + i, (n + i) % 50], START_MS),
    id: `crash-${n}-${i}`,
  }));
}

function report({ header }: Block, where: string): void {
  process.stdout.write(`${header.height} ${header.stateRoot} ${where}\n`);
}

/** Keeps a block from being empty. */
function payment({ executor }: TestChain): Transaction {
  const { height } = executor.tip();
  return { ...signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} }), id: `payment-${height}` };
}

/** Follows a second chain, which grows as it is followed. */
async function followSource(source: TestChain): Promise<never> {
  for (;;) {
    const { height } = chain.executor.tip();
    while (source.executor.tip().height < height + 12) source.commit([payment(source), ...nextTransactions(source)]);
    const decided = source.decidedAfter(height);
    const batch = decided.slice(0, 1 + (height % 7));
    const storing = chain.applyBatch(batch);
    await turn();
    chain.executor.executeSpeculatively(decided.slice(batch.length));
    await storing;
    for (const { block } of batch) report(block, "speculative");
  }
}
