// UPGRADE: approvals of a change of the network, its bounds, when it becomes active, and that it is there for every later block.
import { beforeEach, describe, expect, it } from "vitest";
import { applyTransaction } from "#node/ledger/execute.ts";
import {
  paramsAfter,
  readParams,
  readParamsOf,
  readPendingUpgrade,
  readUpgradedAt,
  readUpgradeProposals,
} from "#node/ledger/records/params-records.ts";
import { firstParams, PARAM_BOUNDS, PARAM_NAMES, type ParamName, paramsHash, reachableValues } from "#shared/protocol/primitives/params.ts";
import type { Cosignature } from "#shared/protocol/transactions/payload.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { genesisWith, LedgerWorld, type UpgradeWish, upgradeCosignature } from "#test/support/chain/ledger-payloads.ts";
import { type Actor, actor, alice, bob, GENESIS } from "#test/support/worlds/ledger-world.ts";

const DAY = 86_400;
const FIRST = firstParams(GENESIS.params);
const WISH: UpgradeWish = { set: { min_fee_ut: 2_000 }, at_height: 5 };
const four: readonly Actor[] = [11, 12, 13, 14].map(actor);
const [v1, v2, v3, v4] = four as readonly [Actor, Actor, Actor, Actor];

let world: LedgerWorld;
beforeEach(() => {
  world = new LedgerWorld(genesisWith(four));
  for (const { pub } of four) world.run(alice, { type: "TRANSFER", to: pub, amount: 1_000_000, payload: {} });
});

const approve = (sender: Actor, wish: UpgradeWish = WISH, cosigs?: readonly Cosignature[]): Receipt =>
  world.run(sender, { type: "UPGRADE", fee: 10_000, payload: { ...wish, ...(cosigs === undefined ? {} : { cosigs }) } });
const decide = (wish: UpgradeWish = WISH): void => {
  for (const sender of [v1, v2, v3]) expect(approve(sender, wish)).toMatchObject({ isOk: true });
};
const cosigned = (signers: readonly Actor[], at = world.now, wish = WISH): readonly Cosignature[] =>
  signers.map((signer) => upgradeCosignature(signer, wish, at));
const approvers = (): readonly (readonly string[])[] =>
  readUpgradeProposals(world.state).map(({ approvals }) => approvals.map(({ approver }) => approver));

describe("approvals of an upgrade", () => {
  it("need more than two thirds of the set, and then it is pending", () => {
    for (const sender of [v1, v2, v2]) expect(approve(sender).isOk).toBe(true);
    expect(approvers()).toEqual([[v1.pub, v2.pub].sort()]);
    expect(readPendingUpgrade(world.state)).toBeUndefined();
    approve(v3);
    const upgrade = { set: [{ name: "min_fee_ut", value: 2_000 }], version: null, atHeight: 5 };
    expect(readPendingUpgrade(world.state)).toEqual({ upgrade, approvedAt: world.now });
    expect(readUpgradedAt(world.state)).toBe(world.now);
    expect(approvers()).toEqual([]);
  });

  it("come by cosignature too, in the domain of upgrades and for this change alone", () => {
    expect(approve(bob, WISH, cosigned([v1, v2, v4])).isOk).toBe(true);
    expect(readPendingUpgrade(world.state)?.upgrade.atHeight).toBe(5);
    const other = upgradeCosignature(v1, { ...WISH, at_height: 6 }, world.now);
    const payload = { ...WISH, cosigs: [other] };
    expect(world.problemOf(bob, { type: "UPGRADE", payload })?.code).toBe("TX_SIGNATURE");
  });

  it("count of validators only, and within their time", () => {
    expect(approve(alice).code).toBe("NO_APPROVAL");
    expect(approve(bob, WISH, cosigned([alice])).code).toBe("NO_APPROVAL");
    expect(approve(bob, WISH, cosigned([v1], world.now - 7 * DAY)).code).toBe("NO_APPROVAL");
    expect(approve(bob, WISH, cosigned([v1], world.now + 3_601)).code).toBe("NO_APPROVAL");
    expect(approve(bob, WISH, cosigned([v1], world.now + 3_600)).isOk).toBe(true);
  });

  it("are forgotten after seven days, and when their giver leaves", () => {
    approve(v1);
    world.pass(7 * DAY);
    approve(v2);
    expect(approvers()).toEqual([[v2.pub]]);
    world.run(v2, { type: "REMOVE_VALIDATOR", payload: { pub_key: v2.pub } });
    approve(v3);
    expect(approvers()).toEqual([[v3.pub]]);
  });

  it("are one a validator: a later one for another change withdraws the earlier one, an older cosignature does not", () => {
    const other: UpgradeWish = { set: { max_block_txs: 8_000 }, at_height: 9 };
    const early = cosigned([v1], world.now - 10);
    approve(v1, other);
    expect(approve(bob, WISH, early).code).toBe("NO_APPROVAL");
    approve(v2);
    expect(approvers()).toEqual([[v1.pub], [v2.pub]]);
    approve(v1);
    expect(readUpgradeProposals(world.state).map(({ upgrade }) => upgrade.atHeight)).toEqual([5]);
    expect(approvers()).toEqual([[v1.pub, v2.pub].sort()]);
  });

  it("that were given before a decision do not count after it", () => {
    world.pass(60);
    const old = cosigned([v1, v2, v3], world.now - 30);
    decide();
    decide({ set: {}, at_height: 1 });
    expect(readPendingUpgrade(world.state)).toBeUndefined();
    expect(approve(bob, WISH, old).code).toBe("NO_APPROVAL");
  });
});

