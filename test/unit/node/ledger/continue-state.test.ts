// Validators, bonds and what is on its way back, when a new chain begins with an old state. The supply never changes.
import { describe, expect, it } from "vitest";
import { carryRecord, refusalOfValidator, replaceValidators } from "#node/ledger/continue-state.ts";
import { credit } from "#node/ledger/records/balance.ts";
import { readAccount, readValidators, writeValidators } from "#node/ledger/records/records.ts";
import {
  readApprovals,
  readUnbonding,
  readValidatorRecord,
  writeApprovals,
  writeUnbonding,
  writeValidatorRecord,
} from "#node/ledger/records/validator-records.ts";
import type { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { sortValidators } from "#shared/protocol/chain/validators.ts";
import { UNBONDING_S } from "#shared/protocol/primitives/limits.ts";
import { entriesOf, heldUt } from "#test/support/chain/held-ut.ts";
import { actor, emptyState } from "#test/support/worlds/ledger-world.ts";

const AT_S = 1_000_000;
const [STAYS, LEAVES, COMES, RETURNS, POOR] = [11, 12, 13, 14, 15].map((n) => actor(n).pub) as [string, string, string, string, string];

/** Two validators, one that left and waits for its bond, one with money, one without. */
function oldState(): OverlayStateView {
  const state = emptyState();
  writeValidators(state, sortValidators([STAYS, LEAVES].map((publicKey) => ({ publicKey, bondUt: 500 }))));
  for (const key of [STAYS, LEAVES])
    writeValidatorRecord(state, key, { changedAt: 5, bannedUntil: 0, terms: [{ from: 0, to: undefined }] });
  writeValidatorRecord(state, RETURNS, { changedAt: 9, bannedUntil: 0, terms: [{ from: 0, to: 7 }] });
  writeUnbonding(state, RETURNS, { amountUt: 300, availableAt: 77 });
  credit(state, COMES, 1_000);
  credit(state, RETURNS, 250);
  return state;
}

const plan = (...bonds: readonly (readonly [string, number])[]): Parameters<typeof replaceValidators>[1] => ({
  validators: sortValidators(bonds.map(([publicKey, bondUt]) => ({ publicKey, bondUt }))),
  atS: AT_S,
});

describe("the validators of a chain that continues another one", () => {
  it("bring their old bond, what is being paid back to them, and the rest from the balance", () => {
    const state = oldState();
    const before = heldUt(state);
    const next = plan([STAYS, 500], [COMES, 600], [RETURNS, 500]);
    for (const { publicKey, bondUt } of next.validators) expect(refusalOfValidator(state, publicKey, bondUt, AT_S)).toBeUndefined();
    replaceValidators(state, next);
    expect(readValidators(state)).toEqual(next.validators);
    expect([COMES, RETURNS].map((key) => readAccount(state, key).balanceUt)).toEqual([400, 50]);
    expect(readUnbonding(state, RETURNS)).toBeUndefined();
    expect(heldUt(state)).toBe(before);
  });

  it("do not include the others, whose bond waits as if they had left", () => {
    const state = oldState();
    replaceValidators(state, plan([COMES, 0]));
    for (const key of [STAYS, LEAVES]) expect(readUnbonding(state, key)).toEqual({ amountUt: 500, availableAt: AT_S + UNBONDING_S });
    expect(readUnbonding(state, RETURNS)).toEqual({ amountUt: 300, availableAt: 77 });
    expect(heldUt(state)).toBe(heldUt(oldState()));
  });

  it("may punished ones be that are validators, and not those that were put out", () => {
    const state = oldState();
    writeValidatorRecord(state, STAYS, { changedAt: 5, bannedUntil: AT_S + 1, terms: [] });
    writeValidatorRecord(state, RETURNS, { changedAt: 5, bannedUntil: AT_S + 1, terms: [] });
    expect(refusalOfValidator(state, STAYS, 500, AT_S)).toBeUndefined();
    expect(refusalOfValidator(state, RETURNS, 500, AT_S)).toContain("contradicted itself");
    expect(refusalOfValidator(state, RETURNS, 500, AT_S + 1)).toBeUndefined();
  });

  it.each([
    ["more than it has", POOR, 1, "its balance lacks 1 µT"],
    ["more than bond and balance", RETURNS, 551, "its balance lacks 1 µT"],
    ["less than it has locked", STAYS, 499, "has 500 µT locked already"],
    ["less than it is being paid back", RETURNS, 299, "has 300 µT locked already"],
  ])("cannot lock %s", (_, key, bondUt, words) => {
    expect(refusalOfValidator(oldState(), key, bondUt, AT_S)).toContain(words);
  });

  it("have terms from height 0 on, and a change at the time of block 0 that voids earlier approvals", () => {
    const state = oldState();
    writeApprovals(state, "add", COMES, [{ approver: STAYS, at: 3 }]);
    for (const namespace of ["validator", "approval"] as const)
      for (const entry of entriesOf(state, namespace)) carryRecord(state, namespace, entry);
    replaceValidators(state, plan([STAYS, 500], [COMES, 0]));
    expect(readApprovals(state, "add", COMES)).toEqual([]);
    const member = { changedAt: AT_S, bannedUntil: 0, terms: [{ from: 0, to: undefined }] };
    expect([STAYS, COMES].map((key) => readValidatorRecord(state, key))).toEqual([member, member]);
    expect(readValidatorRecord(state, LEAVES)).toEqual({ changedAt: AT_S, bannedUntil: 0, terms: [] });
    expect(readValidatorRecord(state, RETURNS)).toEqual({ changedAt: 9, bannedUntil: 0, terms: [] });
  });
});
