// REGISTER_RELAY, RELAY_PROOF, HEARTBEAT, BIND_WALLET and reputation.
import { beforeEach, describe, expect, it } from "vitest";
import { finishBlock } from "#node/ledger/execute.ts";
import { isClaimed, readNodeCounters, readRelay, readWallet } from "#node/ledger/records/node-records.ts";
import { readAccount } from "#node/ledger/records/records.ts";
import { reputationRank, reputationScore } from "#node/ledger/records/reputation.ts";
import type { RelayClaim } from "#shared/protocol/transactions/payload.ts";
import { bindingOf, claimOf, LedgerWorld } from "#test/support/chain/ledger-payloads.ts";
import { actor, alice, bob, carol, type Draft, deviceKey, dump, validator } from "#test/support/worlds/ledger-world.ts";

const relay = alice;
const register: Draft<"REGISTER_RELAY"> = {
  type: "REGISTER_RELAY",
  payload: { x25519_pub_key: deviceKey(1), fee_per_msg_ut: 250, multiaddr: "/ip4/127.0.0.1/tcp/4001" },
};
const proof = (...claims: readonly RelayClaim[]): Draft<"RELAY_PROOF"> => ({ type: "RELAY_PROOF", payload: { claims } });

let world: LedgerWorld;
beforeEach(() => {
  world = new LedgerWorld();
});

describe("REGISTER_RELAY", () => {
  it("publishes key, fee and address, and a repeat replaces all of them", () => {
    expect(world.run(relay, register).isOk).toBe(true);
    const announced = { publicKey: relay.pub, x25519Pub: deviceKey(1), feePerMessageUt: 250, multiaddr: "/ip4/127.0.0.1/tcp/4001" };
    expect(readRelay(world.state, relay.pub)).toEqual(announced);
    world.run(relay, { type: "REGISTER_RELAY", payload: { x25519_pub_key: deviceKey(2), fee_per_msg_ut: 0 } });
    expect(readRelay(world.state, relay.pub)).toEqual({ ...announced, x25519Pub: deviceKey(2), feePerMessageUt: 0, multiaddr: "" });
    expect(readRelay(world.state, bob.pub)).toBeUndefined();
  });

  it.each([
    ["a negative fee", { fee_per_msg_ut: -1 }],
    ["a fraction of a fee", { fee_per_msg_ut: 0.5 }],
    ["a key of small order", { x25519_pub_key: "00".repeat(32) }],
    ["an address without slash", { multiaddr: "relay.example" }],
    ["an address with a line feed", { multiaddr: "/a\nb" }],
    ["an address of 257 bytes", { multiaddr: `/${"é".repeat(128)}` }],
  ])("refuses %s", (_name, change) => {
    expect(world.problemOf(relay, { ...register, payload: { ...register.payload, ...change } })?.code).toBe("TX_MALFORMED");
  });
});

describe("RELAY_PROOF", () => {
  it("pays each claim once, from its sender's balance", () => {
    world.run(relay, register);
    const before = world.balance(relay);
    expect(world.run(relay, proof(claimOf(bob, "e1", 700), claimOf(bob, "e2", 300)))).toMatchObject({
      isOk: true,
      logs: [],
      touched: [bob.pub],
    });
    expect([world.balance(bob), world.balance(relay)]).toEqual([9_999_000, before]);
    expect([isClaimed(world.state, bob.pub, "e1"), isClaimed(world.state, carol.pub, "e1")]).toEqual([true, false]);
    expect(readNodeCounters(world.state, relay.pub).relayProofs).toBe(1);
  });

  it("skips what was paid or cannot be paid, names it in order, and pays the rest", () => {
    world.run(relay, register);
    world.run(relay, proof(claimOf(bob, "e1")));
    const receipt = world.run(
      relay,
      proof(claimOf(bob, "e1"), claimOf(carol, "e3"), claimOf(bob, "e4"), claimOf(bob, "e4", 9), claimOf(bob, "e5")),
    );
    const unpaid = [`unpaid e1 ${bob.pub} claimed`, `unpaid e3 ${carol.pub} unaffordable`, `unpaid e4 ${bob.pub} claimed`];
    expect(receipt).toMatchObject({ isOk: true, touched: [bob.pub] });
    expect(receipt.logs).toEqual(unpaid.map((message) => ({ contractId: "", message })));
    expect(world.balance(bob)).toBe(10_000_000 - 3_000);
  });

  it("stops paying at the last µT of a sender", () => {
    world.run(relay, register);
    world.run(relay, proof(claimOf(bob, "e1", 9_999_999), claimOf(bob, "e2", 2), claimOf(bob, "e3", 1)));
    expect(world.balance(bob)).toBe(0);
    expect([isClaimed(world.state, bob.pub, "e2"), isClaimed(world.state, bob.pub, "e3")]).toEqual([false, true]);
  });

  it("fails when nothing is paid, and then counts nothing", () => {
    world.run(relay, register);
    const before = dump(world.state).filter((line) => !line.startsWith(`account ${relay.pub}`));
    expect(world.run(relay, proof(claimOf(carol, "e1")))).toMatchObject({
      code: "RELAY_NOTHING_PAID",
      logs: [{ contractId: "" }],
      touched: [],
    });
    expect(dump(world.state).filter((line) => !line.startsWith(`account ${relay.pub}`))).toEqual(before);
  });

  it("is for registered relays", () => {
    expect(world.run(relay, proof(claimOf(bob, "e1"))).code).toBe("RELAY_NOT_REGISTERED");
    expect(world.balance(bob)).toBe(10_000_000);
  });

  it("takes 100 claims, and refuses 101 and none", () => {
    const claims = Array.from({ length: 101 }, (_, n) => claimOf(bob, `${n}`.padStart(32, "0"), 1));
    expect(world.problemOf(relay, proof(...claims.slice(0, 100)))).toBeUndefined();
    expect(world.problemOf(relay, proof(...claims))?.message).toContain("payload.claims");
    expect(world.problemOf(relay, proof())?.message).toContain("payload.claims");
  });

  it.each<[string, Partial<RelayClaim>, string]>([
    ["another fee", { fee_ut: 1_001 }, "TX_SIGNATURE"],
    ["another envelope", { envelope_id: "e2" }, "TX_SIGNATURE"],
    ["another sender", { sender_pub: carol.pub }, "TX_SIGNATURE"],
    ["no fee", { fee_ut: 0 }, "TX_MALFORMED"],
    ["an envelope id with a line feed", { envelope_id: "a\n" }, "TX_MALFORMED"],
    ["half a signature", { fee_sig: "AAAA" }, "TX_MALFORMED"],
  ])("refuses a claim with %s", (_name, change, code) => {
    expect(world.problemOf(relay, proof(claimOf(bob, "e0"), { ...claimOf(bob, "e1"), ...change }))?.code).toBe(code);
  });
});

