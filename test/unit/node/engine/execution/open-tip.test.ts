// The order of proposers that a start reads out of rows is the one that a node has which saw every header.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBlockExecutor } from "#node/engine/execution/block-executor.ts";
import { openProposerSchedule } from "#node/engine/execution/open-tip.ts";
import { type ChainDatabase, openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { ProposerSchedule } from "#shared/protocol/chain/proposers.ts";
import { sortValidators, type ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { genesisWith } from "#test/support/chain/ledger-payloads.ts";
import { commitNow, commitOf, pendingList } from "#test/support/chain/test-chain.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type Actor, actor, alice, bob, type Draft, signed } from "#test/support/worlds/ledger-world.ts";

const SEED = 20;
const validators = [11, 12, 13, 14, 15, 16, 17].map(actor);
const genesis = {
  ...genesisWith(validators),
  accounts: [alice, ...validators].map(({ pub }) => ({ pub_key: pub, balance_ut: 5_000_000 })),
};

let folder: TemporaryFolder;
let database: ChainDatabase;
let executor: ReturnType<typeof createBlockExecutor>;
const source = pendingList();
const random = createRandom(SEED);

beforeEach(async () => {
  folder = await createTemporaryFolder();
  database = openChainDatabase(folder.path, { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) });
  executor = createBlockExecutor({ database, genesis, source, verify: verifyZip215 });
});

afterEach(async () => {
  database.close();
  await folder.remove();
});

/** Commits a transaction in a block that anyone of the set proposes and all sign. */
function commit(sender: Actor, draft: Draft<"TRANSFER"> | Draft<"REMOVE_VALIDATOR">): void {
  const timeMs = executor.tip().timeMs + 1_000;
  source.pending.push(signed(sender, { ...(draft as Draft<"TRANSFER">), nowMs: timeMs }));
  const set = sortValidators(executor.tip().nextValidators);
  const { block } = executor.buildBlock({ timeMs, proposer: set[random.between(0, set.length - 1)]?.publicKey ?? "" });
  source.pending.length = 0;
  const places = set.map(({ publicKey }, index): readonly [number, Actor] => [
    index,
    validators.find(({ pub }) => pub === publicKey) ?? alice,
  ]);
  commitNow(executor, block, commitOf(block, places, { size: set.length }));
}

/** What follows from all headers. */
function byHeaders(tip: number): ProposerSchedule {
  const schedule = new ProposerSchedule();
  for (let height = 1; height <= tip; height += 1) {
    const header = database.blocks.header(height);
    if (header !== undefined) schedule.decided(header, database.validatorSets.at(height));
  }
  return schedule;
}

const ordersOf = (schedule: ProposerSchedule, tip: number, set: ValidatorSet): readonly (readonly number[])[] =>
  [1, 2, 3].map((ahead) => schedule.order(tip + ahead, "ab".repeat(32), set));

describe("the order of proposers at a start", () => {
  it("is that of all headers, whoever missed turns and whichever set voted", () => {
    const pay: Draft<"TRANSFER"> = { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} };
    const [leaving] = validators as [Actor];
    let demoted = 0;
    for (let height = 1; height <= 24; height += 1) {
      if (height === 9) commit(leaving, { type: "REMOVE_VALIDATOR", payload: { pub_key: leaving.pub } });
      else commit(alice, pay);
      const set = database.validatorSets.at(height + 1);
      const orders = ordersOf(openProposerSchedule(database, height), height, set);
      expect(orders).toEqual(ordersOf(byHeaders(height), height, set));
      if (JSON.stringify(orders) !== JSON.stringify(ordersOf(new ProposerSchedule(), height, set))) demoted += 1;
    }
    expect(database.validatorSets.at(24)).toHaveLength(validators.length - 1);
    expect(demoted).toBeGreaterThan(12);
  });
});
