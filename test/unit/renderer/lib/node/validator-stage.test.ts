import { describe, expect, it } from "vitest";
import { FEE_RESERVE_UT, type ValidatorFacts, validatorStage, waitingBond } from "#renderer/lib/node/validator-stage.ts";

const BOND = 1_000_000_000;
const NOW_MS = 2_000_000_000_000;
const NOW_S = NOW_MS / 1_000;

type Validator = NonNullable<NonNullable<ValidatorFacts["stats"]>["validator"]>;

const OUT: Validator = { in_set: false, bond_ut: 0, commits_expected: 0, commits_signed: 0 };
const factsOf = (balanceUt: number, validator?: Validator, proposal?: ValidatorFacts["proposal"]): ValidatorFacts => ({
  stats: { node_balance_ut: balanceUt, ...(validator === undefined ? {} : { validator }) },
  bondUt: BOND,
  leastFeeUt: 1_000,
  proposal,
  nowMs: NOW_MS,
});
const proposal = { approval_count: 1, approvals_required: 3, has_consent: true };

describe("the way to a validator", () => {
  it("begins with the bond and a reserve for fees, for a key that no block has seen too", () => {
    expect(validatorStage({ ...factsOf(0), stats: null })).toEqual({ kind: "fund", missingUt: BOND + FEE_RESERVE_UT });
    expect(validatorStage(factsOf(BOND))).toEqual({ kind: "fund", missingUt: FEE_RESERVE_UT });
    expect(validatorStage(factsOf(BOND + 999))).toMatchObject({ kind: "fund" });
    expect(validatorStage(factsOf(BOND + 1_000))).toEqual({ kind: "apply" });
    expect(validatorStage({ ...factsOf(BOND + 1_000), leastFeeUt: 1_001 })).toMatchObject({ kind: "fund" });
  });

  it("counts the bond that is still on its way back", () => {
    const left = { ...OUT, bond_ut: BOND, bond_available_at: NOW_S + 60 };
    expect(validatorStage(factsOf(1_000, left))).toEqual({ kind: "apply" });
    expect(validatorStage(factsOf(999, left))).toMatchObject({ kind: "fund" });
  });

  it("waits for approvals once the key itself has asked, and says what the bond lacks meanwhile", () => {
    expect(validatorStage(factsOf(BOND, OUT, proposal))).toEqual({ kind: "approvals", given: 1, needed: 3, missingUt: 0 });
    expect(validatorStage(factsOf(BOND - 5, OUT, proposal))).toMatchObject({ kind: "approvals", missingUt: 5 });
    // Others proposed it; the key has not asked.
    expect(validatorStage(factsOf(BOND + 1_000, OUT, { ...proposal, has_consent: false }))).toEqual({ kind: "apply" });
  });

  it("is done while the key votes, whatever else is pending", () => {
    const member = { ...OUT, in_set: true, bond_ut: BOND, commits_expected: 100, commits_signed: 97 };
    expect(validatorStage(factsOf(0, member, proposal))).toEqual({ kind: "member", signed: 97, expected: 100 });
    expect(waitingBond(factsOf(0, member))).toBeUndefined();
  });

  it("is closed while the key is banned, and no longer", () => {
    expect(validatorStage(factsOf(2 * BOND, { ...OUT, banned_until: NOW_S + 1 }))).toEqual({ kind: "banned", untilMs: NOW_MS + 1_000 });
    expect(validatorStage(factsOf(2 * BOND, { ...OUT, banned_until: NOW_S }))).toEqual({ kind: "apply" });
  });
});

it("a bond waits for its time, and is gone once it was taken back", () => {
  const left = { ...OUT, bond_ut: BOND, bond_available_at: NOW_S + 60 };
  expect(waitingBond(factsOf(0, left))).toEqual({ amountUt: BOND, availableAtMs: NOW_MS + 60_000, isFree: false });
  expect(waitingBond(factsOf(0, { ...left, bond_available_at: NOW_S }))).toMatchObject({ isFree: true });
  expect(waitingBond(factsOf(BOND, OUT))).toBeUndefined();
  expect(waitingBond({ stats: null, nowMs: NOW_MS })).toBeUndefined();
});
