// Every rule of every transaction type, on real state.
import { beforeEach, describe, expect, it } from "vitest";
import { readAccount, readContact, readDevice, readDevices, readIdentity } from "#node/ledger/records/records.ts";
import type { OverlayStateView } from "#node/state/overlay-state-view.ts";
import {
  alice,
  bob,
  carol,
  type Draft,
  deviceKey,
  dump,
  genesisState,
  receiptOf,
  START_MS,
  signed,
} from "#test/support/worlds/ledger-world.ts";

let state: OverlayStateView;
beforeEach(() => {
  state = genesisState();
});

const balance = (pub: string): number => readAccount(state, pub).balanceUt;

describe("TRANSFER", () => {
  it("moves the amount and takes the fee", () => {
    const tx = signed(alice, { type: "TRANSFER", to: carol.pub, amount: 2_000_000, fee: 1_500, payload: { memo: "rent" } });
    expect(receiptOf(state, tx)).toEqual({ txId: tx.id, isOk: true, code: "", feeUt: 1_500, gasUsed: 0, logs: [], touched: [] });
    expect(balance(alice.pub)).toBe(7_998_500);
    expect(balance(carol.pub)).toBe(2_000_000);
  });

  it("to oneself costs the fee only", () => {
    expect(receiptOf(state, signed(alice, { type: "TRANSFER", to: alice.pub, amount: 5, payload: {} })).isOk).toBe(true);
    expect(balance(alice.pub)).toBe(9_999_000);
  });

  it("spends the balance to the last µT, and not one more", () => {
    const tooMuch = signed(alice, { type: "TRANSFER", to: carol.pub, amount: 9_999_001, payload: {} });
    expect(receiptOf(state, tooMuch)).toMatchObject({ isOk: false, code: "INSUFFICIENT_BALANCE", feeUt: 1_000 });
    expect(balance(carol.pub)).toBe(0);
    const rest = signed(alice, { type: "TRANSFER", to: carol.pub, amount: 9_998_000, payload: {} });
    expect(receiptOf(state, rest).isOk).toBe(true);
    expect(balance(alice.pub)).toBe(0);
  });
});

describe("REGISTER_KEY", () => {
  it("publishes key and nickname, and a repeat replaces both", () => {
    receiptOf(state, signed(alice, { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(21).toUpperCase(), nickname: "Alice" } }));
    expect(readIdentity(state, alice.pub)).toEqual({ x25519Pub: deviceKey(21), nickname: "Alice" });
    receiptOf(state, signed(alice, { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(22) } }));
    expect(readIdentity(state, alice.pub)).toEqual({ x25519Pub: deviceKey(22), nickname: "" });
    expect(readIdentity(state, bob.pub)).toBeUndefined();
  });

  it("refuses the key of another identity's device and takes that of one's own", () => {
    receiptOf(state, signed(alice, { type: "LINK_DEVICE", payload: { x25519_pub_key: deviceKey(21), device_name: "desk" } }));
    const register = { type: "REGISTER_KEY", payload: { x25519_pub_key: deviceKey(21) } } as const;
    expect(receiptOf(state, signed(bob, register)).code).toBe("KEY_IN_USE");
    expect(receiptOf(state, signed(alice, register)).isOk).toBe(true);
  });
});

describe("LINK_DEVICE and UNLINK_DEVICE", () => {
  const link = (n: number): Draft<"LINK_DEVICE"> => ({
    type: "LINK_DEVICE",
    payload: { x25519_pub_key: deviceKey(n), device_name: `device ${n}` },
  });
  const unlink = (n: number): Draft<"UNLINK_DEVICE"> => ({ type: "UNLINK_DEVICE", payload: { x25519_pub_key: deviceKey(n) } });

  it("lists devices in order of linking with the block's time", () => {
    receiptOf(state, signed(alice, link(30)), { timeMs: START_MS + 1_999 });
    receiptOf(state, signed(alice, link(20)));
    expect(readDevices(state, alice.pub)).toEqual([
      { masterPub: alice.pub, x25519Pub: deviceKey(30), name: "device 30", addedAt: START_MS / 1000 + 1 },
      { masterPub: alice.pub, x25519Pub: deviceKey(20), name: "device 20", addedAt: START_MS / 1000 + 1 },
    ]);
    expect(readDevice(state, deviceKey(20).toUpperCase())?.masterPub).toBe(alice.pub);
  });

  it("refuses a key that is active with anyone and takes it again after it was unlinked", () => {
    receiptOf(state, signed(alice, link(20)));
    expect(receiptOf(state, signed(alice, link(20))).code).toBe("DEVICE_ALREADY_ACTIVE");
    expect(receiptOf(state, signed(bob, link(20))).code).toBe("KEY_IN_USE");
    expect(receiptOf(state, signed(bob, unlink(20))).code).toBe("DEVICE_NOT_ACTIVE");
    expect(receiptOf(state, signed(alice, unlink(20))).isOk).toBe(true);
    expect(readDevice(state, deviceKey(20))).toBeUndefined();
    expect(readDevices(state, alice.pub)).toEqual([]);
    expect(receiptOf(state, signed(alice, unlink(20))).code).toBe("DEVICE_NOT_ACTIVE");
    expect(receiptOf(state, signed(bob, link(20))).isOk).toBe(true);
  });

  it("allows 32 active devices and room again after one is unlinked", () => {
    for (let n = 0; n < 32; n += 1) expect(receiptOf(state, signed(alice, link(100 + n))).isOk).toBe(true);
    expect(receiptOf(state, signed(alice, link(140))).code).toBe("DEVICE_LIMIT");
    receiptOf(state, signed(alice, unlink(110)));
    expect(receiptOf(state, signed(alice, link(140))).isOk).toBe(true);
    expect(readDevices(state, alice.pub)).toHaveLength(32);
  });
});

