import { beforeEach, describe, expect, it } from "vitest";
import type { SignedIntent } from "#shared/keyring/intents/intents.ts";
import { NO_RULES, type SpendingRules } from "#shared/keyring/intents/spending/spending-rules.ts";
import { MAX_WAITING } from "#shared/keyring/intents/spending/spending-state.ts";
import type { Keyring } from "#shared/keyring/keyring.ts";
import { AppWorld, BOB, CHAIN_ID, CONTRACT, DAY, EVE, HOUR, T } from "#test/support/worlds/app-world.ts";
import { createTestKeyring, ManualTime, MemoryVault } from "#test/support/worlds/keyring-world.ts";

const PASSWORD = "correct horse battery";
const LIMIT: SpendingRules = { ...NO_RULES, dailyUt: 10 * T };
const DELAY: SpendingRules = { ...NO_RULES, delay: { delayMs: 600_000, aboveUt: 5 * T, firstTime: true } };
const refusal = (code: string, details: object = {}): unknown =>
  expect.objectContaining({ code, details: expect.objectContaining(details) });

let time: ManualTime;
let storage: MemoryVault;
let keyring: Keyring;
let blockMs: number;

beforeEach(async () => {
  time = new ManualTime();
  storage = new MemoryVault();
  blockMs = time.nowMs();
  keyring = createTestKeyring(storage, time).keyring;
  await keyring.create({ password: PASSWORD });
  await keyring.setAutoLock({ walletIdleMs: null, fullIdleMs: null, password: PASSWORD });
});

const pass = (ms: number): void => {
  time.sleep(ms);
  blockMs += ms;
};
const pay = (amountUt: number, to = BOB, by = keyring): Promise<SignedIntent> =>
  by.sign({ intent: { kind: "pay", to, amountUt }, chainId: CHAIN_ID, blockMs });
const opened = async (): Promise<Keyring> => {
  const { keyring: other } = createTestKeyring(storage, time);
  await other.unlock({ password: PASSWORD });
  return other;
};
const set = (rules: SpendingRules, password?: string): Promise<unknown> =>
  keyring.setSpendingRules({ rules, blockMs, ...(password !== undefined && { password }) });