describe("HEARTBEAT", () => {
  const beat: Draft<"HEARTBEAT"> = { type: "HEARTBEAT", payload: {} };

  it("counts at most once in ten minutes of block time", () => {
    const counts = [0, 599, 1, 599, 1, 5_000].map((seconds) => {
      world.timeMs += seconds * 1_000;
      expect(world.run(bob, beat).isOk).toBe(true);
      return readNodeCounters(world.state, bob.pub).heartbeats;
    });
    expect(counts).toEqual([1, 1, 2, 2, 3, 4]);
    expect(readNodeCounters(world.state, bob.pub).lastHeartbeatAt).toBe(world.now);
  });
});

describe("BIND_WALLET", () => {
  it("directs rewards and relay fees to the wallet, in whose history they are", () => {
    const wallet = actor(60);
    world.run(relay, register);
    expect(world.run(relay, { type: "BIND_WALLET", payload: bindingOf(relay, wallet) }).touched).toEqual([wallet.pub]);
    const tx = world.signed(relay, proof(claimOf(bob, "e1", 500)));
    expect(world.run(relay, proof(claimOf(bob, "e1", 500))).touched).toEqual([bob.pub, wallet.pub].sort());
    expect(world.balance(wallet)).toBe(500);
    const receipt = { txId: tx.id, isOk: true, code: "", feeUt: 1_000, gasUsed: 0, logs: [], touched: [] };
    const reward = finishBlock(world.state, [{ tx, receipt }], { ...world.context, proposer: relay.pub });
    expect(reward).toEqual({ to: wallet.pub, subsidyUt: 50_000, feesUt: 1_000 });
    expect(readAccount(world.state, wallet.pub)).toMatchObject({ balanceUt: 51_500, historyCount: 1 });
  });

  it("is replaced by another binding, and ended by one to the node itself", () => {
    for (const wallet of [bob, carol]) world.run(alice, { type: "BIND_WALLET", payload: bindingOf(alice, wallet) });
    expect(readWallet(world.state, alice.pub)).toBe(carol.pub);
    world.run(alice, { type: "BIND_WALLET", payload: bindingOf(alice, alice) });
    expect(readWallet(world.state, alice.pub)).toBe(alice.pub);
    expect(dump(world.state).filter((line) => line.startsWith("wallet") && !line.endsWith("-"))).toEqual([]);
  });

  it("needs the wallet's consent for this node", () => {
    const stolen = { wallet_pub: bob.pub, wallet_sig: bindingOf(carol, bob).wallet_sig };
    expect(world.problemOf(alice, { type: "BIND_WALLET", payload: stolen })?.code).toBe("TX_SIGNATURE");
    const unusable = { ...bindingOf(alice, bob), wallet_pub: `01${"00".repeat(31)}` };
    expect(world.problemOf(alice, { type: "BIND_WALLET", payload: unusable })?.message).toContain("not a usable");
  });

  it("leaves the rewards of other nodes where they are", () => {
    world.run(alice, { type: "BIND_WALLET", payload: bindingOf(alice, bob) });
    expect(readWallet(world.state, validator.pub)).toBe(validator.pub);
  });
});

describe("reputation", () => {
  it.each([
    [0, 0, 0, 0, 0, "Observer"],
    [49, 0, 0, 0, 49, "Observer"],
    [0, 10, 0, 0, 50, "Active"],
    [4, 0, 49, 0, 494, "Active"],
    [5, 1, 49, 0, 500, "Trusted"],
    [0, 0, 50, 2, -500, "Observer"],
  ] as const)("%i heartbeats, %i blocks, %i proofs and %i punishments make %i: %s", (...row) => {
    const [heartbeats, blocksProduced, relayProofs, slashCount, score, rank] = row;
    expect(reputationScore({ heartbeats, blocksProduced, relayProofs, slashCount })).toBe(score);
    expect(reputationRank(score, false)).toBe(rank);
    expect(reputationRank(score, true)).toBe("Validator");
  });
});