describe("approvals by clocks that are ahead", () => {
  it("count for one decision: once it is taken back, no one brings it back with them", () => {
    const ahead = cosigned([v1, v2, v3], world.now + 1_800);
    expect(approve(bob, WISH, ahead).isOk).toBe(true);
    expect(readPendingUpgrade(world.state)).toBeDefined();
    expect(readUpgradedAt(world.state)).toBe(world.now + 1_800);
    decide({ set: {}, at_height: 1 });
    expect(readPendingUpgrade(world.state)).toBeUndefined();
    world.pass(60);
    expect(approve(bob, WISH, ahead).code).toBe("NO_APPROVAL");
    // Their own transactions count at once.
    decide();
    expect(readPendingUpgrade(world.state)).toBeDefined();
  });
});

describe("what an upgrade may change", () => {
  it.each(PARAM_NAMES)("%s stays within its bounds and within half and twice of what holds", (name) => {
    const [least, most] = reachableValues(name, FIRST[name]);
    const tried = (value: number): string | undefined => {
      const draft = { type: "UPGRADE" as const, fee: 10_000, payload: { set: { [name]: value }, at_height: 1 } };
      const problem = world.problemOf(v1, draft);
      return problem === undefined ? world.run(v1, draft).code : problem.code;
    };
    expect(tried(least)).toBe(least === FIRST[name] ? "UPGRADE_EMPTY" : "");
    expect(tried(most)).toBe(most === FIRST[name] ? "UPGRADE_EMPTY" : "");
    expect(tried(least - 1)).toMatch(/UPGRADE_OUT_OF_REACH|TX_MALFORMED/);
    expect(tried(most + 1)).toMatch(/UPGRADE_OUT_OF_REACH|TX_MALFORMED/);
    const [lowest, highest] = PARAM_BOUNDS[name];
    expect(tried(lowest - 1)).toBe("TX_MALFORMED");
    if (highest < Number.MAX_SAFE_INTEGER) expect(tried(highest + 1)).toBe("TX_MALFORMED");
  });

  it.each<[ParamName, number, readonly [number, number]]>([
    ["block_reward_ut", 50_000, [25_000, 50_000]],
    ["block_reward_ut", 1, [0, 1]],
    ["min_block_interval_ms", 0, [0, 1]],
    ["min_block_interval_ms", 7, [3, 14]],
    ["heartbeat_interval_ms", 60_000, [30_000, 120_000]],
    ["max_block_bytes", 2_097_152, [1_048_576, 4_194_304]],
    ["max_block_txs", 4_096, [2_048, 8_190]],
    ["max_block_gas", 100_000_000, [50_000_000, 200_000_000]],
    ["min_fee_ut", 1, [1, 2]],
    ["retention_s", 1_814_400, [1_814_400, 3_628_800]],
  ])("%s of %d may become %j", (name, current, range) => {
    expect(reachableValues(name, current)).toEqual(range);
  });

  it("refuses unknown parameters, the bond, and versions that are not later", () => {
    const problem = (payload: object): string | undefined => world.problemOf(v1, { type: "UPGRADE", payload: payload as never })?.code;
    expect(problem({ set: { validator_bond_ut: 1 }, at_height: 1 })).toBe("TX_MALFORMED");
    expect(problem({ set: { anything: 1 }, at_height: 1 })).toBe("TX_MALFORMED");
    expect(problem({ set: {}, at_height: 0 })).toBe("TX_MALFORMED");
    expect(problem({ set: {}, version: 65_536, at_height: 1 })).toBe("TX_MALFORMED");
    expect(approve(v1, { set: {}, version: FIRST.version, at_height: 1 }).code).toBe("UPGRADE_VERSION");
    expect(approve(v1, { set: {}, version: FIRST.version + 1, at_height: 1 }).isOk).toBe(true);
  });

  it("refuses to change nothing unless that cancels what is pending", () => {
    expect(approve(v1, { set: {}, at_height: 1 }).code).toBe("UPGRADE_EMPTY");
    expect(approve(v1, { set: { min_fee_ut: 1_000 }, at_height: 1 }).code).toBe("UPGRADE_EMPTY");
    decide();
    decide({ set: {}, at_height: 1 });
    expect(readPendingUpgrade(world.state)).toBeUndefined();
  });
});