describe("a keyring with a daily limit", () => {
  it("signs as before where there are no rules, and writes nothing", async () => {
    const { length } = storage.writes;
    await pay(1_000 * T);
    await keyring.signVoucher({ chainId: CHAIN_ID, channelId: "ab".repeat(16), paidUt: 9 * T });
    expect(await keyring.spending({ blockMs })).toEqual({ rules: NO_RULES, loosened: null, spentUt: 0, leftUt: null, waiting: [] });
    expect(storage.writes).toHaveLength(length);
  });

  it("refuses what goes over it, in this window, in another and after a restart", async () => {
    const other = await opened();
    await set(LIMIT);
    await pay(6 * T);
    const over = refusal("SPENDING_LIMIT", { leftUt: 4 * T - 1_000, fitsInMs: expect.any(Number) });
    await expect(pay(4 * T)).rejects.toEqual(over);
    await expect(pay(4 * T, EVE, other)).rejects.toEqual(over);
    await expect(pay(4 * T, BOB, await opened())).rejects.toEqual(over);
    await expect(keyring.signVoucher({ chainId: CHAIN_ID, channelId: "ab".repeat(16), paidUt: 4 * T })).rejects.toEqual(over);
    await pay(3 * T, EVE, other);
    expect(await keyring.spending({ blockMs })).toMatchObject({ spentUt: 9 * T + 2_000, leftUt: T - 2_000 });
  });

  it("counts before it signs: what could not be stored is not signed", async () => {
    await set(LIMIT);
    storage.failWriteOf = "a";
    await pay(T).catch(() => undefined);
    storage.failWriteOf = storage.writes.at(-1) === "a" ? "b" : "a";
    await expect(pay(T)).rejects.toThrow();
  });

  it("lets payments that are signed at once have the limit together", async () => {
    await set(LIMIT);
    const other = await opened();
    const signed = await Promise.allSettled(Array.from({ length: 8 }, (_, index) => pay(3 * T, BOB, index % 2 === 0 ? keyring : other)));
    expect(signed.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  });

  it("gives the day again by both clocks alone", async () => {
    await set(LIMIT);
    await pay(9 * T);
    time.sleep(30 * DAY);
    await expect(pay(2 * T)).rejects.toEqual(refusal("SPENDING_LIMIT"));
    time.sleep(-30 * DAY);
    const before = blockMs;
    blockMs += 30 * DAY;
    await expect(pay(2 * T)).rejects.toEqual(refusal("SPENDING_LIMIT"));
    blockMs = before;
    pass(25 * HOUR);
    await pay(2 * T);
  });

  it.each([
    ["without it", false],
    ["with an old one", true],
  ])("counts from now on what is signed %s, so that naming the chain's time later frees nothing", async (_, isOld) => {
    await set(LIMIT);
    const old = { blockMs };
    pass(30 * HOUR);
    await keyring.sign({ intent: { kind: "pay", to: EVE, amountUt: 9 * T }, chainId: CHAIN_ID, ...(isOld && old) });
    await expect(pay(9 * T)).rejects.toEqual(refusal("SPENDING_LIMIT"));
    pass(DAY);
    await expect(pay(9 * T)).rejects.toEqual(refusal("SPENDING_LIMIT"));
    pass(HOUR);
    await pay(9 * T);
  });

  it("keeps rules and count through a new password and a reset by the phrase", async () => {
    await set(LIMIT);
    await pay(9 * T);
    const next = "another horse battery 77";
    await keyring.changePassword({ current: PASSWORD, next });
    await expect(pay(2 * T)).rejects.toEqual(refusal("SPENDING_LIMIT"));
    const { words } = await keyring.revealPhrase({ password: next });
    await keyring.resetPassword({ phrase: words.join(" "), password: PASSWORD });
    await expect(pay(2 * T)).rejects.toEqual(refusal("SPENDING_LIMIT"));
  });
});

describe("loosening", () => {
  it("needs the right password and a day of both clocks, and is taken back without either", async () => {
    await set(LIMIT);
    await expect(set(NO_RULES)).rejects.toEqual(refusal("CONFIRMATION_REQUIRED", { decision: "spendingRules" }));
    await expect(set(NO_RULES, "wrong")).rejects.toEqual(refusal("VAULT_WRONG_PASSWORD"));
    expect(await set(NO_RULES, PASSWORD)).toMatchObject({ rules: LIMIT, loosened: { rules: NO_RULES, leftMs: DAY } });
    pass(DAY - 1);
    time.sleep(DAY);
    await expect(pay(11 * T)).rejects.toEqual(refusal("SPENDING_LIMIT"));
    expect(await set(LIMIT)).toMatchObject({ loosened: null });
    await set(NO_RULES, PASSWORD);
    pass(DAY);
    await pay(11 * T);
  });

  it("takes its day from when it was asked for, though the chain's time was kept back then", async () => {
    await set(LIMIT);
    pass(3 * DAY);
    await keyring.setSpendingRules({ rules: NO_RULES, password: PASSWORD });
    await expect(pay(11 * T)).rejects.toEqual(refusal("SPENDING_LIMIT"));
    pass(DAY - 1);
    await expect(pay(11 * T)).rejects.toEqual(refusal("SPENDING_LIMIT"));
    pass(1);
    await pay(11 * T);
  });

  it("holds for good once it was seen to hold, without a node too", async () => {
    await set(LIMIT);
    await set(NO_RULES, PASSWORD);
    pass(DAY);
    expect(await keyring.spending({ blockMs })).toMatchObject({ rules: NO_RULES });
    await keyring.signVoucher({ chainId: CHAIN_ID, channelId: "ab".repeat(16), paidUt: 11 * T });
    const { length } = storage.writes;
    await keyring.spending({ blockMs });
    expect(storage.writes).toHaveLength(length);
  });
});

describe("a payment that waits", () => {
  const hold = (amountUt: number): Promise<{ readonly id: string; readonly leftMs: number }> =>
    keyring.holdPayment({ intent: { kind: "pay", to: BOB, amountUt, memo: "rent" }, chainId: CHAIN_ID, blockMs });

  it("is signed when its time is over, once, through restarts", async () => {
    await set(DELAY);
    await expect(pay(T)).rejects.toEqual(refusal("SPENDING_DELAY", { because: "firstTime", delayMs: 600_000 }));
    const { id, leftMs } = await hold(T);
    expect(leftMs).toBe(600_000);
    keyring = await opened();
    await expect(keyring.signHeldPayment({ id, blockMs })).rejects.toEqual(refusal("SPENDING_DELAY"));
    time.sleep(600_000);
    await expect(keyring.signHeldPayment({ id, blockMs })).rejects.toEqual(refusal("SPENDING_DELAY"));
    blockMs += 600_000;
    const { transaction } = await keyring.signHeldPayment({ id, blockMs });
    expect(transaction).toMatchObject({ to: BOB, amount: T });
    pass(60_000);
    expect((await (await opened()).signHeldPayment({ id, blockMs })).transaction).toEqual(transaction);
    expect((await keyring.spending({ blockMs })).spentUt).toBe(T + 1_000);
    // What was signed may be at a node: nobody is told that it was cancelled.
    await expect(keyring.cancelHeldPayment({ id })).rejects.toEqual(expect.objectContaining({ code: "PAYMENT_UNDER_WAY" }));
    await keyring.cancelHeldPayment({ id, isOver: true });
    await expect(keyring.signHeldPayment({ id, blockMs })).rejects.toEqual(refusal("NOT_FOUND"));
    // Bob is known now.
    await pay(T);
    await expect(pay(5 * T)).rejects.toEqual(refusal("SPENDING_DELAY", { because: "large" }));
  });

  it("waits from when it was held, though the chain's time was kept back then", async () => {
    await set(DELAY);
    pass(DAY);
    const { id } = await keyring.holdPayment({ intent: { kind: "pay", to: BOB, amountUt: T }, chainId: CHAIN_ID });
    await expect(keyring.signHeldPayment({ id, blockMs })).rejects.toEqual(refusal("SPENDING_DELAY"));
    pass(599_999);
    await expect(keyring.signHeldPayment({ id, blockMs })).rejects.toEqual(refusal("SPENDING_DELAY"));
    pass(1);
    await keyring.signHeldPayment({ id, blockMs });
  });

  it("loses no time when another one is cancelled, and goes on after a node that was far ahead, or began without one", async () => {
    await keyring.setSpendingRules({ rules: DELAY });
    const { id } = await keyring.holdPayment({ intent: { kind: "pay", to: BOB, amountUt: T }, chainId: CHAIN_ID });
    const leftMs = async (): Promise<unknown> => (await keyring.spending({ blockMs })).waiting[0]?.leftMs;
    expect(await leftMs()).toBe(600_000);
    pass(300_000);
    expect(await leftMs()).toBe(300_000);
    const other = await hold(T);
    pass(200_000);
    await keyring.cancelHeldPayment({ id: other.id });
    expect(await leftMs()).toBe(100_000);
    blockMs += 999 * DAY;
    const ahead = await hold(T);
    blockMs -= 999 * DAY;
    expect(await leftMs()).toBe(100_000);
    pass(100_000);
    await keyring.signHeldPayment({ id, blockMs });
    expect(ahead.leftMs).toBe(600_000);
  });

  it("is never signed once it was cancelled", async () => {
    await set(DELAY);
    const { id } = await hold(T);
    await (await opened()).cancelHeldPayment({ id });
    pass(DAY);
    await expect(keyring.signHeldPayment({ id, blockMs })).rejects.toEqual(refusal("NOT_FOUND"));
    await expect(pay(T)).rejects.toEqual(refusal("SPENDING_DELAY"));
  });

  it("is held to the limit when it goes out", async () => {
    await set({ ...LIMIT, ...{ delay: DELAY.delay } });
    const { id } = await hold(6 * T);
    const second = await hold(6 * T);
    pass(600_000);
    await keyring.signHeldPayment({ id, blockMs });
    await expect(keyring.signHeldPayment({ id: second.id, blockMs })).rejects.toEqual(refusal("SPENDING_LIMIT"));
    await expect(hold(11 * T)).rejects.toEqual(refusal("SPENDING_LIMIT"));
  });

  it("is confirmed before it waits where it gives lasting power: waiting is no way around the password", async () => {
    await set({ ...NO_RULES, delay: { delayMs: 60_000, aboveUt: 0, firstTime: false } });
    const held = { intent: { kind: "linkDevice", deviceName: "Phone", devicePub: "09".padEnd(64, "0") }, chainId: CHAIN_ID } as const;
    await expect(keyring.holdPayment({ ...held, blockMs })).rejects.toEqual(refusal("CONFIRMATION_REQUIRED", { decision: "linkDevice" }));
    await expect(keyring.holdPayment({ ...held, blockMs, password: "wrong" })).rejects.toEqual(refusal("VAULT_WRONG_PASSWORD"));
    expect((await keyring.spending({ blockMs })).waiting).toEqual([]);
    const { id } = await keyring.holdPayment({ ...held, blockMs, password: PASSWORD });
    pass(60_000);
    expect((await keyring.signHeldPayment({ id, blockMs })).transaction).toMatchObject({ type: "LINK_DEVICE" });
  });

  it("says for which request of a chat it is, through restarts, and lets no second one wait for it", async () => {
    await set(DELAY);
    const chat = { request: "a1".repeat(16), after: null, note: "Tea" };
    const input = { intent: { kind: "pay", to: BOB, amountUt: T }, chainId: CHAIN_ID, blockMs, chat } as const;
    const { id } = await keyring.holdPayment(input);
    await hold(T);
    keyring = await opened();
    expect((await keyring.spending({ blockMs })).waiting).toMatchObject([{ id, chat }, { chat: null }]);
    await expect(keyring.holdPayment(input)).rejects.toEqual(expect.objectContaining({ code: "PAYMENT_UNDER_WAY" }));
    await keyring.cancelHeldPayment({ id });
    expect((await keyring.spending({ blockMs })).waiting).toMatchObject([{ chat: null }]);
    await keyring.holdPayment(input);
  });

  it("is one of a few, and nothing waits that need not", async () => {
    await expect(hold(T)).rejects.toEqual(refusal("BAD_REQUEST"));
    await set(DELAY);
    for (let count = 0; count < MAX_WAITING; count += 1) await hold(T);
    await expect(hold(T)).rejects.toEqual(refusal("UNAVAILABLE"));
    const intent = {
      kind: "callContract",
      contractId: CONTRACT,
      method: "m",
      argsJson: `["${"x".repeat(2_000)}"]`,
      amountUt: T,
      gasLimit: 1_000,
    } as const;
    await expect(keyring.holdPayment({ intent, chainId: CHAIN_ID, blockMs })).rejects.toEqual(refusal("SPENDING_DELAY"));
  });

  it("takes the room of its bytes", async () => {
    await set(DELAY);
    const intent = { kind: "requestContact", to: BOB, amountUt: 5_000, intro: "€".repeat(280) } as const;
    const { id } = await keyring.holdPayment({ intent, chainId: CHAIN_ID, blockMs });
    await keyring.cancelHeldPayment({ id });
    const call = { kind: "callContract", contractId: CONTRACT, method: "m", amountUt: T, gasLimit: 1_000 } as const;
    const argsJson = `["${"€".repeat(400)}"]`;
    await expect(keyring.holdPayment({ intent: { ...call, argsJson }, chainId: CHAIN_ID, blockMs })).rejects.toEqual(
      refusal("SPENDING_DELAY"),
    );
  });
});

describe("a program that was let in", () => {
  it("is held to the person's rules, counted once an order, and leaves no trace of what they refuse", async () => {
    const world = await AppWorld.create();
    const token = await world.connect("Till", ["pay:each=20T,total=100T/day,to=any"]);
    await world.keyring.setSpendingRules({ rules: { ...NO_RULES, dailyUt: 5 * T }, blockMs: world.blockTimeMs });
    const order = world.payment(token, { amountUt: 3 * T });
    const first = await world.apps.pay(order);
    expect(await world.apps.pay(order)).toMatchObject({ ...first, isReplayed: true });
    await world.restart();
    expect(await world.apps.pay(order)).toMatchObject({ ...first, isReplayed: true });
    expect(await world.keyring.spending({ blockMs: world.blockTimeMs })).toMatchObject({ spentUt: 3 * T + 1_000 });
    const over = world.payment(token, { amountUt: 3 * T });
    await expect(world.apps.pay(over)).rejects.toEqual(refusal("SPENDING_LIMIT"));
    expect(await world.apps.pendingOrders()).toHaveLength(1);
    await world.pass(26 * HOUR);
    await world.restart();
    expect(await world.apps.pay({ ...over, notAfterMs: world.blockTimeMs + HOUR })).toMatchObject({
      kind: "transaction",
      isReplayed: false,
    });
  });
});
