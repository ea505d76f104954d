// Validators that are missing from commits: counted block by block, set aside at every thousandth height, and back by themselves.
import { beforeEach, describe, expect, it } from "vitest";
import { countAbsences } from "#node/ledger/downtime.ts";
import { readAbsences, readSetAside } from "#node/ledger/records/absence-records.ts";
import { readSupply, readValidators } from "#node/ledger/records/records.ts";
import { readUnbonding, readValidatorRecord } from "#node/ledger/records/validator-records.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { cosignature, doubleVote, genesisWith, LedgerWorld, rotatingGenesis, rotationOf } from "#test/support/chain/ledger-payloads.ts";
import { type Actor, actor, alice } from "#test/support/worlds/ledger-world.ts";

const BOND = 1_000_000;
const MISSED = 950;
const six: readonly Actor[] = [11, 12, 13, 14, 15, 16].map(actor).toSorted((a, b) => (a.pub < b.pub ? -1 : 1));
const [v1, v2, v3, v4, v5, v6] = six as readonly [Actor, Actor, Actor, Actor, Actor, Actor];

let world: LedgerWorld;
beforeEach(() => {
  world = worldOf(six);
});

function worldOf(validators: readonly Actor[]): LedgerWorld {
  const fresh = new LedgerWorld(rotatingGenesis(validators, BOND));
  for (const { pub } of validators) fresh.run(alice, { type: "TRANSFER", to: pub, amount: 100_000, payload: {} });
  fresh.height = 0;
  return fresh;
}

const set = (): ValidatorSet => readValidators(world.state);
const isMember = ({ pub }: Actor): boolean => set().some(({ publicKey }) => publicKey === pub);

function commitWithout(validators: ValidatorSet, missing: readonly Actor[]): Commit {
  const bitmap = new Uint8Array(Math.ceil(validators.length / 8));
  const signing = validators.flatMap(({ publicKey }, index) => (missing.some(({ pub }) => pub === publicKey) ? [] : [index]));
  for (const index of signing) bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7));
  const signatures = signing.map(() => new Uint8Array(64));
  return { height: world.height - 1, round: 0, blockHash: "ab".repeat(32), bitmap, signatures } as unknown as Commit;
}

/** Blocks that carry commits without some validators; `between` acts in the last of them. */
function pass(blocks: number, missing: readonly Actor[] = [], validators: ValidatorSet = set()): void {
  for (let left = blocks; left > 0; left -= 1) {
    world.height += 1;
    const commit = world.height === 1 ? null : commitWithout(validators, missing);
    countAbsences(world.state, { commit, validators }, world.context);
  }
}

const countOf = ({ pub }: Actor): number => readAbsences(world.state).find(({ publicKey }) => publicKey === pub)?.missed ?? 0;
const add = (sender: Actor, target: Actor = sender): Receipt =>
  world.run(sender, { type: "ADD_VALIDATOR", payload: { pub_key: target.pub } });

describe("absences", () => {
  it("are counted of the commits that blocks carry, and forgotten every thousand blocks", () => {
    pass(1, [v1]);
    expect(readAbsences(world.state)).toEqual([]);
    pass(9, [v1, v3]);
    expect(readAbsences(world.state)).toEqual([v1, v3].map(({ pub: publicKey }) => ({ publicKey, missed: 9 })));
    pass(989);
    expect(countOf(v1)).toBe(9);
    pass(1);
    expect(readAbsences(world.state)).toEqual([]);
  });

  it("leave the state alone while none is missing", () => {
    const before = world.state.changes().length;
    pass(999);
    expect(world.state.changes().length).toBe(before);
  });

  it("are forgotten of a key that leaves the set", () => {
    pass(10, [v1]);
    world.run(v1, { type: "REMOVE_VALIDATOR", payload: { pub_key: v1.pub } });
    pass(1);
    expect(readAbsences(world.state)).toEqual([]);
  });

  it("go with a key that is replaced, also those of the commit on its way", () => {
    pass(10, [v1]);
    const next = actor(31);
    const before = set();
    world.run(v1, { type: "ROTATE_KEY", payload: rotationOf(v1, next) });
    expect(countOf(next)).toBe(9);
    pass(1, [v1], before);
    expect(readAbsences(world.state)).toEqual([{ publicKey: next.pub, missed: 10 }]);
  });

  it("do not count in a network of an earlier version", () => {
    const params = firstParams(genesisWith(six).params);
    const carried = { commit: commitWithout(set(), [v1]), validators: set() };
    countAbsences(world.state, carried, { height: 5, timeMs: world.timeMs, params });
    expect(readAbsences(world.state)).toEqual([]);
  });
});

