// What a node's owner asks it to do with its own key: from the funds to the bond that came back, on the real ledger.
import { beforeEach, describe, expect, it } from "vitest";
import { RequestedDuties } from "#node/duties/requested-duties.ts";
import { readWallet } from "#node/ledger/records/node-records.ts";
import { readAccount, readValidators } from "#node/ledger/records/records.ts";
import { readUnbonding } from "#node/ledger/records/validator-records.ts";
import type { DutyRequest } from "#shared/api/schemas/duties.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { UNBONDING_S } from "#shared/protocol/primitives/limits.ts";
import { bindingOf, genesisWith } from "#test/support/chain/ledger-payloads.ts";
import { DutyWorld } from "#test/support/worlds/duty-world.ts";
import { type Actor, actor, carol } from "#test/support/worlds/ledger-world.ts";

const BOND_UT = 1_000_000;
const MEMBERS = [11, 12, 13].map(actor);
const NODE = actor(14);

let world: DutyWorld;
const duties = new Map<Actor, RequestedDuties>();

function genesis(balanceUt: number): Genesis {
  const base = genesisWith(MEMBERS, BOND_UT);
  const accounts = [NODE, ...MEMBERS].map(({ pub }) => ({ pub_key: pub, balance_ut: balanceUt }));
  return { ...base, accounts: [...base.accounts, ...accounts], params: { ...base.params, validator_bond_ut: BOND_UT } };
}

function begin(balanceUt: number): void {
  world = new DutyWorld(genesis(balanceUt));
  for (const who of [NODE, ...MEMBERS]) duties.set(who, new RequestedDuties({ ...world.context(who), bondUt: BOND_UT }));
}

const ask = (request: DutyRequest, who: Actor = NODE): Promise<string> => (duties.get(who) as RequestedDuties).request(request);
const members = (): readonly string[] => readValidators(world.state).map(({ publicKey }) => publicKey);

beforeEach(() => begin(2_000_000));

describe("the life of a validator", () => {
  it("goes from its application to the bond that came back, each signed with the node's own key", async () => {
    await ask({ duty: "apply" });
    world.commit();
    expect(members()).not.toContain(NODE.pub);
    for (const member of MEMBERS) await ask({ duty: "approve", pub_key: formatAddress(NODE.pub) }, member);
    expect(world.commit().map(({ isOk }) => isOk)).toEqual([true, true, true]);
    expect(members()).toContain(NODE.pub);
    await expect(ask({ duty: "apply" })).rejects.toThrow("is a validator already");
    await expect(ask({ duty: "withdraw_bond" })).rejects.toThrow("a validator leaves first");

    await ask({ duty: "leave" });
    world.commit();
    expect(members()).not.toContain(NODE.pub);
    expect(readUnbonding(world.state, NODE.pub)?.amountUt).toBe(BOND_UT);
    await expect(ask({ duty: "withdraw_bond" })).rejects.toThrow("The bond is locked until 20");
    await world.pass(UNBONDING_S * 1_000 + 1_000);
    await ask({ duty: "withdraw_bond" });
    expect(world.commit()).toMatchObject([{ isOk: true }]);
    // Three fees of its own were paid.
    expect(readAccount(world.state, NODE.pub).balanceUt).toBe(2_000_000 - 3_000);
    expect(world.submitted.filter(({ from }) => from === NODE.pub).map(({ type }) => type)).toEqual([
      "ADD_VALIDATOR",
      "REMOVE_VALIDATOR",
      "REMOVE_VALIDATOR",
    ]);
  });

  it("applies again with the bond that is still on its way back", async () => {
    await ask({ duty: "apply" });
    for (const member of MEMBERS) await ask({ duty: "approve", pub_key: NODE.pub }, member);
    world.commit();
    await ask({ duty: "leave" });
    world.commit();
    await expect(ask({ duty: "apply" })).resolves.toMatch(/./);
  });

  it("approves that another leaves, and binds a wallet that agreed", async () => {
    const [first, second, third] = MEMBERS as [Actor, Actor, Actor];
    for (const member of [first, second]) await ask({ duty: "approve_removal", pub_key: third.pub }, member);
    world.commit();
    expect(members()).toContain(third.pub);
    const { wallet_pub, wallet_sig } = bindingOf(NODE, carol);
    await ask({ duty: "bind_wallet", wallet_pub, wallet_sig });
    expect(world.commit()).toMatchObject([{ isOk: true }]);
  });
});

