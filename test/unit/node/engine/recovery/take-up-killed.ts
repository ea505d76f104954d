// A process of its own that takes up blocks of files and is killed where it writes a batch of them.
import { takeUpBlocks } from "#node/engine/recovery/take-up-blocks.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";

const [, , path = "", when = ""] = process.argv;
using chain = openTestChain(path);
const { executor, database } = chain;
const die = (): never => {
  process.kill(process.pid, "SIGKILL");
  throw new Error("It is killed");
};
if (when === "while") {
  const { explorer } = database;
  const insert = explorer.insert.bind(explorer);
  let blocks = 0;
  // Inside of the transaction, behind the first block of the batch.
  explorer.insert = (index): void => {
    blocks += 1;
    if (blocks === 2) die();
    insert(index);
  };
}
await takeUpBlocks({
  history: database.history,
  takenBack: database.takenBack,
  executor: {
    tip: () => executor.tip(),
    executeSpeculatively: (batch) => executor.executeSpeculatively(batch),
    apply: async (batch) => {
      if (when === "before") die();
      await executor.apply(batch);
      die();
    },
  },
});
