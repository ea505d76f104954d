// ROTATE_KEY: a validator's place and bond go to a new key, and what the old one signed stays punishable.
import { beforeEach, describe, expect, it } from "vitest";
import { applyTransaction } from "#node/ledger/execute.ts";
import { readNodeCounters, readWallet } from "#node/ledger/records/node-records.ts";
import { readSupply, readValidators } from "#node/ledger/records/records.ts";
import { isReplaced, liableKey, presentKey, readRotation } from "#node/ledger/records/rotation-records.ts";
import { readApprovals, readUnbonding, readValidatorRecord } from "#node/ledger/records/validator-records.ts";
import { reportedMember } from "#node/mempool/reported-member.ts";
import { ROTATION_BLOCKS, ROTATION_VERSION, UNBONDING_S } from "#shared/protocol/primitives/limits.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { heldUt } from "#test/support/chain/held-ut.ts";
import {
  bindingOf,
  cosignature,
  doubleVote,
  genesisWith,
  LedgerWorld,
  rotatingGenesis,
  rotationOf,
} from "#test/support/chain/ledger-payloads.ts";
import { type Actor, actor, alice, bob, carol, signed } from "#test/support/worlds/ledger-world.ts";

const DAY = 86_400;
const BOND = 1_000_000;
const four: readonly Actor[] = [11, 12, 13, 14].map(actor);
const [v1, v2, v3, v4] = four as readonly [Actor, Actor, Actor, Actor];
const [next, later] = [21, 22].map(actor) as [Actor, Actor];

let world: LedgerWorld;
beforeEach(() => {
  world = worldOf();
});

function worldOf(validators = four): LedgerWorld {
  const fresh = new LedgerWorld(rotatingGenesis(validators, BOND));
  for (const { pub } of [...validators, next, later]) fresh.run(alice, { type: "TRANSFER", to: pub, amount: 100_000, payload: {} });
  return fresh;
}

const rotate = (present: Actor, to: Actor): Receipt => world.run(present, { type: "ROTATE_KEY", payload: rotationOf(present, to) });
const members = (): readonly string[] => readValidators(world.state).map(({ publicKey }) => publicKey);
const slash = (offender: Actor, height: number, reporter: Actor = carol, fee = 1_000): Receipt =>
  world.run(reporter, { type: "SLASH", fee, payload: { evidence: doubleVote(offender, height) } });
const passBlocks = (count: number): void => {
  world.height += count;
};
/** What no one holds: the fees, as no block pays them to its proposer here. */
const missingUt = (): number => readSupply(world.state) - heldUt(world.state);