describe("contacts", () => {
  const request = { type: "CONTACT_REQUEST", to: bob.pub, amount: 5_000, payload: { intro: "Hi, it is Alice" } } as const;
  const accept = { type: "ACCEPT_CONTACT", to: alice.pub, payload: {} } as const;
  const block = { type: "BLOCK_CONTACT", to: alice.pub, payload: {} } as const;
  const status = (): string | undefined => readContact(state, bob.pub, alice.pub)?.status;

  it("a request pays the recipient and is pending", () => {
    const tx = signed(alice, { ...request, amount: 7_000 });
    receiptOf(state, tx);
    expect(balance(bob.pub)).toBe(10_007_000);
    expect(balance(alice.pub)).toBe(9_992_000);
    expect(readContact(state, bob.pub, alice.pub)).toEqual({
      recipientPub: bob.pub,
      requesterPub: alice.pub,
      status: "pending",
      intro: "Hi, it is Alice",
      feeUt: 7_000,
      txId: tx.id,
      createdAt: START_MS / 1000 + 1,
    });
    expect(readContact(state, alice.pub, bob.pub)).toBeUndefined();
  });

  it("a second request is refused while pending and after acceptance, and pays nothing", () => {
    receiptOf(state, signed(alice, request));
    expect(receiptOf(state, signed(alice, request)).code).toBe("CONTACT_PENDING");
    receiptOf(state, signed(bob, accept));
    expect(status()).toBe("accepted");
    expect(receiptOf(state, signed(alice, request)).code).toBe("CONTACT_ACCEPTED");
    expect(balance(bob.pub)).toBe(10_000_000 + 5_000 - 1_000);
  });

  it("a block works from every state and stops requests", () => {
    for (const before of [[], [signed(alice, request)], [signed(bob, accept)], []]) {
      for (const tx of before) receiptOf(state, tx);
      expect(receiptOf(state, signed(bob, block)).isOk).toBe(true);
      expect(status()).toBe("blocked");
      expect(receiptOf(state, signed(alice, request)).code).toBe("CONTACT_BLOCKED");
      receiptOf(state, signed(bob, accept));
    }
  });

  it("only the recipient lifts a block, and accepting needs something to accept", () => {
    expect(receiptOf(state, signed(bob, accept)).code).toBe("CONTACT_NOT_FOUND");
    receiptOf(state, signed(bob, block));
    expect(receiptOf(state, signed(alice, { ...accept, to: bob.pub })).code).toBe("CONTACT_NOT_FOUND");
    expect(status()).toBe("blocked");
    expect(receiptOf(state, signed(bob, accept)).isOk).toBe(true);
    expect(status()).toBe("accepted");
    expect(receiptOf(state, signed(bob, accept)).code).toBe("CONTACT_ACCEPTED");
  });

  it("blocking keeps what the request said; one who never asked stands with the block's own transaction", () => {
    const asked = signed(alice, request);
    receiptOf(state, asked);
    receiptOf(state, signed(bob, block));
    expect(readContact(state, bob.pub, alice.pub)).toMatchObject({ txId: asked.id, intro: request.payload.intro, feeUt: 5_000 });
    const unasked = signed(bob, { ...block, to: carol.pub });
    receiptOf(state, unasked);
    expect(readContact(state, bob.pub, carol.pub)).toMatchObject({ txId: unasked.id, intro: "", feeUt: 0, status: "blocked" });
  });

  it("a request that fails changes nothing but the fee", () => {
    receiptOf(state, signed(bob, block));
    const others = (): readonly string[] => dump(state).filter((line) => !line.startsWith(`account ${alice.pub}`));
    const before = others();
    receiptOf(state, signed(alice, request));
    expect(others()).toEqual(before);
    expect(balance(alice.pub)).toBe(9_999_000);
  });
});
