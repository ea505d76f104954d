// The validator set over real blocks: whatever is asked for, block after block, the set is the model's, and headers, commits and
// storage agree about who votes when.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { createBlockExecutor } from "#node/engine/execution/block-executor.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { verifyCommit } from "#shared/protocol/chain/vote.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { expectReplayable, expectSupplyConserved } from "#test/support/chain/chain-invariants.ts";
import { LedgerModel, type ModelStep } from "#test/support/chain/ledger-model.ts";
import { cosignature, doubleVote, genesisWith } from "#test/support/chain/ledger-payloads.ts";
import { commitNow, commitOf, pendingList } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { type Actor, actor, alice, bob, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const DAY = 86_400;
const BOND = 1_000_000;
const FEE = 1_000;
const MEMBERS = [11, 12, 13, 14].map(actor);
const PEOPLE: readonly Actor[] = [...MEMBERS, actor(15), alice, bob];
const BY_KEY = new Map(PEOPLE.map((person) => [person.pub, person]));
const RUNS = extent(4, 10);
const SEED = 20_260_202;

type Change = Extract<ModelStep, { readonly kind: "add" | "remove" | "slash" }>;

/** A block: how long after its parent, and what stands in it. */
interface PlannedBlock {
  readonly afterS: number;
  readonly changes: readonly Change[];
}

const person = fc.constantFrom(...PEOPLE.map(({ pub }) => pub));
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom("add" as const, "remove" as const),
      from: person,
      target: person,
      cosigners: fc.uniqueArray(person, { maxLength: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("slash" as const),
      from: person,
      offender: person,
      height: fc.integer({ min: 1, max: 12 }),
      round: fc.nat({ max: 1 }),
    }),
  },
);
const plannedBlock: fc.Arbitrary<PlannedBlock> = fc.record({
  afterS: fc.constantFrom(1, 60, DAY, 8 * DAY, 22 * DAY),
  changes: fc.array(change, { minLength: 1, maxLength: 4 }),
});

let folder: TemporaryFolder;
let runs = 0;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

function of(key: string): Actor {
  const found = BY_KEY.get(key);
  if (found === undefined) throw new Error(`no actor has the key ${key}`);
  return found;
}

function transactionOf(step: Change, timeMs: number): Transaction {
  const sender = of(step.from);
  if (step.kind === "slash")
    return signed(sender, { type: "SLASH", payload: { evidence: doubleVote(of(step.offender), step.height, step.round) }, nowMs: timeMs });
  const now = Math.floor(timeMs / 1_000);
  const cosigs = step.cosigners.map((cosigner) => cosignature(of(cosigner), step.kind, of(step.target), now));
  const type = step.kind === "add" ? "ADD_VALIDATOR" : "REMOVE_VALIDATOR";
  return signed(sender, { type, payload: { pub_key: step.target, cosigs }, nowMs: timeMs });
}

/** A chain whose blocks are signed by those of the set that suffice, the last ones first. */
class SetChain implements Disposable {
  readonly genesis: Genesis;
  readonly database;
  readonly executor;
  readonly source = pendingList();

  constructor(directory: string) {
    this.genesis = { ...genesisWith(MEMBERS, BOND), accounts: PEOPLE.map(({ pub }) => ({ pub_key: pub, balance_ut: 3 * BOND })) };
    this.database = openChainDatabase(directory, { chainId: this.genesis.chain_id, genesisHash: genesisHash(this.genesis) });
    const verify = createNativeVerifier();
    this.executor = createBlockExecutor({ database: this.database, genesis: this.genesis, source: this.source, verify });
  }

  /** What a node that starts now calculates from what is stored. */
  restarted(): SetChain["executor"] {
    const { database, genesis, source } = this;
    return createBlockExecutor({ database, genesis, source, verify: createNativeVerifier() });
  }

  setAt(height: number): ValidatorSet {
    return this.database.validatorSets.at(height);
  }