describe("a validator that is gone", () => {
  it("is set aside at the thousandth height, with its bond locked and nothing lost", () => {
    const supply = readSupply(world.state);
    pass(1);
    pass(MISSED, [v1]);
    pass(48);
    expect(isMember(v1)).toBe(true);
    pass(1);
    expect(world.height).toBe(1_000);
    expect(isMember(v1)).toBe(false);
    expect(readSetAside(world.state, v1.pub)).toBe(1_000);
    expect(readUnbonding(world.state, v1.pub)).toEqual({ amountUt: BOND, availableAt: world.now + 21 * 86_400 });
    expect(readValidatorRecord(world.state, v1.pub).terms).toEqual([{ from: 0, to: 1_000 }]);
    expect(readSupply(world.state)).toBe(supply);
  });

  it("stays with one absence less", () => {
    pass(1);
    pass(MISSED - 1, [v1]);
    pass(50);
    expect(isMember(v1)).toBe(true);
  });

  it("counts with the commit of the thousandth block", () => {
    pass(50);
    pass(MISSED, [v1]);
    expect([world.height, isMember(v1)]).toEqual([1_000, false]);
  });

  it.each([
    [6, 2],
    [7, 2],
    [5, 1],
    [4, 0],
    [12, 4],
  ])("of %d at most %d are set aside at once, those who missed most first", (size, most) => {
    const all = Array.from({ length: size }, (_, n) => actor(40 + n)).toSorted((a, b) => (a.pub < b.pub ? -1 : 1));
    world = worldOf(all);
    const gone = all.slice(0, Math.ceil(size / 2));
    const last = gone.at(-1) as Actor;
    pass(2);
    pass(1, [last]);
    pass(997, gone);
    expect(set()).toHaveLength(size - most);
    if (most > 0) expect(isMember(last)).toBe(false);
    if (most > 1) expect(gone.slice(0, most - 1).some(isMember)).toBe(false);
  });

  it("returns by its own transaction alone, with its bond", () => {
    pass(1_000, [v1]);
    expect(add(v2, v1).isOk).toBe(true);
    expect(isMember(v1)).toBe(false);
    expect(add(v1).isOk).toBe(true);
    expect(set()).toContainEqual({ publicKey: v1.pub, bondUt: BOND });
    expect([readSetAside(world.state, v1.pub), readUnbonding(world.state, v1.pub)]).toEqual([undefined, undefined]);
    expect(readValidatorRecord(world.state, v1.pub).terms.at(-1)).toEqual({ from: world.height + 1, to: undefined });
    pass(999, [v1]);
    pass(1, [v1]);
    expect(isMember(v1)).toBe(false);
  });

  it("may consent by a cosignature", () => {
    pass(1_000, [v1]);
    const payload = { pub_key: v1.pub, cosigs: [cosignature(v1, "add", v1, world.now + 1)] };
    expect(world.run(alice, { type: "ADD_VALIDATOR", payload }).isOk).toBe(true);
    expect(isMember(v1)).toBe(true);
  });

  it("needs approvals again once it has its bond back, or contradicted itself", () => {
    pass(1_000, [v1, v2]);
    world.run(v3, { type: "SLASH", payload: { evidence: doubleVote(v1, 500) } });
    world.pass(21 * 86_400);
    world.run(v2, { type: "REMOVE_VALIDATOR", payload: { pub_key: v2.pub } });
    for (const gone of [v1, v2]) {
      add(gone);
      expect(isMember(gone)).toBe(false);
    }
  });

  it("of its own will needs approvals to return", () => {
    world.run(v6, { type: "REMOVE_VALIDATOR", payload: { pub_key: v6.pub } });
    add(v6);
    expect([isMember(v6), isMember(v4), isMember(v5)]).toEqual([false, true, true]);
  });
});
