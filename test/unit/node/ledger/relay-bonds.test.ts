// Bonds of relays: locked, topped up, withdrawn, fetched; and that networks of earlier versions know nothing of them.
import { beforeEach, describe, expect, it } from "vitest";
import { interpretTransaction } from "#node/ledger/check-transaction.ts";
import { applyTransaction } from "#node/ledger/execute.ts";
import { readKeeper, readKeeperCount, writeKeeper } from "#node/ledger/records/keeper-records.ts";
import { readRelay } from "#node/ledger/records/node-records.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { KEEPERS_VERSION, UNBONDING_S } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64, utf8 } from "#shared/util/bytes.ts";
import { heldUt } from "#test/support/chain/held-ut.ts";
import { LedgerWorld } from "#test/support/chain/ledger-payloads.ts";
import { alice, bob, type Draft, deviceKey, dump, GENESIS } from "#test/support/worlds/ledger-world.ts";

const LEAST_UT = 50_000;
const DAY_S = 86_400;

function genesisOf(version: number): typeof GENESIS {
  return { ...GENESIS, params: { ...GENESIS.params, version } };
}

function bond(bond_ut?: number | null): Draft<"REGISTER_RELAY"> {
  const payload = { x25519_pub_key: deviceKey(1), fee_per_msg_ut: 5, multiaddr: "/ip4/81.2.69.142/tcp/4001" };
  return { type: "REGISTER_RELAY", payload: bond_ut === undefined ? payload : { ...payload, bond_ut: bond_ut as number } };
}

let world: LedgerWorld;
beforeEach(() => {
  world = new LedgerWorld(genesisOf(KEEPERS_VERSION));
});

function codeOf(draft: Draft<"REGISTER_RELAY">): string {
  const heldBefore = heldUt(world.state);
  const { code, feeUt } = world.run(alice, draft);
  // Fees of this world go to no one.
  expect(heldUt(world.state)).toBe(heldBefore - feeUt);
  return code;
}

