// ADD_VALIDATOR, REMOVE_VALIDATOR and SLASH: approvals, bonds, terms, offences.
import { beforeEach, describe, expect, it } from "vitest";
import { applyTransaction } from "#node/ledger/execute.ts";
import { readNodeCounters } from "#node/ledger/records/node-records.ts";
import { readSupply, readValidators } from "#node/ledger/records/records.ts";
import { readApprovals, readUnbonding, readValidatorRecord } from "#node/ledger/records/validator-records.ts";
import { MAX_VALIDATORS } from "#shared/protocol/primitives/limits.ts";
import type { ValidatorAction } from "#shared/protocol/transactions/authorisations.ts";
import type { Cosignature, Equivocation } from "#shared/protocol/transactions/payload.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { heldUt } from "#test/support/chain/held-ut.ts";
import { cosignature, doubleProposal, doubleVote, genesisWith, LedgerWorld } from "#test/support/chain/ledger-payloads.ts";
import { type Actor, actor, alice, bob, carol, dump } from "#test/support/worlds/ledger-world.ts";

const DAY = 86_400;
const BOND = 1_000_000;
const four: readonly Actor[] = [11, 12, 13, 14].map(actor);
const [v1, v2, v3, v4] = four as readonly [Actor, Actor, Actor, Actor];

let world: LedgerWorld;
beforeEach(() => {
  world = worldOf(four);
});

function worldOf(validators: readonly Actor[], bondUt = BOND): LedgerWorld {
  const fresh = new LedgerWorld(genesisWith(validators, bondUt));
  for (const { pub } of validators) fresh.run(alice, { type: "TRANSFER", to: pub, amount: 100_000, payload: {} });
  return fresh;
}

const change = (type: "ADD_VALIDATOR" | "REMOVE_VALIDATOR", sender: Actor, target: Actor, cosigs?: readonly Cosignature[]): Receipt =>
  world.run(sender, { type, payload: { pub_key: target.pub, ...(cosigs === undefined ? {} : { cosigs }) } });
const add = (sender: Actor, target: Actor, cosigs?: readonly Cosignature[]): Receipt => change("ADD_VALIDATOR", sender, target, cosigs);
const remove = (sender: Actor, target: Actor, cosigs?: readonly Cosignature[]): Receipt =>
  change("REMOVE_VALIDATOR", sender, target, cosigs);
const slash = (evidence: Equivocation, reporter: Actor = carol): Receipt => world.run(reporter, { type: "SLASH", payload: { evidence } });
const members = (): readonly string[] => readValidators(world.state).map(({ publicKey }) => publicKey);
const isMember = ({ pub }: Actor): boolean => members().includes(pub);
const cosigned = (action: ValidatorAction, target: Actor, signers: readonly Actor[], at = world.now): readonly Cosignature[] =>
  signers.map((signer) => cosignature(signer, action, target, at));

