// OPEN_PAY_CHAN and CLOSE_PAY_CHAN.
import { beforeEach, describe, expect, it } from "vitest";
import { readChannel } from "#node/ledger/records/channel-records.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import { LedgerWorld, voucherOf } from "#test/support/chain/ledger-payloads.ts";
import type { Actor } from "#test/support/worlds/ledger-world.ts";
import { alice, bob, carol, dump } from "#test/support/worlds/ledger-world.ts";

const ID = "0123456789abcdef0123456789abcdef";

let world: LedgerWorld;
beforeEach(() => {
  world = new LedgerWorld();
});

const open = (lifeS = 3_600, { from = alice, to = bob, amount = 5_000, id = ID } = {}): Receipt =>
  world.run(from, { type: "OPEN_PAY_CHAN", to: to.pub, amount, payload: { channel_id: id, expires_at: world.now + lifeS } });
const close = (from: Actor, to: Actor, paidUt: number, voucher?: string): Receipt =>
  world.run(from, {
    type: "CLOSE_PAY_CHAN",
    to: to.pub,
    payload: { channel_id: ID, paid_ut: paidUt, ...(voucher === undefined ? {} : { voucher_sig: voucher }) },
  });

describe("OPEN_PAY_CHAN", () => {
  it("locks the deposit", () => {
    expect(open()).toMatchObject({ isOk: true, touched: [] });
    expect(world.balance(alice)).toBe(10_000_000 - 6_000);
    expect(world.balance(bob)).toBe(10_000_000);
    const expiresAt = world.now + 3_600;
    expect(readChannel(world.state, ID)).toEqual({
      id: ID,
      payerPub: alice.pub,
      payeePub: bob.pub,
      depositUt: 5_000,
      expiresAt,
      paidUt: undefined,
    });
  });

  it.each([
    [-1, "CHANNEL_EXPIRY"],
    [0, "CHANNEL_EXPIRY"],
    [1, ""],
    [31_536_000, ""],
    [31_536_001, "CHANNEL_EXPIRY"],
  ])("with a life of %i s gives %j", (lifeS, code) => {
    expect(open(lifeS).code).toBe(code);
  });

  it("takes an id once, in either case, even after the channel was closed", () => {
    open();
    expect(open(60, { from: bob, to: carol, id: ID.toUpperCase() }).code).toBe("CHANNEL_EXISTS");
    close(bob, alice, 0);
    expect(open().code).toBe("CHANNEL_EXISTS");
  });

  it("needs another payee and a deposit", () => {
    const payload = { channel_id: ID, expires_at: world.now + 60 };
    expect(world.problemOf(alice, { type: "OPEN_PAY_CHAN", to: alice.pub, amount: 5, payload })?.code).toBe("TX_MALFORMED");
    expect(world.problemOf(alice, { type: "OPEN_PAY_CHAN", to: bob.pub, amount: 0, payload })?.code).toBe("TX_MALFORMED");
    const short = { ...payload, channel_id: ID.slice(2) };
    expect(world.problemOf(alice, { type: "OPEN_PAY_CHAN", to: bob.pub, amount: 1, payload: short })?.code).toBe("TX_MALFORMED");
  });
});

describe("CLOSE_PAY_CHAN", () => {
  it("by the payee pays what the voucher promises and gives the rest back", () => {
    open();
    expect(close(bob, alice, 1_200, voucherOf(alice, ID, 1_200))).toMatchObject({ isOk: true, touched: [] });
    expect([world.balance(alice), world.balance(bob)]).toEqual([10_000_000 - 1_000 - 1_200, 10_000_000 - 1_000 + 1_200]);
    expect(readChannel(world.state, ID)?.paidUt).toBe(1_200);
  });

  it("by the payee works after the expiry too, and for the whole deposit", () => {
    open();
    world.pass(9_999);
    expect(close(bob, alice, 5_000, voucherOf(alice, ID, 5_000)).isOk).toBe(true);
  });

  it("by the payee without a voucher gives everything back, and nothing else", () => {
    open();
    expect(close(bob, alice, 1).code).toBe("CHANNEL_VOUCHER_MISSING");
    expect(close(bob, alice, 0).isOk).toBe(true);
    expect(world.balance(alice)).toBe(9_999_000);
  });

  it("by the payer alone is possible from the expiry on, for any amount", () => {
    open();
    world.pass(3_599);
    expect(close(alice, bob, 0).code).toBe("CHANNEL_NOT_EXPIRED");
    world.pass(1);
    expect(close(alice, bob, 300).isOk).toBe(true);
    expect(world.balance(bob)).toBe(10_000_300);
  });

  it.each<[string, number, () => string]>([
    ["another amount", 1_201, (): string => voucherOf(alice, ID, 1_200)],
    ["another channel", 1_200, (): string => voucherOf(alice, "00".repeat(16), 1_200)],
    ["the payee's own signature", 1_200, (): string => voucherOf(bob, ID, 1_200)],
  ])("refuses a voucher for %s", (_name, paidUt, voucher) => {
    open();
    const payload = { channel_id: ID, paid_ut: paidUt, voucher_sig: voucher() };
    expect(world.problemOf(bob, { type: "CLOSE_PAY_CHAN", to: alice.pub, payload })?.code).toBe("TX_SIGNATURE");
  });

  it("never pays more than the deposit, and pays once", () => {
    open();
    expect(close(bob, alice, 5_001, voucherOf(alice, ID, 5_001)).code).toBe("CHANNEL_OVERDRAWN");
    close(bob, alice, 10, voucherOf(alice, ID, 10));
    const before = dump(world.state).filter((line) => !line.startsWith(`account ${bob.pub}`));
    expect(close(bob, alice, 10, voucherOf(alice, ID, 10)).code).toBe("CHANNEL_NOT_FOUND");
    expect(dump(world.state).filter((line) => !line.startsWith(`account ${bob.pub}`))).toEqual(before);
  });

  it("is for the two parties, who name each other", () => {
    open();
    world.run(alice, { type: "TRANSFER", to: carol.pub, amount: 50_000, payload: {} });
    world.pass(9_999);
    expect(close(carol, alice, 10, voucherOf(alice, ID, 10)).code).toBe("CHANNEL_NOT_FOUND");
    expect(close(bob, carol, 10, voucherOf(carol, ID, 10)).code).toBe("CHANNEL_NOT_FOUND");
    expect(close(alice, carol, 0).code).toBe("CHANNEL_NOT_FOUND");
  });
});
