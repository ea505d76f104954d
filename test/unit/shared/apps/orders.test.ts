import { beforeEach, describe, expect, it } from "vitest";
import type { OrderResult } from "#shared/apps/messages/orders.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { isIdAuthentic, signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { fromBase64, fromHex } from "#shared/util/bytes.ts";
import { APP_PASSWORD, AppWorld, BOB, CHAIN_ID, CONTRACT, HOUR, T, transactionOf } from "#test/support/worlds/app-world.ts";

const MINUTE = 60_000;
const refusal = (code: string, details: object = {}): unknown =>
  expect.objectContaining({ code, details: expect.objectContaining(details) });

let world: AppWorld;
let token: string;

beforeEach(async () => {
  world = await AppWorld.create();
  token = await world.connect("Till", ["pay:each=2T,total=10T/day,to=any"]);
});

const leftUt = async (of = token): Promise<number | undefined> => (await world.apps.authenticate({ token: of })).left[0]?.leftUt;
const approvalOf = (result: OrderResult): string => (result.kind === "approval" ? result.approval : "none");

describe("an order within its limits", () => {
  it("is signed, and the transaction is the wallet's own", async () => {
    const transaction = transactionOf(await world.pay(token, { memo: "bread" }));
    expect(transaction).toMatchObject({ type: "TRANSFER", to: BOB, amount: T, fee: 1_000 });
    expect(isIdAuthentic(CHAIN_ID, transaction)).toBe(true);
    expect(verifyZip215(fromBase64(transaction.signature), signedBytes(transaction), fromHex(transaction.from))).toBe(true);
  });

  it("is signed once under a key, whatever happens in between", async () => {
    const order = world.payment(token);
    const first = transactionOf(await world.apps.pay(order));
    expect(await world.apps.pay(order)).toMatchObject({ id: first.id, isReplayed: true, transaction: first });
    await world.pass(MINUTE);
    await world.restart();
    expect(await world.apps.pay(order)).toMatchObject({ id: first.id, isReplayed: true, transaction: first });
    expect(await world.apps.pendingOrders()).toEqual([{ id: first.id, timestampMs: Date.parse(first.timestamp) }]);
    await world.apps.settle({ outcomes: [{ id: first.id, state: "committed", height: 3 }] });
    expect(await world.apps.pay(order)).toEqual({ kind: "transaction", id: first.id, state: "committed", isReplayed: true });
    expect(await world.apps.findOrder({ token, idempotencyKey: order.idempotencyKey })).toMatchObject({ state: "committed" });
    expect(await world.apps.pendingOrders()).toEqual([]);
  });

  it("is named as paid once it is in a block, for two days, and not where it is not", async () => {
    const orders = [world.payment(token), world.payment(token), world.payment(token)];
    const ids: string[] = [];
    for (const order of orders) ids.push(transactionOf(await world.apps.pay(order)).id);
    expect(await world.apps.paidOrders({ after: 0 })).toEqual([]);
    await world.apps.settle({
      outcomes: [
        { id: ids[0] ?? "", state: "committed", height: 3 },
        { id: ids[1] ?? "", state: "failed", height: 3 },
      ],
    });
    const paid = await world.apps.paidOrders({ after: 0 });
    expect(paid).toMatchObject([{ id: ids[0], connection: (await world.apps.authenticate({ token })).id }]);
    expect(await world.apps.paidOrders({ after: paid[0]?.n ?? 0 })).toEqual([]);
    expect(await world.apps.paidOrders({ after: (paid[0]?.n ?? 0) - 1 })).toEqual(paid);
    await world.restart();
    expect(await world.apps.paidOrders({ after: 0 })).toEqual(paid);
    await world.pass(48 * HOUR);
    expect(await world.apps.paidOrders({ after: 0 })).toEqual([]);
  });

  it("pays the smallest fee of the network, and the one that was reserved where another holds by now", async () => {
    const caller = await world.connect("Caller", [`call:contract=${CONTRACT},methods=mint,each=1T,total=1T/day`]);
    const payment = { ...world.payment(token), leastFeeUt: 4_000 };
    const call = { ...world.callOrder(caller, { amountUt: 5 }), leastFeeUt: 4_000 };
    const [paid, called] = [transactionOf(await world.apps.pay(payment)), transactionOf(await world.apps.call(call))];
    expect([paid.fee, called.fee]).toEqual([4_000, 4_000]);
    expect([await leftUt(), await leftUt(caller)]).toEqual([9 * T - 4_000, T - 5 - 4_000 - 1_000]);
    await world.restart();
    for (const leastFeeUt of [1_000, 8_000]) {
      expect(transactionOf(await world.apps.pay({ ...payment, leastFeeUt }))).toEqual(paid);
      expect(transactionOf(await world.apps.call({ ...call, leastFeeUt }))).toEqual(called);
    }
  });

  it("goes to the key that the name had, though the name has another by now", async () => {
    const order = world.payment(token, { recipient: "@bobby", to: BOB });
    const first = transactionOf(await world.apps.pay(order));
    expect(transactionOf(await world.apps.pay({ ...order, to: "00".repeat(32) }))).toEqual(first);
  });

  it("counts amount, fee and most gas", async () => {
    const caller = await world.connect("Caller", [`call:contract=${CONTRACT},methods=mint,each=1T,total=1T/day`]);
    transactionOf(await world.apps.call(world.callOrder(caller, { amountUt: 500_000 })));
    expect(await leftUt(caller)).toBe(T - 500_000 - 1_000 - 1_000);
  });

  it("is not activity of the person: the wallet locks on time", async () => {
    for (let minutes = 0; minutes < 6; minutes += 1) {
      world.time.advance(MINUTE);
      if (minutes < 4) transactionOf(await world.pay(token));
    }
    expect((await world.keyring.status()).state).toBe("walletLocked");
    await expect(world.pay(token)).rejects.toEqual(refusal("APP_LOCKED", { wallet: true }));
  });
});