describe("ADD_VALIDATOR", () => {
  it("needs more than two thirds of the set and the candidate's own request, in any order, and then locks the bond", () => {
    for (const sender of [v1, v2, v3]) expect(add(sender, bob)).toMatchObject({ isOk: true, touched: [bob.pub] });
    expect(isMember(bob)).toBe(false);
    expect(readApprovals(world.state, "add", bob.pub).map(({ approver }) => approver)).toEqual([v1.pub, v2.pub, v3.pub].sort());
    expect(add(bob, bob).isOk).toBe(true);
    expect(readValidators(world.state)).toContainEqual({ publicKey: bob.pub, bondUt: BOND });
    expect(members()).toEqual([...members()].sort());
    expect(world.balance(bob)).toBe(10_000_000 - 1_000 - BOND);
    expect(readApprovals(world.state, "add", bob.pub)).toEqual([]);
    expect(readValidatorRecord(world.state, bob.pub).terms).toEqual([{ from: world.height + 1, to: undefined }]);
  });

  it("is not decided by two of four, nor by one approving three times", () => {
    add(bob, bob);
    for (const sender of [v1, v1, v1, v2]) add(sender, bob);
    expect(isMember(bob)).toBe(false);
    add(v3, bob);
    expect(isMember(bob)).toBe(true);
  });

  it("never locks the money of an account that did not ask", () => {
    for (const sender of four) add(sender, bob);
    expect(isMember(bob)).toBe(false);
    expect(world.balance(bob)).toBe(10_000_000);
  });

  it("is decided at once by a candidate that brings cosignatures", () => {
    expect(add(bob, bob, cosigned("add", bob, [v1, v2, v4])).isOk).toBe(true);
    expect(isMember(bob)).toBe(true);
  });

  it("is decided by anybody with the candidate's and the validators' cosignatures", () => {
    expect(add(carolWithMoney(), bob, cosigned("add", bob, [v1, v2])).isOk).toBe(true);
    expect(add(carol, bob, cosigned("add", bob, [v3])).isOk).toBe(true);
    expect(isMember(bob)).toBe(false);
    expect(add(carol, bob, cosigned("add", bob, [bob])).isOk).toBe(true);
    expect(isMember(bob)).toBe(true);
  });

  it("ignores cosignatures of strangers, and of times out of the window", () => {
    carolWithMoney();
    expect(add(carol, bob, cosigned("add", bob, [alice])).code).toBe("NO_APPROVAL");
    expect(add(carol, bob, cosigned("add", bob, [v1], world.now - 7 * DAY)).code).toBe("NO_APPROVAL");
    expect(add(carol, bob, cosigned("add", bob, [v1], world.now + 3_601)).code).toBe("NO_APPROVAL");
    expect(add(carol, bob, cosigned("add", bob, [v1], world.now + 3_600)).isOk).toBe(true);
  });

  it("counts cosignatures of clocks that are ahead for one change: no one adds again with them who left", () => {
    carolWithMoney();
    const ahead = cosigned("add", bob, [bob, v1, v2, v4], world.now + 1_800);
    expect(add(carol, bob, ahead).isOk).toBe(true);
    expect(isMember(bob)).toBe(true);
    remove(bob, bob);
    expect(isMember(bob)).toBe(false);
    world.pass(60);
    expect(add(carol, bob, ahead).code).toBe("NO_APPROVAL");
    expect(isMember(bob)).toBe(false);
  });

  it("forgets approvals after seven days of block time", () => {
    add(bob, bob);
    add(v1, bob);
    world.pass(7 * DAY - 1);
    add(v2, bob);
    expect(readApprovals(world.state, "add", bob.pub)).toHaveLength(3);
    world.pass(1);
    add(v3, bob);
    expect(readApprovals(world.state, "add", bob.pub).map(({ approver }) => approver)).toEqual([v2.pub, v3.pub].sort());
    add(bob, bob);
    add(v1, bob);
    expect(isMember(bob)).toBe(true);
  });

  it("forgets approvals of those that left", () => {
    add(bob, bob);
    for (const sender of [v1, v2]) add(sender, bob);
    remove(v1, v1);
    add(v3, bob);
    expect(isMember(bob)).toBe(false);
    add(v4, bob);
    expect(isMember(bob)).toBe(true);
  });

  it("fails while the candidate cannot pay the bond, and records nothing then", () => {
    carolWithMoney();
    for (const sender of [v1, v2, v3]) add(sender, carol);
    expect(add(carol, carol).code).toBe("BOND_UNAFFORDABLE");
    expect(readApprovals(world.state, "add", carol.pub)).toHaveLength(3);
    world.run(alice, { type: "TRANSFER", to: carol.pub, amount: BOND, payload: {} });
    expect(add(carol, carol).isOk).toBe(true);
    expect(isMember(carol)).toBe(true);
  });

  it("refuses validators, strangers' wishes and unusable keys", () => {
    expect(add(v1, v2).code).toBe("ALREADY_VALIDATOR");
    expect(add(alice, bob).code).toBe("NO_APPROVAL");
    const payload = { pub_key: `01${"00".repeat(31)}` };
    expect(world.problemOf(v1, { type: "ADD_VALIDATOR", payload })?.message).toContain("not a usable");
  });

  it.each<[string, () => Cosignature]>([
    ["the other action", (): Cosignature => cosignature(v1, "remove", bob, world.now)],
    ["another candidate", (): Cosignature => cosignature(v1, "add", carol, world.now)],
    ["another time", (): Cosignature => ({ ...cosignature(v1, "add", bob, world.now), signed_at: world.now + 1 })],
    ["another signer", (): Cosignature => ({ ...cosignature(v1, "add", bob, world.now), validator_pub: v2.pub })],
  ])("refuses a cosignature for %s", (_name, cosig) => {
    expect(world.problemOf(bob, { type: "ADD_VALIDATOR", payload: { pub_key: bob.pub, cosigs: [cosig()] } })?.code).toBe("TX_SIGNATURE");
  });

  it("stops at the largest set", () => {
    world = worldOf(Array.from({ length: 2 }, (_, n) => actor(11 + n)));
    const full = new LedgerWorld(
      genesisWith(
        Array.from({ length: MAX_VALIDATORS }, (_, n) => actor(100 + n)),
        10,
      ),
    );
    world = full;
    expect(add(bob, bob).code).toBe("VALIDATOR_LIMIT");
  });
});

