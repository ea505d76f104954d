// The past that process networks with keepers begin with, and the count of what they deliver: the parts of `npm run soak -- --mail` without processes.
import { expect, it } from "vitest";
import { readDirectory } from "#node/ledger/records/directory-epochs.ts";
import { epochOf } from "#shared/protocol/keepers/directory.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { createKeeperNetwork } from "#test/support/nodes/keeper-network.ts";
import { MailCount } from "#test/support/nodes/mail-count.ts";

it("has eight independent keepers to whom mail goes alone, as of now", async () => {
  await using network = await createKeeperNetwork({ validators: 4, keepers: 8, users: 1 });
  const { genesis } = network;
  const folders = [network.node(0), network.node(8)].map(({ dataDir }) => dataDir);
  for (const folder of folders) {
    using chain = openTestChain(folder, { genesis, verify: () => true });
    const { timeMs } = chain.executor.tip();
    expect(Date.now() - timeMs).toBeLessThan(3_600_000);
    const directory = readDirectory(chain.executor.state, epochOf(timeMs / 1_000));
    expect(directory?.mode).toEqual({ is: "keepers", tooFew: 0 });
    expect(new Set(directory?.keepers.map((keeper) => keeper.network)).size).toBe(8);
  }
});

it("counts messages of each time: what is missing, what came twice, and how long the others took", () => {
  const count = new MailCount();
  for (let n = 1; n <= 100; n += 1) count.send(`m${n}`, "one", 0);
  count.send("late", "two", 50);
  for (let n = 1; n <= 98; n += 1) count.arrive(`m${n}`, n);
  count.arrive("m7", 200);
  count.arrive("foreign", 1);
  expect([count.has("m98"), count.has("m99"), count.has("foreign")]).toEqual([true, false, false]);
  expect([count.missing, count.figures("one")]).toEqual([3, { sent: 100, lost: 2, doubled: 1, p50: 50, p99: 98, longest: 98 }]);
  count.arrive("late", 60);
  expect(count.figures("two")).toEqual({ sent: 1, lost: 0, doubled: 0, p50: 10, p99: 10, longest: 10 });
});
