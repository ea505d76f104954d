// The bytes of state records: part of the state root, so pinned here by a second encoder.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { finishBlock } from "#node/ledger/execute.ts";
import { readAccount, readContact } from "#node/ledger/records.ts";
import type { Namespace } from "#node/ledger/state-view.ts";
import type { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { alice, blockContext, bob, deviceKey, genesisState, receiptOf, START_MS, signed, validator } from "#test/support/ledger-world.ts";
import { miniCbor } from "#test/support/mini-cbor.ts";

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