describe("REMOVE_VALIDATOR", () => {
  it("needs more than two thirds of the set, target included", () => {
    for (const sender of [v1, v2]) expect(remove(sender, v4).isOk).toBe(true);
    expect(isMember(v4)).toBe(true);
    expect(remove(v3, v4)).toMatchObject({ isOk: true, touched: [v4.pub] });
    expect(isMember(v4)).toBe(false);
    expect(readUnbonding(world.state, v4.pub)).toEqual({ amountUt: BOND, availableAt: world.now + 21 * DAY });
    expect(readValidatorRecord(world.state, v4.pub).terms).toEqual([{ from: 0, to: world.height }]);
  });

  it("lets a validator leave alone, by transaction or cosignature", () => {
    expect(remove(v1, v1).isOk).toBe(true);
    expect(remove(carolWithMoney(), v2, cosigned("remove", v2, [v2])).isOk).toBe(true);
    expect(members()).toEqual([v3.pub, v4.pub].sort());
  });

  it("keeps the last validator", () => {
    for (const leaving of [v1, v2, v3]) remove(leaving, leaving);
    expect(remove(v4, v4).code).toBe("LAST_VALIDATOR");
  });

  it("pays the bond back 21 days after leaving, once, and only to its owner", () => {
    remove(v1, v1);
    const before = world.balance(v1);
    expect(remove(v1, v1).code).toBe("BOND_LOCKED");
    world.pass(21 * DAY - 1);
    expect(remove(v1, v1).code).toBe("BOND_LOCKED");
    world.pass(1);
    expect(remove(v2, v1).code).toBe("NOT_A_VALIDATOR");
    expect(remove(v1, v1).isOk).toBe(true);
    expect(world.balance(v1)).toBe(before - 3_000 + BOND);
    expect(remove(v1, v1).code).toBe("NOT_A_VALIDATOR");
  });

  it("takes a bond on its way back into account when its owner returns", () => {
    remove(v1, v1);
    const before = world.balance(v1);
    expect(add(v1, v1, cosigned("add", v1, [v2, v3, v4], world.now + 1)).isOk).toBe(true);
    expect(world.balance(v1)).toBe(before - 1_000);
    expect(readUnbonding(world.state, v1.pub)).toBeUndefined();
    expect(readValidatorRecord(world.state, v1.pub).terms).toEqual([
      { from: 0, to: world.height },
      { from: world.height + 1, to: undefined },
    ]);
    remove(v1, v1);
    expect(readValidatorRecord(world.state, v1.pub).terms).toEqual([{ from: 0, to: world.height }]);
  });

  it("does not count cosignatures from before the last change of the key", () => {
    const old = cosigned("remove", v1, [v2, v3, v4]);
    world.pass(1);
    remove(v1, v1);
    add(v1, v1, cosigned("add", v1, [v2, v3, v4], world.now + 1));
    expect(isMember(v1)).toBe(true);
    expect(remove(carolWithMoney(), v1, old).code).toBe("NO_APPROVAL");
    expect(isMember(v1)).toBe(true);
  });

  it("refuses those who are no validators", () => {
    expect(remove(v1, bob).code).toBe("NOT_A_VALIDATOR");
    expect(remove(alice, v1).code).toBe("NO_APPROVAL");
  });
});