describe("a rotation", () => {
  it("moves place, bond and term to the new key from the next height on", () => {
    const { height } = world;
    const before = missingUt();
    expect(rotate(v1, next)).toMatchObject({ isOk: true, touched: [next.pub] });
    expect(members()).toEqual([next, v2, v3, v4].map(({ pub }) => pub).sort());
    expect(readValidators(world.state)).toContainEqual({ publicKey: next.pub, bondUt: BOND });
    expect(readValidatorRecord(world.state, v1.pub).terms).toEqual([{ from: 0, to: height }]);
    expect(readValidatorRecord(world.state, next.pub)).toEqual({
      changedAt: world.now,
      bannedUntil: 0,
      terms: [{ from: height + 1, to: undefined }],
    });
    expect(readUnbonding(world.state, v1.pub)).toBeUndefined();
    expect(readRotation(world.state, v1.pub)).toEqual({
      ...{ previous: undefined, height: 0, first: undefined },
      ...{ present: next.pub, replacedAt: world.now },
    });
    expect(readRotation(world.state, next.pub)).toEqual({
      ...{ previous: v1.pub, height, first: v1.pub },
      ...{ present: undefined, replacedAt: 0 },
    });
    expect(missingUt()).toBe(before + 1_000);
  });

  it("needs both keys: the new one for this validator on this chain", () => {
    const stolen = { ...rotationOf(v2, next) };
    expect(world.problemOf(v1, { type: "ROTATE_KEY", payload: stolen })?.code).toBe("TX_SIGNATURE");
    const renamed = { ...rotationOf(v1, next), new_pub: later.pub };
    expect(world.problemOf(v1, { type: "ROTATE_KEY", payload: renamed })?.code).toBe("TX_SIGNATURE");
    const unusable = { ...rotationOf(v1, next), new_pub: `01${"00".repeat(31)}` };
    expect(world.problemOf(v1, { type: "ROTATE_KEY", payload: unusable })?.message).toContain("not a usable");
  });

  it("is for validators, and to a key that never was one", () => {
    expect(rotate(bob, next).code).toBe("NOT_A_VALIDATOR");
    expect(rotate(v1, v1).code).toBe("VALIDATOR_KEY_USED");
    expect(rotate(v1, v2).code).toBe("VALIDATOR_KEY_USED");
    world.run(v4, { type: "REMOVE_VALIDATOR", payload: { pub_key: v4.pub } });
    expect(rotate(v1, v4).code).toBe("VALIDATOR_KEY_USED");
    rotate(v1, next);
    expect(rotate(v2, v1).code).toBe("VALIDATOR_KEY_USED");
    expect(rotate(v1, later).code).toBe("NOT_A_VALIDATOR");
  });

  it("goes to no key that joined and left within one block, even long after its bond came back", () => {
    world.run(alice, { type: "TRANSFER", to: later.pub, amount: 2 * BOND, payload: {} });
    const cosigs = [v1, v2, v3].map((signer) => cosignature(signer, "add", later, world.now));
    expect(world.run(later, { type: "ADD_VALIDATOR", payload: { pub_key: later.pub, cosigs } }).isOk).toBe(true);
    const leave = (): Receipt => world.run(later, { type: "REMOVE_VALIDATOR", payload: { pub_key: later.pub } });
    expect(leave().isOk).toBe(true);
    expect(members()).not.toContain(later.pub);
    world.pass(UNBONDING_S);
    expect(leave().isOk).toBe(true);
    expect(readUnbonding(world.state, later.pub)).toBeUndefined();
    expect(readValidatorRecord(world.state, later.pub).terms).toEqual([]);
    expect(rotate(v1, later).code).toBe("VALIDATOR_KEY_USED");
  });

  it("is possible once in 1,000 blocks", () => {
    rotate(v1, next);
    passBlocks(ROTATION_BLOCKS - 1);
    expect(rotate(next, later).code).toBe("ROTATION_TOO_SOON");
    expect(rotate(v2, actor(31)).isOk).toBe(true);
    passBlocks(1);
    expect(rotate(next, later).isOk).toBe(true);
    expect(presentKey(world.state, v1.pub)).toBe(later.pub);
  });

  it("is found in two steps however many keys there were", () => {
    const keys = [v1, ...Array.from({ length: 6 }, (_, index) => actor(40 + index))];
    for (const { pub } of keys) world.run(alice, { type: "TRANSFER", to: pub, amount: 100_000, payload: {} });
    for (const [index, key] of keys.slice(1).entries()) {
      expect(rotate(keys[index] ?? v1, key).isOk).toBe(true);
      passBlocks(ROTATION_BLOCKS);
    }
    let reads = 0;
    const reader = {
      next: (...of: Parameters<typeof world.state.next>): ReturnType<typeof world.state.next> => world.state.next(...of),
      get: (...of: Parameters<typeof world.state.get>): Uint8Array | undefined => {
        reads += 1;
        return world.state.get(...of);
      },
    };
    const last = keys.at(-1)?.pub;
    for (const { pub } of keys) expect(presentKey(reader, pub)).toBe(last);
    expect(reads).toBe(2 * keys.length);
    expect(keys.slice(0, -1).every(({ pub }) => isReplaced(world.state, pub))).toBe(true);
    expect(isReplaced(world.state, last ?? "")).toBe(false);
  });

  it("never lets the old key validate again", () => {
    rotate(v1, next);
    const payload = { pub_key: v1.pub, cosigs: [next, v2, v3].map((signer) => cosignature(signer, "add", v1, world.now)) };
    expect(world.run(alice, { type: "ADD_VALIDATOR", payload }).code).toBe("VALIDATOR_KEY_REPLACED");
  });

  it("takes the wallet along, unless the new key has one", () => {
    world.run(v1, { type: "BIND_WALLET", payload: bindingOf(v1, bob) });
    world.run(v2, { type: "BIND_WALLET", payload: bindingOf(v2, bob) });
    world.run(later, { type: "BIND_WALLET", payload: bindingOf(later, carol) });
    rotate(v1, next);
    rotate(v2, later);
    expect([next, later].map(({ pub }) => readWallet(world.state, pub))).toEqual([bob.pub, carol.pub]);
  });

  it("is no way out of a removal, and drops approvals for the new key to join", () => {
    for (const sender of [v2, v3]) world.run(sender, { type: "REMOVE_VALIDATOR", payload: { pub_key: v1.pub } });
    world.run(v2, { type: "ADD_VALIDATOR", payload: { pub_key: next.pub } });
    rotate(v1, next);
    expect(readApprovals(world.state, "remove", v1.pub)).toEqual([]);
    expect(readApprovals(world.state, "add", next.pub)).toEqual([]);
    expect(readApprovals(world.state, "remove", next.pub).map(({ approver }) => approver)).toEqual([v2.pub, v3.pub].sort());
    world.run(v4, { type: "REMOVE_VALIDATOR", payload: { pub_key: next.pub } });
    expect(members()).not.toContain(next.pub);
    expect(readUnbonding(world.state, next.pub)?.amountUt).toBe(BOND);
  });

  it("keeps the ban of a last validator", () => {
    world = worldOf([v1]);
    slash(v1, 1, carolWithMoney());
    rotate(v1, next);
    expect(readValidatorRecord(world.state, next.pub).bannedUntil).toBe(world.now + 7 * DAY);
  });

  it("is in no block of a network of an earlier version", () => {
    world = new LedgerWorld(genesisWith(four, BOND));
    world.run(alice, { type: "TRANSFER", to: v1.pub, amount: 100_000, payload: {} });
    const tx = signed(v1, { type: "ROTATE_KEY", payload: rotationOf(v1, next), nowMs: world.timeMs });
    const outcome = applyTransaction(world.state, tx, world.context);
    expect(outcome).toMatchObject({ isIncluded: false, code: "TX_REJECTED" });
    expect(JSON.stringify(outcome)).toContain(`version ${ROTATION_VERSION}`);
  });
});