describe("a reservation", () => {
  it("is freed when the payment can no longer enter a block, by the chain's time and by the clock", async () => {
    const order = world.payment(token);
    const { id } = transactionOf(await world.apps.pay(order));
    const absent = (): Promise<void> =>
      world.apps.settle({ outcomes: [{ id, state: "absent", height: world.height, blockTimeMs: world.blockTimeMs }] });
    await absent();
    await world.block(TX_WINDOW_MS + 1_000);
    await absent();
    expect(await leftUt()).toBe(9 * T - 1_000);
    world.time.sleep(TX_WINDOW_MS);
    await absent();
    expect(await leftUt()).toBe(9 * T - 1_000);
    world.time.sleep(2_000);
    await absent();
    expect(await leftUt()).toBe(10 * T);
    expect(await world.apps.pay(order)).toEqual({ kind: "transaction", id, state: "expired", isReplayed: true });
  });

  it("counts again when the payment is found on the chain after all", async () => {
    const { id } = transactionOf(await world.pay(token));
    await world.pass(TX_WINDOW_MS + 2_000);
    await world.apps.settle({ outcomes: [{ id, state: "absent", height: 2, blockTimeMs: world.blockTimeMs }] });
    await world.apps.history({
      transactions: [{ id, type: "TRANSFER", totalUt: T + 1_000, height: 2, hasFailed: false }],
      isComplete: true,
    });
    expect(await leftUt()).toBe(9 * T - 1_000);
    expect((await world.apps.authenticate({ token })).isResting).toBe(false);
  });
});

