// The bytes of state records: part of the state root, so pinned here by a second encoder.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { finishBlock } from "#node/ledger/execute.ts";
import { readContract } from "#node/ledger/records/contract-records.ts";
import { readAccount, readContact } from "#node/ledger/records/records.ts";
import type { Namespace } from "#node/ledger/state-view.ts";
import type { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { bindingOf, callOf, claimOf, doubleVote, genesisWith, LedgerWorld, voucherOf } from "#test/support/chain/ledger-payloads.ts";
import { miniCbor } from "#test/support/codec/mini-cbor.ts";
import {
  actor,
  alice,
  blockContext,
  bob,
  deviceKey,
  genesisState,
  receiptOf,
  START_MS,
  signed,
  validator,
} from "#test/support/worlds/ledger-world.ts";

const hex = (text: string): Buffer => Buffer.from(text, "hex");
const stored = (state: OverlayStateView, namespace: Namespace, key: Buffer): string | undefined => {
  const value = state.get(namespace, key);
  return value === undefined ? undefined : Buffer.from(value).toString("hex");
};
const cbor = (value: unknown): string => miniCbor(value).toString("hex");
const SECONDS = START_MS / 1000 + 1;

describe("state records", () => {
  it("of genesis", () => {
    const state = genesisState();
    expect(stored(state, "account", hex(alice.pub))).toBe(cbor([10_000_000, 0, Buffer.alloc(32)]));
    expect(stored(state, "supply", Buffer.from("total"))).toBe(cbor([21_000_000]));
    expect(stored(state, "validators", Buffer.from("set"))).toBe(cbor([[hex(validator.pub), 1_000_000]]));
  });

  it("of identities and devices", () => {
    const state = genesisState();
    receiptOf(state, signed(alice, { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(1), nickname: "Al" } }));
    receiptOf(state, signed(alice, { type: "LINK_DEVICE", payload: { x25519_pub_key: deviceKey(2), device_name: "Desk" } }));
    expect(stored(state, "identity", hex(alice.pub))).toBe(cbor([hex(deviceKey(1)), "Al"]));
    expect(stored(state, "devices", hex(alice.pub))).toBe(cbor([[hex(deviceKey(2)), "Desk", SECONDS]]));
    expect(stored(state, "device", hex(deviceKey(2)))).toBe(cbor([hex(alice.pub)]));
    receiptOf(state, signed(alice, { type: "UNLINK_DEVICE", payload: { x25519_pub_key: deviceKey(2) } }));
    expect([stored(state, "devices", hex(alice.pub)), stored(state, "device", hex(deviceKey(2)))]).toEqual([undefined, undefined]);
  });

  it("of contacts, keyed by recipient and requester", () => {
    const state = genesisState();
    const tx = signed(alice, { type: "CONTACT_REQUEST", to: bob.pub, amount: 5_000, payload: { intro: "é" } });
    receiptOf(state, tx);
    const key = hex(bob.pub + alice.pub);
    expect(stored(state, "contact", key)).toBe(cbor([1, "é", 5_000, tx.id, SECONDS]));
    receiptOf(state, signed(bob, { type: "ACCEPT_CONTACT", to: alice.pub, payload: {} }));
    expect(stored(state, "contact", key)).toBe(cbor([2, "é", 5_000, tx.id, SECONDS]));
    receiptOf(state, signed(bob, { type: "BLOCK_CONTACT", to: alice.pub, payload: {} }));
    expect(stored(state, "contact", key)).toBe(cbor([3, "é", 5_000, tx.id, SECONDS]));
  });

  it("of accounts with a history", () => {
    const state = genesisState();
    const tx = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 7, payload: {} });
    finishBlock(state, [{ tx, receipt: receiptOf(state, tx) }], blockContext({ height: 3 }));
    const rolled = (id: string): Buffer => createHash("sha256").update(Buffer.alloc(32)).update(id).digest();
    expect(stored(state, "account", hex(bob.pub))).toBe(cbor([10_000_007, 1, rolled(tx.id)]));
    expect(stored(state, "account", hex(validator.pub))).toBe(cbor([51_000, 1, rolled("reward-3")]));
    expect(stored(state, "supply", Buffer.from("total"))).toBe(cbor([21_050_000]));
  });

  it.each(["80", "830000", "83f60040", "ff"])("a damaged record (%s) stops the process rather than pass for a balance", (bytes) => {
    const state = genesisState();
    state.set("account", hex(alice.pub), hex(bytes));
    state.set("contact", hex(bob.pub + alice.pub), hex("85046000613000"));
    expect(() => readAccount(state, alice.pub)).toThrow();
    expect(() => readContact(state, bob.pub, alice.pub)).toThrow("unknown status");
  });
});

