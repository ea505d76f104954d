// A process of its own that takes up blocks of files and is killed where it writes a batch of them.
import { takeUpBlocks } from "#node/engine/recovery/take-up-blocks.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";

const [, , path = "", when = ""] = process.argv;
using chain = openTestChain(path);
const { executor, database } = chain;
const die = (): boolean => process.kill(process.pid, "SIGKILL");
await takeUpBlocks({
  history: database.history,
  takenBack: database.takenBack,
  executor: {
    tip: () => executor.tip(),
    executeSpeculatively: (batch) => executor.executeSpeculatively(batch),
    apply: (batch) => {
      if (when === "before") die();
      const applied = executor.apply(batch);
      if (when === "while") die();
      return applied.then(() => void die());
    },
  },
});