function carolWithMoney(): Actor {
  world.run(alice, { type: "TRANSFER", to: carol.pub, amount: 100_000, payload: {} });
  return carol;
}

describe("what the old key signed", () => {
  beforeEach(() => {
    world.height = 50;
    carolWithMoney();
    rotate(v1, next);
  });

  it("costs the bond that the new key has, and its place", () => {
    const before = missingUt();
    world.pass(21 * DAY - 1);
    expect(slash(v1, 50)).toMatchObject({ isOk: true });
    expect(missingUt()).toBe(before + 1_000);
    expect(members()).not.toContain(next.pub);
    expect(readUnbonding(world.state, next.pub)?.amountUt).toBe(BOND - BOND / 10);
    expect(readValidatorRecord(world.state, next.pub).bannedUntil).toBe(world.now + 7 * DAY);
    expect(readNodeCounters(world.state, next.pub).slashCount).toBe(1);
    expect(slash(v1, 50).code).toBe("OFFENCE_PUNISHED");
  });

  it("costs nothing of the new key's after 21 days, as with one that left", () => {
    world.pass(21 * DAY);
    expect(slash(v1, 50)).toMatchObject({ isOk: true });
    expect(readValidators(world.state)).toContainEqual({ publicKey: next.pub, bondUt: BOND });
  });

  it("is judged by the heights at which it voted", () => {
    expect(slash(v1, 51).code).toBe("OFFENCE_UNPROVEN");
    expect(slash(next, 50).code).toBe("OFFENCE_UNPROVEN");
    world.height = 60;
    expect(slash(next, 51).isOk).toBe(true);
  });

  it("is followed over further rotations, and to a bond on its way back", () => {
    world.height += ROTATION_BLOCKS;
    rotate(next, later);
    expect(liableKey(world.state, v1.pub, world.now)).toBe(later.pub);
    world.run(later, { type: "REMOVE_VALIDATOR", payload: { pub_key: later.pub } });
    slash(v1, 20);
    expect(readUnbonding(world.state, later.pub)?.amountUt).toBe(BOND - BOND / 10);
  });

  it("is reported without a fee by another validator, never by its own new key", () => {
    expect(slash(v2, 10, next, 0).isOk).toBe(true);
    const own = signed(next, { type: "SLASH", fee: 0, payload: { evidence: doubleVote(v1, 20) }, nowMs: world.timeMs });
    expect(applyTransaction(world.state, own, world.context)).toMatchObject({ isIncluded: false, code: "TX_REJECTED" });
    const report = signed(v3, { type: "SLASH", fee: 0, payload: { evidence: doubleVote(v1, 20) }, nowMs: world.timeMs });
    expect(reportedMember(report, world.state)).toBe(next.pub);
    expect(applyTransaction(world.state, report, world.context)).toMatchObject({ isIncluded: true, receipt: { isOk: true } });
  });

  it("cannot be reported for free once it costs nothing", () => {
    world.pass(21 * DAY);
    const report = signed(v3, { type: "SLASH", fee: 0, payload: { evidence: doubleVote(v1, 20) }, nowMs: world.timeMs });
    expect(applyTransaction(world.state, report, world.context)).toMatchObject({ isIncluded: false, code: "TX_REJECTED" });
  });

  it.each([
    ["the old key", (): Actor => v1],
    ["the new key", (): Actor => next],
  ])("wins nothing back when %s reports it", (_name, reporter) => {
    const supplyUt = readSupply(world.state);
    slash(v1, 20, reporter());
    expect(readSupply(world.state)).toBe(supplyUt - BOND / 10);
  });
});