describe("an order above a limit", () => {
  it("is asked about, and signed once when the person agrees", async () => {
    const order = world.payment(token, { amountUt: 3 * T });
    const asked = await world.apps.pay(order);
    expect(await world.apps.pay(order)).toEqual({ ...asked, isReplayed: true });
    const { approvals } = await world.approval.overview();
    expect(approvals).toMatchObject([
      { name: "Till", amountUt: 3 * T, totalUt: 3 * T + 1_000, eachUt: 2 * T, leftUt: 10 * T, action: "pay" },
    ]);
    await world.approval.approve({ id: approvalOf(asked) });
    const approved = world.events.find(({ event }) => event === "approved");
    expect(approved).toMatchObject({ result: { kind: "transaction", state: "pending", transaction: { amount: 3 * T } } });
    expect(await world.apps.pay(order)).toMatchObject({ kind: "transaction", isReplayed: true, transaction: { amount: 3 * T } });
    await expect(world.approval.approve({ id: approvalOf(asked) })).rejects.toEqual(refusal("NOT_FOUND"));
    expect(await leftUt()).toBe(7 * T - 1_000);
  });

  it("stays refused under its key", async () => {
    const order = world.payment(token, { amountUt: 3 * T });
    await world.approval.refuse({ id: approvalOf(await world.apps.pay(order)) });
    for (const restarts of [false, true]) {
      if (restarts) await world.restart();
      await expect(world.apps.pay(order)).rejects.toEqual(refusal("APP_DENIED", { replayed: true }));
    }
    expect(await leftUt()).toBe(10 * T);
  });

  it.each(["five minutes", "a restart", "a lock"])("lapses with %s, and cannot be agreed to any more", async (what) => {
    const order = world.payment(token, { amountUt: 3 * T });
    const id = approvalOf(await world.apps.pay(order));
    if (what === "five minutes") world.time.sleep(5 * MINUTE);
    else if (what === "a restart") await world.restart();
    else {
      await world.keyring.lock();
      await world.keyring.unlock({ password: "correct horse battery" });
    }
    await expect(world.approval.approve({ id })).rejects.toEqual(refusal("NOT_FOUND"));
    await expect(world.apps.pay(order)).rejects.toEqual(refusal("APP_DENIED", { replayed: true }));
  });

  it("is too late when the program's own time is over", async () => {
    const order = world.payment(token, { amountUt: 3 * T, notAfterMs: world.blockTimeMs + MINUTE });
    const id = approvalOf(await world.apps.pay(order));
    await world.block(2 * MINUTE);
    await expect(world.approval.approve({ id })).rejects.toEqual(refusal("APP_TOO_LATE"));
    await expect(world.apps.pay(order)).rejects.toEqual(refusal("APP_TOO_LATE", { replayed: true }));
  });

  it("silences the program for an hour after two refusals, also over a restart", async () => {
    for (let i = 0; i < 2; i += 1) await world.approval.refuse({ id: approvalOf(await world.pay(token, { amountUt: 3 * T })) });
    await expect(world.pay(token)).rejects.toEqual(refusal("APP_SILENCED", { retryAfterS: 3_600 }));
    await world.restart();
    world.time.sleep(HOUR - 1_000);
    await expect(world.pay(token)).rejects.toEqual(refusal("APP_SILENCED", { retryAfterS: 1 }));
    world.time.sleep(2_000);
    await world.restart();
    transactionOf(await world.pay(token));
  });

  it("waits three at a time for one program, ten for all", async () => {
    const tokens = [token];
    for (const name of ["Anna", "Cleo", "Dora"]) {
      world.time.sleep(HOUR / 4);
      await world.restart();
      tokens.push(await world.connect(name, ["pay:each=1T,total=1T/day,to=any,ask=always"]));
    }
    const outcomes: string[] = [];
    for (const each of tokens)
      for (let i = 0; i < 4; i += 1)
        outcomes.push(
          await world.pay(each, { amountUt: 3 * T }).then(
            ({ kind }) => kind,
            (error: { code: string }) => error.code,
          ),
        );
    const three = ["approval", "approval", "approval", "RATE_LIMITED"];
    expect(outcomes).toEqual([...three, ...three, ...three, "approval", "RATE_LIMITED", "RATE_LIMITED", "RATE_LIMITED"]);
  });
});

describe("an order under a key", () => {
  it("is refused with another body", async () => {
    const order = world.payment(token);
    await world.apps.pay(order);
    for (const change of [{ amountUt: T + 1 }, { memo: "x" }, { recipient: "@evelyn" }, { notAfterMs: order.notAfterMs + 1 }])
      await expect(world.apps.pay({ ...order, ...change })).rejects.toEqual(refusal("APP_KEY_REUSED"));
  });

  it("is answered where no account has the name any more, and a new one is not placed", async () => {
    const order = world.payment(token, { recipient: "@robert" });
    const { id } = transactionOf(await world.apps.pay(order));
    expect(await world.apps.pay({ ...order, to: null })).toMatchObject({ id, isReplayed: true });
    await expect(world.apps.pay(world.payment(token, { recipient: "@robert", to: null }))).rejects.toEqual(refusal("NOT_FOUND"));
  });

  it("is no other connection's", async () => {
    const other = await world.connect("Other", ["pay:each=2T,total=10T/day,to=any"]);
    const order = world.payment(token);
    const { id } = transactionOf(await world.apps.pay(order));
    await expect(world.apps.findOrder({ token: other, idempotencyKey: order.idempotencyKey })).rejects.toEqual(refusal("NOT_FOUND"));
    expect(transactionOf(await world.apps.pay({ ...order, token: other })).id).not.toBe(id);
    expect((await world.apps.readJournal({ token: other, after: 0, limit: 200 })).lines.map(({ action }) => action)).toEqual([
      "connect",
      "pay",
    ]);
  });

  it("begins within a day of the chain's time, and never after its own", async () => {
    await expect(world.pay(token, { notAfterMs: world.blockTimeMs - 1 })).rejects.toEqual(refusal("APP_TOO_LATE"));
    await expect(world.pay(token, { notAfterMs: world.blockTimeMs + 24 * HOUR + 1 })).rejects.toEqual(refusal("BAD_REQUEST"));
  });
});

