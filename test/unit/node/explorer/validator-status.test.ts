// Standing of validators that come, go, are punished, and do not sign.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBlockExecutor } from "#node/engine/execution/block-executor.ts";
import { validatorStatus } from "#node/explorer/validator-status.ts";
import { type ChainDatabase, openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { sortValidators } from "#shared/protocol/chain/validators.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { doubleVote, genesisWith } from "#test/support/chain/ledger-payloads.ts";
import { commitNow, commitOf, pendingList } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type Actor, actor, alice, bob, type Draft, signed } from "#test/support/worlds/ledger-world.ts";

const four = [11, 12, 13, 14].map(actor).sort((a, b) => (a.pub < b.pub ? -1 : 1));
const [v1, v2, v3, v4] = four as [Actor, Actor, Actor, Actor];
const genesis = { ...genesisWith(four), accounts: [alice, ...four].map(({ pub }) => ({ pub_key: pub, balance_ut: 5_000_000 })) };

let folder: TemporaryFolder;
let database: ChainDatabase;
let executor: ReturnType<typeof createBlockExecutor>;
const source = pendingList();

beforeEach(async () => {
  folder = await createTemporaryFolder();
  database = openChainDatabase(folder.path, { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) });
  executor = createBlockExecutor({ database, genesis, source, verify: verifyZip215 });
});
afterEach(async () => {
  database.close();
  await folder.remove();
});

/** Commits a transaction in a block that the given validators sign. */
function commit(sender: Actor, draft: Draft<"TRANSFER"> | Draft<"REMOVE_VALIDATOR"> | Draft<"SLASH">, signers: readonly Actor[]): number {
  const timeMs = executor.tip().timeMs + 1_000;
  source.pending.push(signed(sender, { ...(draft as Draft<"TRANSFER">), nowMs: timeMs }));
  const set = sortValidators(executor.tip().nextValidators);
  const { block } = executor.buildBlock({ timeMs, proposer: set[0]?.publicKey ?? "" });
  source.pending.length = 0;
  const places = signers.map((signer): readonly [number, Actor] => [set.findIndex(({ publicKey }) => publicKey === signer.pub), signer]);
  commitNow(executor, block, commitOf(block, places, { size: set.length }));
  return Math.floor(timeMs / 1_000);
}

const pay: Draft<"TRANSFER"> = { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} };

describe("the status of a validator", () => {
  it("counts the commits that hold its signature, among those that could", () => {
    commit(alice, pay, [v1, v2, v3]);
    commit(alice, pay, [v2, v3, v4]);
    commit(alice, pay, [v2, v3, v4]);
    const validatorFields = {
      isInSet: true,
      bondUt: 1_000_000,
      bondAvailableAt: undefined,
      isSetAside: false,
      bannedUntil: 0,
      commitsExpected: 3,
    };
    expect(validatorStatus(database, v1.pub, 200)).toEqual({
      ...validatorFields,
      commitsSigned: 1,
      recentCommits: { height: 3, marks: "001" },
    });
    expect(validatorStatus(database, v2.pub, 200)).toEqual({
      ...validatorFields,
      commitsSigned: 3,
      recentCommits: { height: 3, marks: "111" },
    });
    expect(validatorStatus(database, v1.pub, 2)).toEqual({
      ...validatorFields,
      commitsExpected: 2,
      commitsSigned: 0,
      recentCommits: { height: 3, marks: "00" },
    });
    expect(validatorStatus(database, alice.pub, 200)).toBeUndefined();
  });

  it("names bond, waiting time and ban of those that left", () => {
    const left = commit(v1, { type: "REMOVE_VALIDATOR", payload: { pub_key: v1.pub } }, [v1, v2, v3]);
    commit(alice, pay, [v2, v3, v4]);
    expect(validatorStatus(database, v1.pub, 200)).toEqual({
      isInSet: false,
      bondUt: 1_000_000,
      bondAvailableAt: left + 21 * 86_400,
      isSetAside: false,
      bannedUntil: 0,
      commitsExpected: 1,
      commitsSigned: 1,
      recentCommits: { height: 2, marks: "-1" },
    });
    const punished = commit(v3, { type: "SLASH", payload: { evidence: doubleVote(v2, 1) } }, [v2, v3, v4]);
    expect(validatorStatus(database, v2.pub, 200)).toMatchObject({ isInSet: false, bondUt: 900_000, bannedUntil: punished + 7 * 86_400 });
  });
});