describe("state records of nodes, validators, channels and contracts", () => {
  const ID = "0123456789abcdef0123456789abcdef";

  it("of relays, claims, wallets and counters", () => {
    const world = new LedgerWorld();
    world.run(alice, { type: "REGISTER_RELAY", payload: { x25519_pub_key: deviceKey(1), fee_per_msg_ut: 5, multiaddr: "/x" } });
    world.run(alice, { type: "RELAY_PROOF", payload: { claims: [claimOf(bob, "e1", 7)] } });
    world.run(alice, { type: "BIND_WALLET", payload: bindingOf(alice, bob) });
    world.run(alice, { type: "HEARTBEAT", payload: {} });
    expect(stored(world.state, "relay", hex(alice.pub))).toBe(cbor([hex(deviceKey(1)), 5, "/x"]));
    expect(stored(world.state, "relay_claim", Buffer.concat([hex(bob.pub), Buffer.from("e1")]))).toBe(cbor([hex(alice.pub)]));
    expect(stored(world.state, "wallet", hex(alice.pub))).toBe(cbor([hex(bob.pub)]));
    expect(stored(world.state, "node", hex(alice.pub))).toBe(cbor([1, world.now, 1, 0]));
  });

  it("of the validator set", () => {
    const [first, second] = [actor(11), actor(12)];
    const world = new LedgerWorld(genesisWith([first, second]));
    for (const { pub } of [first, second]) world.run(alice, { type: "TRANSFER", to: pub, amount: 50_000, payload: {} });
    expect(stored(world.state, "validator", hex(first.pub))).toBe(cbor([0, 0, [[0, null]]]));
    world.run(first, { type: "ADD_VALIDATOR", payload: { pub_key: bob.pub } });
    world.run(second, { type: "REMOVE_VALIDATOR", payload: { pub_key: first.pub } });
    expect(stored(world.state, "approval", Buffer.concat([Buffer.of(1), hex(bob.pub)]))).toBe(cbor([[hex(first.pub), world.now]]));
    expect(stored(world.state, "approval", Buffer.concat([Buffer.of(2), hex(first.pub)]))).toBe(cbor([[hex(second.pub), world.now]]));
    world.run(bob, { type: "SLASH", payload: { evidence: doubleVote(first, 1, 2) } });
    const offence = createHash("sha256")
      .update(miniCbor([hex(first.pub), 1, 2, "precommit"]))
      .digest();
    expect(stored(world.state, "offence", offence)).toBe(cbor([hex(bob.pub)]));
    expect(stored(world.state, "unbonding", hex(first.pub))).toBe(cbor([900_000, world.now + 1_814_400]));
    expect(stored(world.state, "validator", hex(first.pub))).toBe(cbor([world.now, world.now + 604_800, [[0, 1]]]));
    expect(stored(world.state, "approval", Buffer.concat([Buffer.of(2), hex(first.pub)]))).toBeUndefined();
    expect(stored(world.state, "node", hex(first.pub))).toBe(cbor([0, 0, 0, 1]));
  });

  it("of channels, open and closed", () => {
    const world = new LedgerWorld();
    const expires_at = world.now + 60;
    world.run(alice, { type: "OPEN_PAY_CHAN", to: bob.pub, amount: 9, payload: { channel_id: ID, expires_at } });
    expect(stored(world.state, "channel", hex(ID))).toBe(cbor([hex(alice.pub), hex(bob.pub), 9, expires_at, null]));
    world.run(bob, {
      type: "CLOSE_PAY_CHAN",
      to: alice.pub,
      payload: { channel_id: ID, paid_ut: 4, voucher_sig: voucherOf(alice, ID, 4) },
    });
    expect(stored(world.state, "channel", hex(ID))).toBe(cbor([hex(alice.pub), hex(bob.pub), 9, expires_at, 4]));
  });

  it("of contracts: record, balance and the contract's own bytes", () => {
    const world = new LedgerWorld();
    const escrow = nativeContractId("escrow");
    const record = stored(world.state, "contract", hex(escrow));
    const abi = readContract(world.state, escrow)?.abiJson ?? "";
    expect(record).toBe(cbor([Buffer.alloc(0), 0, 0, "escrow", abi, Buffer.alloc(0), 0, 0]));
    world.run(alice, callOf("escrow", "open", ["d", bob.pub, "", world.now + 60], { amount: 300 }));
    expect(stored(world.state, "contract_balance", hex(escrow))).toBe(cbor([300]));
    expect(stored(world.state, "contract_state", Buffer.concat([hex(escrow), Buffer.from("e:d:x")]))).toBe("61");
    expect(stored(world.state, "contract_state", Buffer.concat([hex(escrow), Buffer.from("e:d:v")]))).toBe("000000000000012c");
  });
});
