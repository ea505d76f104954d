// A chain on disk that gets the rules of keepers: built, followed in batches, restarted, executed again, rolled back, continued by another
// chain; and what the rest of a node sees of its directories.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { exportGenesis } from "#node/engine/recovery/export-genesis.ts";
import { rollbackFolder } from "#node/engine/recovery/rollback-folder.ts";
import { readDirectory, readDirectoryHeads } from "#node/ledger/records/directory-epochs.ts";
import { readKeeper } from "#node/ledger/records/keeper-records.ts";
import { FollowedDirectories } from "#node/queries/keeper-directories.ts";
import { epochOf } from "#shared/protocol/keepers/directory.ts";
import type { ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";
import { KEEPERS_VERSION } from "#shared/protocol/primitives/limits.ts";
import { upgradeOf } from "#shared/protocol/primitives/params.ts";
import { upgradeSignBytes } from "#shared/protocol/transactions/authorisations.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { dumpState, expectReplayable, expectStateConsistent, expectSupplyConserved } from "#test/support/chain/chain-invariants.ts";
import { signatureOf } from "#test/support/chain/ledger-payloads.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, CHAIN_ID, deviceKey, GENESIS, signed, validator } from "#test/support/worlds/ledger-world.ts";

const DAY_MS = 86_400_000;
/** So that forty heartbeats fit in a day. */
const STEP_MS = 2_100_000;
const KEEPERS_FROM = 4;
const BONDED_AT = 6;
const BLOCKS = 56;
const BOND_UT = 150_000;
const OPTIONS = { genesis: GENESIS, verify: (): boolean => true };

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
  writeFileSync(join(made, "genesis.json"), JSON.stringify(GENESIS));
  return made;
}

function approval(nowMs: number): Transaction {
  const signedAt = Math.floor(nowMs / 1_000);
  const signature = signatureOf(validator, upgradeSignBytes(CHAIN_ID, upgradeOf({}, KEEPERS_VERSION, KEEPERS_FROM), signedAt));
  const cosigs = [{ validator_pub: validator.pub, signed_at: signedAt, signature }];
  return signed(alice, { type: "UPGRADE", payload: { set: {}, version: KEEPERS_VERSION, at_height: KEEPERS_FROM, cosigs }, nowMs });
}

function transactionsOf(height: number, nowMs: number): readonly Transaction[] {
  if (height === 1) return [approval(nowMs)];
  const payload = { x25519_pub_key: deviceKey(1), fee_per_msg_ut: 0, multiaddr: "/ip4/81.2.69.142/tcp/4001", bond_ut: BOND_UT };
  if (height === BONDED_AT) return [signed(bob, { type: "REGISTER_RELAY", payload, nowMs })];
  return height > BONDED_AT ? [signed(bob, { type: "HEARTBEAT", payload: {}, nowMs })] : [];
}

/** Blocks up to a height; the day of the change passes before its height. */
function extend(chain: TestChain, to: number): void {
  while (chain.executor.tip().height < to) {
    const height = chain.executor.tip().height + 1;
    const timeMs = chain.executor.tip().timeMs + STEP_MS + (height === KEEPERS_FROM - 1 ? DAY_MS : 0);
    chain.commit(transactionsOf(height, timeMs), timeMs);
  }
}

it("makes a relay with a bond and heartbeats a keeper, however the chain is executed", async () => {
  const begun = openTestChain(path, OPTIONS);
  extend(begun, KEEPERS_FROM - 1);
  expect(begun.database.state.scan("directory")).toEqual([]);
  extend(begun, 20);
  begun.close();
  using chain = openTestChain(path, OPTIONS);
  extend(chain, BLOCKS);
  const { state } = chain.database;
  const epoch = epochOf(chain.executor.tip().timeMs / 1_000);
  expect(readDirectoryHeads(state).map((head) => [head.epoch, head.count])).toEqual([
    [epoch, 1],
    [epoch - 1, 1],
  ]);
  expect(readDirectory(state, epoch)?.keepers).toMatchObject([{ key: bob.pub, weight: 3, network: "4 81.2.69", wallet: bob.pub }]);
  expectSupplyConserved(chain.database);
  expectStateConsistent(chain.database);
  expectReplayable(chain.database, GENESIS);
  using follower = openTestChain(makeFolder("second"), OPTIONS);
  for (let from = 0; from < BLOCKS; from += 7) await follower.applyBatch(chain.decidedAfter(from).slice(0, 7));
  expect(follower.executor.tip().hash).toBe(chain.executor.tip().hash);
});

