// A chain on disk whose rules begin to count proposed blocks: built, followed in batches, restarted, executed again, rolled back, continued
// by another chain.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { exportGenesis } from "#node/engine/recovery/export-genesis.ts";
import { rollbackFolder } from "#node/engine/recovery/rollback-folder.ts";
import { NodeExplorer } from "#node/explorer/node-explorer.ts";
import { rebuildIndex } from "#node/explorer/reindex/rebuild-index.ts";
import { NAMESPACES } from "#node/ledger/state-view.ts";
import { PROPOSED_VERSION } from "#shared/protocol/primitives/limits.ts";
import { upgradeOf } from "#shared/protocol/primitives/params.ts";
import { upgradeSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { expectProposersCounted, expectReplayable, expectStateConsistent } from "#test/support/chain/chain-invariants.ts";
import { genesisWith, rotationOf, signatureOf } from "#test/support/chain/ledger-payloads.ts";
import { commitNow, commitOf, openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { actor, alice, bob, CHAIN_ID, GENESIS, signed } from "#test/support/worlds/ledger-world.ts";
import { naiveStateRoot } from "../../state/naive-state-root.ts";

const DAY_MS = 86_400_000;
const COUNTED_FROM = 4;
const BLOCKS = 40;
const THREE = [11, 12, 13].map(actor);
const REPLACED = actor(11);
const NEW_KEY = actor(14);
const BASE = genesisWith(THREE);
const GENESIS_OF_THREE = { ...BASE, accounts: [...BASE.accounts, { pub_key: REPLACED.pub, balance_ut: 1_000_000 }] };
const OPTIONS = { genesis: GENESIS_OF_THREE, verify: (): boolean => true };

let folder: TemporaryFolder;
let path = "";
beforeEach(async () => {
  folder = await createTemporaryFolder();
  path = makeFolder("first");
});
afterEach(() => folder.remove());

function makeFolder(name: string): string {
  const made = join(folder.path, name);
  mkdirSync(made);
  writeFileSync(join(made, "genesis.json"), JSON.stringify(GENESIS_OF_THREE));
  return made;
}

function approval(nowMs: number): Transaction {
  const change = upgradeOf({}, PROPOSED_VERSION, COUNTED_FROM);
  const signedAt = Math.floor(nowMs / 1_000);
  const cosigs = THREE.map((member) => ({
    validator_pub: member.pub,
    signed_at: signedAt,
    signature: signatureOf(member, upgradeSignBytes(CHAIN_ID, change, signedAt)),
  }));
  return signed(alice, { type: "UPGRADE", payload: { set: {}, version: PROPOSED_VERSION, at_height: COUNTED_FROM, cosigs }, nowMs });
}

function transactionsOf(height: number, nowMs: number): readonly Transaction[] {
  if (height === 1) return [approval(nowMs)];
  if (height === 20) return [signed(REPLACED, { type: "ROTATE_KEY", payload: rotationOf(REPLACED, NEW_KEY), nowMs })];
  return height % 3 === 0 ? [signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {}, nowMs })] : [];
}

interface BlockChoice {
  readonly proposer: number;
  readonly transactions?: readonly Transaction[];
}

function commitBlock({ executor, source }: TestChain, timeMs: number, { proposer, transactions = [] }: BlockChoice): void {
  const { nextValidators } = executor.tip();
  source.pending.push(...transactions);
  const { block } = executor.buildBlock({ timeMs, proposer: nextValidators[proposer]?.publicKey ?? "" });
  const signers = nextValidators.map((_, index) => [index, alice] as const);
  commitNow(executor, block, commitOf(block, signers, { size: signers.length }));
  source.remove(block.transactions.map(({ id }) => id));
}

const nextMs = ({ executor }: TestChain): number => executor.tip().timeMs + GENESIS.params.heartbeat_interval_ms;

/** Blocks of random proposers up to a height, empty ones among them; the day of the change passes before its height. */
function extend(chain: TestChain, to: number): void {
  const random = createRandom(chain.executor.tip().height);
  while (chain.executor.tip().height < to) {
    const height = chain.executor.tip().height + 1;
    const timeMs = nextMs(chain) + (height === COUNTED_FROM - 1 ? DAY_MS : 0);
    commitBlock(chain, timeMs, { proposer: random.between(0, THREE.length - 1), transactions: transactionsOf(height, timeMs) });
  }
}