describe("the bond of a relay", () => {
  it("leaves the balance, and registering without one leaves it as it is", () => {
    const before = world.balance(alice);
    expect(codeOf(bond(LEAST_UT))).toBe("");
    expect(world.balance(alice)).toBe(before - LEAST_UT - 1_000);
    expect(readKeeper(world.state, alice.pub)).toEqual({ bondUt: LEAST_UT, withdrawnUt: 0, availableAt: 0, standing: undefined });
    expect(codeOf({ ...bond(), payload: { ...bond().payload, fee_per_msg_ut: 9 } })).toBe("");
    expect(readKeeper(world.state, alice.pub).bondUt).toBe(LEAST_UT);
    expect(readRelay(world.state, alice.pub)?.feePerMessageUt).toBe(9);
    expect(readKeeperCount(world.state)).toBe(1);
  });

  it("is topped up by the difference, and the same one again takes nothing", () => {
    codeOf(bond(LEAST_UT));
    const before = world.balance(alice);
    expect(codeOf(bond(3 * LEAST_UT))).toBe("");
    expect(codeOf(bond(3 * LEAST_UT))).toBe("");
    expect(world.balance(alice)).toBe(before - 2 * LEAST_UT - 2_000);
    expect(readKeeper(world.state, alice.pub).bondUt).toBe(3 * LEAST_UT);
    // What is locked already need not be in the balance once more.
    expect([codeOf(bond(6_000_000)), codeOf(bond(9_000_000))]).toEqual(["", ""]);
  });

  it.each([
    ["below a twentieth of a validator's", LEAST_UT - 1, "RELAY_BOND_SMALL"],
    ["of more than the balance", 10_000_000, "BOND_UNAFFORDABLE"],
  ])("is none %s", (_name, bondUt, code) => {
    expect(codeOf(bond(bondUt))).toBe(code);
    expect([readKeeperCount(world.state), readRelay(world.state, alice.pub)]).toEqual([0, undefined]);
  });

  it("does not shrink but for a withdrawal", () => {
    codeOf(bond(3 * LEAST_UT));
    expect(codeOf(bond(2 * LEAST_UT))).toBe("RELAY_BOND_REDUCED");
    expect(readKeeper(world.state, alice.pub).bondUt).toBe(3 * LEAST_UT);
  });

  it("comes back 21 days after the withdrawal, and with it all that was known of the keeper", () => {
    codeOf(bond(LEAST_UT));
    const standing = { is: "in", salt: "ab".repeat(32) } as const;
    writeKeeper(world.state, alice.pub, { ...readKeeper(world.state, alice.pub), standing });
    expect(codeOf(bond(0))).toBe("");
    const withdrawn = { bondUt: 0, withdrawnUt: LEAST_UT, availableAt: world.now + UNBONDING_S, standing };
    expect(readKeeper(world.state, alice.pub)).toEqual(withdrawn);
    world.pass(UNBONDING_S - 1);
    expect(codeOf(bond(0))).toBe("BOND_LOCKED");
    expect(codeOf(bond())).toBe("");
    world.pass(1);
    const before = world.balance(alice);
    expect(codeOf(bond(0))).toBe("");
    expect(world.balance(alice)).toBe(before + LEAST_UT - 1_000);
    expect(world.state.next("keeper", new Uint8Array(0))).toBeUndefined();
    expect(readRelay(world.state, alice.pub)).toBeDefined();
  });

  it("takes in what is on its way back before the balance", () => {
    codeOf(bond(2 * LEAST_UT));
    codeOf(bond(0));
    world.pass(DAY_S);
    const before = world.balance(alice);
    expect(codeOf(bond(LEAST_UT))).toBe("RELAY_BOND_REDUCED");
    expect(codeOf(bond(3 * LEAST_UT))).toBe("");
    expect(world.balance(alice)).toBe(before - LEAST_UT - 2_000);
    expect(readKeeper(world.state, alice.pub)).toEqual({ bondUt: 3 * LEAST_UT, withdrawnUt: 0, availableAt: 0, standing: undefined });
  });

  it("that is withdrawn where there is none changes nothing but what is announced", () => {
    expect(codeOf(bond(0))).toBe("");
    expect([readKeeperCount(world.state), readRelay(world.state, alice.pub)?.feePerMessageUt]).toEqual([0, 5]);
  });

  it("has as many places as there are relays that can be followed", () => {
    const state = world.state;
    for (let n = 0; n < KEEPER_RULES.mostRelays - 1; n += 1)
      writeKeeper(state, n.toString(16).padStart(64, "0"), { ...readKeeper(state, alice.pub), bondUt: LEAST_UT });
    expect(world.run(alice, bond(LEAST_UT)).code).toBe("");
    expect(world.run(bob, bond(LEAST_UT)).code).toBe("RELAY_BOND_LIMIT");
    expect(world.run(alice, bond(2 * LEAST_UT)).code).toBe("");
    world.run(alice, bond(0));
    expect(world.run(bob, bond(LEAST_UT)).code).toBe("RELAY_BOND_LIMIT");
    expect(world.run(alice, bond(2 * LEAST_UT)).code).toBe("");
    world.run(alice, bond(0));
    world.pass(UNBONDING_S);
    world.run(alice, bond(0));
    expect(world.run(bob, bond(LEAST_UT)).code).toBe("");
  });
});

describe("networks before bonds", () => {
  it.each([
    ["µT", LEAST_UT],
    ["0", 0],
    ["null", null],
  ])("hold no registration that names a bond, here %s", (_name, value) => {
    const old = new LedgerWorld(genesisOf(KEEPERS_VERSION - 1));
    const before = dump(old.state);
    const tx = old.signed(alice, bond(value));
    expect(applyTransaction(old.state, tx, old.context)).toMatchObject({ isIncluded: false, code: "TX_REJECTED" });
    expect(dump(old.state)).toEqual(before);
    expect(old.run(alice, bond()).isOk).toBe(true);
  });

  it("say since when a payload can name it", () => {
    const sinceOf = (text: string): unknown => {
      const tx: Transaction = { ...world.signed(alice, bond()), payload: toBase64(utf8(text)) };
      return interpretTransaction(tx);
    };
    const key = deviceKey(1);
    expect(sinceOf(`{"x25519_pub_key":"${key}","fee_per_msg_ut":0}`)).toMatchObject({ isOk: true, sinceVersion: 0 });
    expect(sinceOf(`{"x25519_pub_key":"${key}","fee_per_msg_ut":0,"bond_ut":null}`)).toMatchObject({ isOk: true, sinceVersion: 5 });
    expect(sinceOf(`{"x25519_pub_key":"${key}","fee_per_msg_ut":0,"bond":1}`)).toMatchObject({ isOk: false });
  });
});