it("goes back with a rollback, also below the first height of the rules", async () => {
  const states = new Map<number, readonly string[]>();
  {
    using chain = openTestChain(path, OPTIONS);
    for (const height of [KEEPERS_FROM - 1, KEEPERS_FROM, 30]) {
      extend(chain, height);
      states.set(height, dumpState(chain.database));
    }
    extend(chain, BLOCKS);
  }
  for (const height of [30, KEEPERS_FROM, KEEPERS_FROM - 1]) {
    await rollbackFolder(path, height);
    using chain = openTestChain(path, OPTIONS);
    expect(dumpState(chain.database)).toEqual(states.get(height));
    expectStateConsistent(chain.database);
  }
});

it("leaves bonds and salts to a chain that continues another one, which writes directories of its own", () => {
  const before = ((): ReturnType<typeof readKeeper> => {
    using chain = openTestChain(path, OPTIONS);
    extend(chain, BLOCKS);
    return readKeeper(chain.database.state, bob.pub);
  })();
  if (before.standing?.is !== "in") throw new Error("The relay is no keeper");
  const validators = [{ publicKey: validator.pub }];
  const { genesis, statePath } = exportGenesis(path, join(folder.path, "out"), { chainId: "parley-test-2", validators });
  const next = join(folder.path, "next");
  mkdirSync(next);
  using continued = openTestChain(next, { ...OPTIONS, genesis, stateFile: statePath });
  expect(continued.database.state.scan("directory")).toEqual([]);
  expect(readKeeper(continued.database.state, bob.pub)).toEqual(before);
  expectSupplyConserved(continued.database);
  continued.commit([]);
  const epoch = epochOf(continued.executor.tip().timeMs / 1_000);
  const [head, ...others] = readDirectoryHeads(continued.database.state);
  expect([head?.epoch, head?.mode, others]).toEqual([epoch, { is: "gossip", enough: 0 }, []]);
  expect(readDirectory(continued.database.state, epoch)?.keepers).toMatchObject([{ key: bob.pub, salt: before.standing.salt }]);
});

it("shows the directories of two epochs, and says when there is a new one", () => {
  using chain = openTestChain(path, OPTIONS);
  const { executor } = chain;
  const directories = new FollowedDirectories({ state: executor.state, onCommit: (listener) => executor.onCommit(listener) });
  const announced: ReadDirectory[] = [];
  const stop = directories.onDirectory((directory) => announced.push(directory));
  extend(chain, KEEPERS_FROM - 1);
  expect([directories.epochs(), announced]).toEqual([[], []]);
  const epochs: number[] = [];
  for (let height = KEEPERS_FROM; height <= BLOCKS; height += 1) {
    extend(chain, height);
    const epoch = epochOf(executor.tip().timeMs / 1_000);
    if (epochs[0] !== epoch) epochs.unshift(epoch);
    expect(directories.epochs()).toEqual(epochs.slice(0, 2));
    expect(directories.directoryAt(epoch)).toBe(announced.at(-1));
  }
  expect(announced.map(({ epoch }) => epoch)).toEqual(epochs.toReversed());
  expect(directories.directoryAt(epochs[1] ?? 0)).toBe(announced.at(-2));
  expect(directories.directoryAt(epochs[2] ?? 0)).toBeUndefined();
  expect(announced.at(-1)?.keepers).toMatchObject([{ key: bob.pub }]);
  stop();
  extend(chain, BLOCKS + 3);
  expect(announced).toHaveLength(epochs.length);
  directories.stop();
});
