// A process of its own that commits blocks as fast as it can and reports each height once it is durable, until it is killed.
import { transactionOf } from "#test/support/chain-traffic.ts";
import { START_MS } from "#test/support/ledger-world.ts";
import { openTestChain } from "#test/support/test-chain.ts";

const chain = openTestChain(process.argv[2] ?? "");
// Ids of their own, so that a later process does not repeat those of an earlier one.
for (let n = chain.executor.tip().height + 1; ; n += 1) {
  const transactions = Array.from({ length: n % 9 }, (_, i) => ({
    ...transactionOf([n + i * 3, n + i, n * 7 + i, (n + i) % 50], START_MS),
    id: `crash-${n}-${i}`,
  }));
  const block = chain.commit(transactions);
  process.stdout.write(`${block.header.height} ${block.header.stateRoot}\n`);
}