describe("the journal", () => {
  it("tells the person and the program what happened, in order, each line with the hash before", async () => {
    const asked = await world.pay(token, { amountUt: 3 * T });
    await world.approval.approve({ id: approvalOf(asked) });
    const { lines } = await world.apps.readJournal({ token, after: 0, limit: 200 });
    expect(lines.map(({ n, action, outcome, amountUt }) => [n, action, outcome, amountUt])).toEqual([
      [1, "connect", "done", 0],
      [2, "pay", "asked", 3 * T + 1_000],
      [3, "pay", "reserved", 3 * T + 1_000],
    ]);
    expect(new Set(lines.map(({ prev }) => prev)).size).toBe(3);
    const log = await world.approval.log({ limit: 2 });
    expect([log.lines.map(({ n }) => n), log.hasMore]).toEqual([[3, 2], true]);
    expect((await world.approval.log({ before: 2, limit: 2 })).lines.map(({ n }) => n)).toEqual([1]);
  });

  it("takes in a full one what came of its lines: what waited is over, what was paid is paid, and connections end", async () => {
    const asked = world.payment(token, { amountUt: 3 * T });
    await world.apps.pay(asked);
    const { id } = transactionOf(await world.pay(token));
    const writer = await world.connect("Writer", ["messages.send:to=replies,rate=3/day"]);
    const message = { token: writer, idempotencyKey: "message-00000001" };
    await world.apps.orderMessage({ ...message, notAfterMs: world.blockTimeMs + HOUR, to: BOB, bodyHash: "ab".repeat(16) });
    world.maxJournalBytes = world.journal.bytes?.length ?? 0;
    await world.restart();
    await expect(world.pay(token)).rejects.toEqual(refusal("UNAVAILABLE"));
    await expect(world.apps.pay(asked)).rejects.toEqual(refusal("APP_DENIED"));
    await world.apps.settle({ outcomes: [{ id, state: "committed", height: 2 }] });
    expect(await world.apps.pendingOrders()).toEqual([]);
    await world.apps.settleMessage({ ...message, isSent: false });
    await world.apps.endConnection({ token });
    await expect(world.apps.authenticate({ token })).rejects.toEqual(refusal("APP_ENDED"));
  });

  it("holds no memo, and nothing in the clear", async () => {
    await world.pay(token, { memo: "secret bread" });
    for (const bytes of [world.journal.bytes, ...world.copies.copies.values()]) {
      const text = new TextDecoder("latin1").decode(bytes);
      for (const secret of ["secret bread", BOB, "Till", token]) expect(text).not.toContain(secret);
    }
  });
});

describe("invoices", () => {
  it("have a memo of their own, once under a key, and are no other connection's", async () => {
    const shop = await world.connect("Shop", ["invoices"]);
    const other = await world.connect("Other", ["invoices"]);
    const order = { token: shop, idempotencyKey: "invoice-0000000001", amountUt: T, expiresAtMs: world.blockTimeMs + HOUR };
    const invoice = await world.apps.createInvoice(order);
    expect(invoice.id).toMatch(/^inv_[0-9a-f]{16}$/);
    await world.restart();
    expect(await world.apps.createInvoice(order)).toEqual(invoice);
    await expect(world.apps.createInvoice({ ...order, amountUt: 2 * T })).rejects.toEqual(refusal("APP_KEY_REUSED"));
    expect(await world.apps.listInvoices({ token: shop })).toEqual([invoice]);
    expect(await world.apps.listInvoices({ token: other })).toEqual([]);
    await expect(world.apps.createInvoice({ ...order, token })).rejects.toEqual(refusal("APP_SCOPE"));
  });
});

describe("a program whose order waits for the wallet", () => {
  it("is named to the person once, until the wallet is unlocked, its connection ends, or an hour has passed", async () => {
    const waiting = async (): Promise<readonly string[]> => (await world.approval.overview()).waiting.map(({ name }) => name);
    await world.keyring.lockWallet();
    await world.apps.noteWaiting({ token });
    await world.apps.noteWaiting({ token });
    expect(await waiting()).toEqual(["Till"]);
    await world.keyring.unlock({ password: APP_PASSWORD });
    expect(await waiting()).toEqual([]);
    await world.keyring.lockWallet();
    expect(await waiting()).toEqual([]);
    await world.apps.noteWaiting({ token });
    await world.pass(HOUR - 1);
    expect(await waiting()).toEqual(["Till"]);
    await world.pass(1);
    expect(await waiting()).toEqual([]);
    await world.apps.noteWaiting({ token });
    await world.apps.endConnection({ token });
    expect(await waiting()).toEqual([]);
  });

  it("may spend, or is not named", async () => {
    const reader = await world.connect("Reader", ["wallet"]);
    await expect(world.apps.noteWaiting({ token: reader })).rejects.toMatchObject({ code: "APP_SCOPE" });
  });
});