describe("SLASH", () => {
  beforeEach(() => carolWithMoney());

  it.each([
    ["precommits", (): Equivocation => doubleVote(v1, 1)],
    ["prevotes", (): Equivocation => doubleVote(v1, 1, 3, "prevote")],
    ["proposals", (): Equivocation => doubleProposal(v1, 1)],
  ])("for two %s takes a tenth of the bond, rewards the reporter, burns the rest and bans the offender", (_name, evidence) => {
    const [supply, balance] = [readSupply(world.state), world.balance(carol)];
    expect(slash(evidence())).toMatchObject({ isOk: true, touched: [v1.pub] });
    expect(isMember(v1)).toBe(false);
    expect(readUnbonding(world.state, v1.pub)).toEqual({ amountUt: BOND - 100_000, availableAt: world.now + 21 * DAY });
    expect(world.balance(carol)).toBe(balance - 1_000 + 10_000);
    expect(readSupply(world.state)).toBe(supply - 90_000);
    expect(readNodeCounters(world.state, v1.pub).slashCount).toBe(1);
    expect(readValidatorRecord(world.state, v1.pub).bannedUntil).toBe(world.now + 7 * DAY);
    // Fees of the test are in no block, so no account has them.
    expect(heldUt(world.state)).toBeLessThanOrEqual(readSupply(world.state));
  });

  it("pays nothing to an offender that reports itself: all that it loses is burnt", () => {
    const [supply, balance] = [readSupply(world.state), world.balance(v1)];
    expect(slash(doubleVote(v1, 1), v1).isOk).toBe(true);
    expect(isMember(v1)).toBe(false);
    expect(readUnbonding(world.state, v1.pub)?.amountUt).toBe(BOND - 100_000);
    expect(world.balance(v1)).toBe(balance - 1_000);
    expect(readSupply(world.state)).toBe(supply - 100_000);
    expect(slash(doubleVote(v1, 1), v2).code).toBe("OFFENCE_PUNISHED");
  });

  it("counts each offence once, whichever way round, and another one again", () => {
    const { first, second, ...offence } = doubleVote(v1, 1) as Extract<Equivocation, { readonly step: "prevote" | "precommit" }>;
    slash({ ...offence, first, second });
    expect(slash({ ...offence, first: second, second: first }).code).toBe("OFFENCE_PUNISHED");
    expect(slash(doubleVote(v1, 1, 1)).isOk).toBe(true);
    expect(readUnbonding(world.state, v1.pub)?.amountUt).toBe(BOND - 100_000 - 90_000);
  });

  it("holds those who left responsible for the heights at which they voted", () => {
    world.pass(10);
    remove(v1, v1);
    const left = world.height;
    world.pass(10);
    expect(slash(doubleVote(v1, left + 1)).code).toBe("OFFENCE_UNPROVEN");
    expect(slash(doubleVote(v1, left)).isOk).toBe(true);
    expect(slash(doubleVote(v2, world.height + 1)).code).toBe("OFFENCE_UNPROVEN");
    expect(slash(doubleVote(bob, 1)).code).toBe("OFFENCE_UNPROVEN");
  });

  it("keeps the offender out for seven days", () => {
    slash(doubleVote(v1, 1));
    world.pass(7 * DAY - 1);
    const request = (): Receipt => add(v1, v1, cosigned("add", v1, [v2, v3, v4]));
    expect(request().code).toBe("VALIDATOR_BANNED");
    world.run(alice, { type: "TRANSFER", to: v1.pub, amount: 50_000, payload: {} });
    world.pass(1);
    expect(request().isOk).toBe(true);
    expect(readValidators(world.state)).toContainEqual({ publicKey: v1.pub, bondUt: BOND });
  });

  it("leaves the last validator in the set, with less of a bond", () => {
    world = worldOf([v1]);
    carolWithMoney();
    expect(slash(doubleVote(v1, 1)).isOk).toBe(true);
    expect(readValidators(world.state)).toEqual([{ publicKey: v1.pub, bondUt: 900_000 }]);
  });

  it.each([0, 1, 9, 10, 99])("rounds down on a bond of %i µT", (bondUt) => {
    world = worldOf([v1, v2], bondUt);
    carolWithMoney();
    const held = heldUt(world.state);
    const supply = readSupply(world.state);
    slash(doubleVote(v1, 1));
    const lost = Math.floor(bondUt / 10);
    expect(readUnbonding(world.state, v1.pub)?.amountUt ?? 0).toBe(bondUt - lost);
    expect(supply - readSupply(world.state)).toBe(lost - Math.floor(lost / 10));
    expect(held - heldUt(world.state)).toBe(1_000 + lost - Math.floor(lost / 10));
  });

  it("is free for a validator against another of the set, when it succeeds", () => {
    const poor = (sender: Actor, evidence: Equivocation): ReturnType<typeof applyTransaction> =>
      applyTransaction(world.state, world.signed(sender, { type: "SLASH", fee: 0, payload: { evidence } }), world.context);
    world = new LedgerWorld(genesisWith(four, BOND));
    const held = heldUt(world.state);
    expect(world.balance(v2)).toBe(0);
    expect(world.problemOf(v2, { type: "SLASH", fee: 0, payload: { evidence: doubleVote(v1, 1) } })).toBeUndefined();
    expect(poor(v1, doubleVote(v1, 1))).toMatchObject({ isIncluded: false, code: "TX_REJECTED" });
    expect(poor(bob, doubleVote(v1, 1))).toMatchObject({ isIncluded: false, code: "TX_REJECTED" });
    const before = dump(world.state);
    expect(poor(v2, doubleVote(v1, world.height + 1))).toMatchObject({ isIncluded: false, code: "TX_REJECTED" });
    expect(dump(world.state)).toEqual(before);
    expect(poor(v2, doubleVote(v1, 1))).toMatchObject({ isIncluded: true, receipt: { isOk: true, feeUt: 0 } });
    expect({ isMember: isMember(v1), reward: world.balance(v2), burnt: held - heldUt(world.state) }).toEqual({
      isMember: false,
      reward: 10_000,
      burnt: 90_000,
    });
    expect(poor(v2, doubleVote(v1, 1, 1))).toMatchObject({ isIncluded: false, code: "TX_REJECTED" });
  });

  it.each<[number, "SLASH" | "HEARTBEAT"]>([
    [1, "SLASH"],
    [999, "SLASH"],
    [0, "HEARTBEAT"],
  ])("a fee of %i µT in a %s is refused by shape", (fee, type) => {
    const draft = type === "SLASH" ? ({ type, payload: { evidence: doubleVote(v1, 1) } } as const) : ({ type, payload: {} } as const);
    expect(world.problemOf(carol, { ...draft, fee })?.code).toBe("TX_FEE_TOO_LOW");
  });

  it("refuses what proves nothing", () => {
    const votes = doubleVote(v1, 1) as Extract<Equivocation, { readonly step: "prevote" | "precommit" }>;
    const problem = (evidence: unknown): string | undefined =>
      world.problemOf(carol, { type: "SLASH", payload: { evidence: evidence as Equivocation } })?.code;
    expect(problem(votes)).toBeUndefined();
    expect(problem({ ...votes, second: votes.first })).toBe("TX_MALFORMED");
    expect(problem({ ...votes, height: 2 })).toBe("TX_SIGNATURE");
    expect(problem({ ...votes, step: "prevote" })).toBe("TX_SIGNATURE");
    expect(problem({ ...votes, validator_pub: v2.pub })).toBe("TX_SIGNATURE");
    expect(problem({ ...votes, step: "proposal" })).toBe("TX_MALFORMED");
    expect(problem({ ...votes, note: "" })).toBe("TX_MALFORMED");
    expect(problem({ ...votes, round: -1 })).toBe("TX_MALFORMED");
    expect(problem({ ...doubleProposal(v1, 1), step: "precommit" })).toBe("TX_MALFORMED");
  });
});

/** Carol, with enough for some fees. */
function carolWithMoney(): Actor {
  world.run(alice, { type: "TRANSFER", to: carol.pub, amount: 20_000, payload: {} });
  return carol;
}