  commit(transactions: readonly Transaction[], timeMs: number): ReturnType<SetChain["executor"]["buildBlock"]>["block"] {
    const { height, nextValidators: set, proposers } = this.executor.tip();
    // At some heights the first one misses its turn.
    const proposer = set[proposers[height % 3 === 0 ? proposers.length - 1 : 0] ?? 0]?.publicKey ?? "";
    this.source.pending.push(...transactions);
    const { block } = this.executor.buildBlock({ timeMs, proposer });
    this.source.pending.length = 0;
    // Just enough of them, the last ones: those before are not needed.
    const needed = Math.floor((2 * set.length) / 3) + 1;
    const signers = [...set.entries()].slice(-needed).map(([index, { publicKey }]): readonly [number, Actor] => [index, of(publicKey)]);
    commitNow(this.executor, block, commitOf(block, signers, { size: set.length }));
    return block;
  }

  [Symbol.dispose](): void {
    this.database.close();
  }
}

function setOf(model: LedgerModel): ValidatorSet {
  return [...model.bonds].map(([publicKey, bondUt]) => ({ publicKey, bondUt })).sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1));
}

/** Runs the plan on chain and model; counts what changed the set. */
function follow(plan: readonly PlannedBlock[], directory: string): number {
  using chain = new SetChain(directory);
  const balances = Object.fromEntries(PEOPLE.map(({ pub }) => [pub, 3 * BOND]));
  const model = new LedgerModel({ balances, validators: MEMBERS.map(({ pub }) => pub), bondUt: BOND, rewardUt: 50_000 });
  let timeMs = START_MS;
  let changes = 0;
  for (const { afterS, changes: steps } of plan) {
    timeMs += afterS * 1_000;
    const height = chain.executor.tip().height + 1;
    const before = chain.setAt(height);
    model.begin(height, Math.floor(timeMs / 1_000));
    const block = chain.commit(
      steps.map((step) => transactionOf(step, timeMs)),
      timeMs,
    );
    expect(chain.restarted().tip()).toEqual(chain.executor.tip());
    const expected = steps.map((step) => model.run(step, FEE, FEE)).filter((outcome) => outcome !== "not included");
    model.end(block.header.proposer, expected.length * FEE);
    const receipts = chain.database.blocks.get(height)?.receipts ?? [];
    expect(receipts.map(({ isOk }) => isOk)).toEqual(expected);
    const after = chain.setAt(height + 1);
    expect(after).toEqual(setOf(model));
    expect(after.length).toBeGreaterThan(0);
    expect(block.header).toMatchObject({ validatorsHash: validatorsHash(before), nextValidatorsHash: validatorsHash(after) });
    const commit = chain.database.blocks.get(height)?.commit;
    if (commit !== undefined && commit !== null)
      expect(verifyCommit(chain.genesis.chain_id, before, commit, createNativeVerifier())).toBe(true);
    if (validatorsHash(before) !== validatorsHash(after)) changes += 1;
  }
  expectSupplyConserved(chain.database);
  expectReplayable(chain.database, chain.genesis);
  return changes;
}

describe("the validator set over blocks", () => {
  it("is the one of the model, from the next height on, whatever several transactions of a block do to it", () => {
    let changes = 0;
    fc.assert(
      fc.property(fc.array(plannedBlock, { minLength: 6, maxLength: 14, size: "max" }), (plan) => {
        runs += 1;
        changes += follow(plan, `${folder.path}/${runs}`);
      }),
      { numRuns: RUNS, seed: SEED },
    );
    // Plans that change nothing would prove nothing.
    expect(changes).toBeGreaterThan(RUNS);
  });

  it("takes the changes of one block together, and none of them before its end", () => {
    const [v1, v2, v3, v4] = MEMBERS as [Actor, Actor, Actor, Actor];
    const cosigners = MEMBERS.map(({ pub }) => pub);
    const add: Change = { kind: "add", from: alice.pub, target: alice.pub, cosigners };
    const leave = (who: Actor): Change => ({ kind: "remove", from: who.pub, target: who.pub, cosigners: [] });
    expect(
      follow(
        [
          { afterS: 1, changes: [add, leave(v1), leave(v2)] },
          { afterS: 1, changes: [leave(v3)] },
          { afterS: 1, changes: [leave(v4)] },
          { afterS: 1, changes: [leave(alice)] },
        ],
        `${folder.path}/together`,
      ),
    ).toBe(3);
  });
});