describe("an approved upgrade", () => {
  const atHeight = (height: number, timeMs: number): number => paramsAfter(world.state, FIRST, { height: height - 1, timeMs }).min_fee_ut;

  it("is active from its height on, and not before a day of block time has passed", () => {
    decide();
    const dueMs = (world.now + DAY) * 1_000;
    expect(atHeight(5, dueMs - 1)).toBe(1_000);
    expect(atHeight(100, dueMs - 1)).toBe(1_000);
    expect(atHeight(4, dueMs)).toBe(1_000);
    expect(atHeight(5, dueMs)).toBe(2_000);
  });

  it("is written by the first block at which it holds, by its hash too", () => {
    decide();
    world.pass(DAY);
    expect(readParams(world.state, FIRST)).toBe(FIRST);
    while (world.height < 5) world.pass(1);
    const changed = { ...FIRST, min_fee_ut: 2_000 };
    expect(readParams(world.state, FIRST)).toEqual(changed);
    expect(readParamsOf(world.state, FIRST, paramsHash(changed))).toEqual(changed);
    expect(readParamsOf(world.state, FIRST, paramsHash(FIRST))).toBe(FIRST);
    expect(readParamsOf(world.state, FIRST, "00".repeat(32))).toBeUndefined();
    expect(readPendingUpgrade(world.state)).toBeUndefined();
    const paid = (fee: number): string => {
      const tx = world.signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, fee, payload: {} });
      const outcome = applyTransaction(world.state, tx, world.context);
      return outcome.isIncluded ? outcome.receipt.code : outcome.code;
    };
    expect(paid(1_999)).toBe("TX_FEE_TOO_LOW");
    expect(paid(2_000)).toBe("");
  });

  it("is replaced by the next one that is approved, whose day begins then", () => {
    decide();
    world.pass(DAY - 1);
    decide({ set: { min_fee_ut: 500 }, at_height: 2 });
    world.pass(1);
    world.pass(1);
    expect(readParams(world.state, FIRST)).toBe(FIRST);
    world.pass(DAY);
    world.pass(1);
    expect(readParams(world.state, FIRST).min_fee_ut).toBe(500);
  });

  it("counts from what holds then: the next one may double again", () => {
    decide();
    expect(approve(v1, { set: { min_fee_ut: 4_000 }, at_height: 1 }).code).toBe("UPGRADE_OUT_OF_REACH");
    while (world.height < 4) world.pass(DAY);
    world.pass(1);
    expect(approve(v1, { set: { min_fee_ut: 4_000 }, at_height: 1 }).isOk).toBe(true);
  });
});