describe("the money of the node", () => {
  it("goes to a wallet and back to the node's account, by the node's key alone", async () => {
    await expect(ask({ duty: "unbind_wallet" })).rejects.toThrow("go to its own account already");
    const { wallet_pub, wallet_sig } = bindingOf(NODE, carol);
    await ask({ duty: "bind_wallet", wallet_pub, wallet_sig });
    world.commit();
    expect(readWallet(world.state, NODE.pub)).toBe(carol.pub);
    await ask({ duty: "unbind_wallet" });
    expect(world.commit()).toMatchObject([{ isOk: true }]);
    expect(readWallet(world.state, NODE.pub)).toBe(NODE.pub);
  });

  it("is paid out down to the fee, to the unit, and no further", async () => {
    const before = readAccount(world.state, carol.pub).balanceUt;
    await expect(ask({ duty: "pay_wallet", wallet_pub: carol.pub, amount_ut: 1_999_001 })).rejects.toMatchObject({
      code: "TX_INSUFFICIENT_BALANCE",
    });
    expect(world.submitted).toEqual([]);
    await ask({ duty: "pay_wallet", wallet_pub: formatAddress(carol.pub), amount_ut: 1_999_000 });
    expect(world.commit()).toMatchObject([{ isOk: true }]);
    expect(readAccount(world.state, NODE.pub).balanceUt).toBe(0);
    expect(readAccount(world.state, carol.pub).balanceUt).toBe(before + 1_999_000);
  });

  it("is paid once for a request that comes twice, and twice for two amounts", async () => {
    const pay = (amountUt: number): Promise<string> => ask({ duty: "pay_wallet", wallet_pub: carol.pub, amount_ut: amountUt });
    expect(await pay(5)).toBe(await pay(5));
    expect(await pay(6)).not.toBe(await pay(5));
    expect(world.submitted.map(({ type, amount }) => [type, amount])).toEqual([
      ["TRANSFER", 5],
      ["TRANSFER", 6],
    ]);
  });
});

describe("what would fail", () => {
  it("is refused before it costs a fee, in words that name the account", async () => {
    begin(BOND_UT);
    await expect(ask({ duty: "apply" })).rejects.toMatchObject({ code: "TX_INSUFFICIENT_BALANCE" });
    await expect(ask({ duty: "apply" })).rejects.toThrow(`${formatAddress(NODE.pub)} has 1 T and needs 1.001 T`);
    await expect(ask({ duty: "leave" })).rejects.toThrow("is not a validator");
    await expect(ask({ duty: "approve", pub_key: carol.pub })).rejects.toThrow("Only a validator can approve");
    const [first, second] = MEMBERS as [Actor, Actor];
    await expect(ask({ duty: "approve", pub_key: second.pub }, first)).rejects.toThrow("is a validator already");
    await expect(ask({ duty: "approve_removal", pub_key: carol.pub }, first)).rejects.toThrow("is not a validator");
    begin(999);
    await expect(ask({ duty: "leave" }, first)).rejects.toMatchObject({ code: "TX_INSUFFICIENT_BALANCE" });
    expect(world.submitted).toEqual([]);
  });

  it("the last validator does not stop the network by mistake", async () => {
    world = new DutyWorld({ ...genesis(2_000_000), validators: [{ pub_key: NODE.pub, bond_ut: BOND_UT }] });
    const alone = new RequestedDuties({ ...world.context(NODE), bondUt: BOND_UT });
    await expect(alone.request({ duty: "leave" })).rejects.toThrow("only validator");
  });

  it.each([
    [{ duty: "apply", pub_key: carol.pub }],
    [{ duty: "approve" }],
    [{ duty: "approve", pub_key: "not a key" }],
    [{ duty: "approve", pub_key: carol.pub, wallet_pub: carol.pub }],
    [{ duty: "approve", pub_key: NODE.pub }],
    [{ duty: "bind_wallet", wallet_pub: carol.pub }],
    [{ duty: "withdraw_bond", wallet_sig: "AA==" }],
    [{ duty: "bind_wallet", wallet_pub: carol.pub, wallet_sig: "AA==", amount_ut: 1 }],
    [{ duty: "unbind_wallet", wallet_pub: carol.pub }],
    [{ duty: "pay_wallet", wallet_pub: carol.pub }],
    [{ duty: "pay_wallet", amount_ut: 1 }],
    [{ duty: "pay_wallet", wallet_pub: NODE.pub, amount_ut: 1 }],
    [{ duty: "pay_wallet", wallet_pub: carol.pub, wallet_sig: "AA==", amount_ut: 1 }],
  ] as readonly (readonly [DutyRequest])[])("%o is malformed", async (request) => {
    await expect(ask(request)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(world.submitted).toEqual([]);
  });
});

describe("a request that comes twice", () => {
  it("is one transaction while it waits, also when both come at once", async () => {
    const [first, again] = await Promise.all([ask({ duty: "apply" }), ask({ duty: "apply" })]);
    expect(again).toBe(first);
    expect(await ask({ duty: "apply" })).toBe(first);
    world.commit();
    expect(await ask({ duty: "apply" })).not.toBe(first);
    expect(world.submitted).toHaveLength(2);
  });

  it("is tried again after a refusal", async () => {
    world.refusal = new CodedError("MEMPOOL_FULL", "full");
    await expect(Promise.all([ask({ duty: "apply" }), ask({ duty: "apply" })])).rejects.toMatchObject({ code: "MEMPOOL_FULL" });
    world.refusal = undefined;
    await expect(ask({ duty: "apply" })).resolves.toMatch(/./);
    expect(world.pending.size).toBe(1);
  });
});