it("counts the blocks of each key from the first height of version 4 on, however the chain is executed", async () => {
  const begun = openTestChain(path, OPTIONS);
  extend(begun, COUNTED_FROM - 1);
  expect(begun.database.state.scan("proposed")).toEqual([]);
  extend(begun, 15);
  begun.close();
  using chain = openTestChain(path, OPTIONS);
  extend(chain, BLOCKS);
  expectProposersCounted(chain.database);
  expectStateConsistent(chain.database);
  expectReplayable(chain.database, GENESIS_OF_THREE);
  const stats = (pub: string): object => new NodeExplorer(chain.database).nodeStats(pub, 10);
  const all = [...THREE, NEW_KEY].map(({ pub }) => ({ pub, blocks: chain.database.explorer.blocksProposedBy(pub) }));
  expect(all.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(BLOCKS);
  for (const { pub, blocks } of all) expect(stats(pub)).toMatchObject({ blocksProduced: blocks, counted: { since: COUNTED_FROM } });
  const [old, next] = [REPLACED, NEW_KEY].map(({ pub }) => chain.database.explorer.blocksProposedBy(pub));
  expect([old, next].every((blocks) => (blocks ?? 0) > 0)).toBe(true);
  using follower = openTestChain(makeFolder("second"), OPTIONS);
  for (let from = 0; from < BLOCKS; from += 7) await follower.applyBatch(chain.decidedAfter(from).slice(0, 7));
  expect(follower.executor.tip().hash).toBe(chain.executor.tip().hash);
  chain.close();
  rebuildIndex(path, { genesis: GENESIS_OF_THREE });
  using rebuilt = openTestChain(path, OPTIONS);
  expectProposersCounted(rebuilt.database);
});

it("goes back with a rollback, also below the first height that counts", async () => {
  {
    using chain = openTestChain(path, OPTIONS);
    extend(chain, BLOCKS);
  }
  for (const height of [25, COUNTED_FROM, COUNTED_FROM - 1, 0]) {
    await rollbackFolder(path, height);
    using chain = openTestChain(path, OPTIONS);
    expectProposersCounted(chain.database);
    expectStateConsistent(chain.database);
    expect(chain.database.state.scan("proposed").length > 0).toBe(height >= COUNTED_FROM);
  }
});

it("begins again on a chain that continues another one", () => {
  {
    using chain = openTestChain(path, OPTIONS);
    extend(chain, BLOCKS);
  }
  const validators = THREE.slice(1).map(({ pub }) => ({ publicKey: pub }));
  const { genesis, statePath } = exportGenesis(path, join(folder.path, "out"), { chainId: "parley-test-2", validators });
  expect(genesis.params.version).toBe(PROPOSED_VERSION);
  const next = join(folder.path, "next");
  mkdirSync(next);
  using continued = openTestChain(next, { ...OPTIONS, genesis, stateFile: statePath });
  expect(continued.database.state.scan("proposed")).toEqual([]);
  for (const proposer of [0, 0]) commitBlock(continued, nextMs(continued), { proposer });
  expectProposersCounted(continued.database);
  expect(new NodeExplorer(continued.database).nodeStats(THREE[1]?.pub ?? "", 10).counted?.since).toBe(1);
});

it("stays what it was in earlier versions of the program", () => {
  using chain = openTestChain(path, {
    ...OPTIONS,
    genesis: { ...GENESIS_OF_THREE, params: { ...BASE.params, version: PROPOSED_VERSION } },
  });
  for (const proposer of [0, 1, 0]) commitBlock(chain, nextMs(chain), { proposer });
  const { state } = chain.database;
  const header = chain.database.blocks.header(3);
  expect(header?.stateRoot).toBe(
    naiveStateRoot(NAMESPACES.flatMap((namespace) => state.scan(namespace).map((entry) => ({ namespace, ...entry })))),
  );
  expect({ hash: chain.executor.tip().hash, stateRoot: header?.stateRoot }).toMatchInlineSnapshot(`
    {
      "hash": "fad3a1f1c14216160c0035350f6ff38bdf8f018114de9120126be7dbc6f5ea43",
      "stateRoot": "6e023556bc1d4e46945785aa52255485e75aea94d3e2da05bf59e9d4103cfd04",
    }
  `);
});
