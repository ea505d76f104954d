// Limits of a period, over time and over ends of processes: on a real socket, with the real keyring and a real chain behind it. What left the
// wallet is read from the chain.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectionIdOf } from "#shared/apps/judging/app-tokens.ts";
import { APP_PASSWORD, BOB, DAY, EVE, HOUR, T } from "#test/support/worlds/app-world.ts";
import { ConnectedWorld } from "#test/support/worlds/connected-world.ts";
import type { GatewayResponse } from "#test/support/worlds/gateway-world.ts";

const FEE = 1_000;
const SPEND = T - FEE;
/** Three payments of the most that one may be are all that the total allows. */
const GRANT = ["pay:each=1T,total=3T/day,to=any,ask=never"];

let world: ConnectedWorld;
let token: string;
beforeEach(async () => {
  world = await ConnectedWorld.create();
  token = await world.connect("Till", GRANT);
});
afterEach(() => world[Symbol.asyncDispose]());

const codeOf = ({ status, body }: GatewayResponse): string => (status < 300 ? String(body.state ?? status) : String(body.code));
const pay = async (changes = {}, used = token): Promise<string> => codeOf(await world.pay(used, { to: BOB, amount_ut: SPEND, ...changes }));

async function payAll(): Promise<void> {
  for (let count = 0; count < 3; count += 1) expect(await pay()).toBe("pending");
  expect(await pay()).toBe("APP_LIMIT");
  expect(await world.spentUt()).toBe(3 * T);
}

describe("in sum", () => {
  it("many payments below each, and the smallest one after them", async () => {
    await payAll();
    expect(await pay({ amount_ut: 1 })).toBe("APP_LIMIT");
    expect(await world.spentUt()).toBe(3 * T);
  });

  it("to other recipients, under other keys, with other memos", async () => {
    await payAll();
    for (const changes of [{ to: EVE }, { memo: "another" }, { idempotency_key: "k".repeat(64) }])
      expect([changes, await pay(changes)]).toEqual([changes, "APP_LIMIT"]);
    expect(await world.spentUt()).toBe(3 * T);
  });

  it("ten at once on ten sockets", async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => pay()));
    expect(outcomes.filter((outcome) => outcome === "pending")).toHaveLength(3);
    // Eight sockets, ten requests for money at once: some are refused before the keyring is asked.
    expect(outcomes.filter((outcome) => outcome === "APP_LIMIT" || outcome === "RATE_LIMITED")).toHaveLength(7);
    expect(await world.spentUt()).toBe(3 * T);
  });

  it("two at once for what is left for one", async () => {
    await pay();
    await pay();
    expect((await Promise.all([pay(), pay()])).sort()).toEqual(["APP_LIMIT", "pending"]);
    expect(await world.spentUt()).toBe(3 * T);
  });

  it("of two programs at once, each to its own total", async () => {
    const other = await world.connect("Other", GRANT);
    const outcomes = await Promise.all([token, other].flatMap((used) => Array.from({ length: 4 }, () => pay({}, used))));
    expect(outcomes.filter((outcome) => outcome === "pending")).toHaveLength(6);
    expect(await world.spentUt()).toBe(6 * T);
  });
});

describe("over time", () => {
  it("a part of the period before its end, nothing is free; a part after it, all is, once", async () => {
    await payAll();
    await world.pass(DAY - HOUR);
    await world.unlock();
    expect(await pay()).toBe("APP_LIMIT");
    await world.pass(2 * HOUR);
    await world.unlock();
    for (let count = 0; count < 3; count += 1) expect(await pay()).toBe("pending");
    expect(await pay()).toBe("APP_LIMIT");
    expect(await world.spentUt()).toBe(6 * T);
  });

  it("across the boundary of a part: what was paid before it counts a whole period more", async () => {
    for (let count = 0; count < 3; count += 1) {
      expect(await pay()).toBe("pending");
      expect(await world.spentUt()).toBe((count + 1) * T);
      await world.pass(HOUR);
      await world.unlock();
    }
    await world.pass(DAY - 3 * HOUR - 1);
    await world.unlock();
    expect(await pay()).toBe("APP_LIMIT");
    await world.pass(2 * HOUR);
    await world.unlock();
    expect(await pay()).toBe("pending");
    expect(await pay()).toBe("APP_LIMIT");
    expect(await world.spentUt()).toBe(4 * T);
  });

  it.each<readonly [string, () => Promise<void>]>([
    ["the computer's clock put forward", async (): Promise<void> => world.app.time.sleep(2 * DAY)],
    ["the computer's clock put back", async (): Promise<void> => world.app.time.sleep(-2 * DAY)],
    ["a chain whose time runs ahead", (): Promise<void> => world.block(2 * DAY)],
    [
      "the clock forward, the keyring killed, and back",
      async (): Promise<void> => {
        world.app.time.sleep(2 * DAY);
        await world.restartKeyring();
        world.app.time.sleep(-2 * DAY);
      },
    ],
    ["the keyring killed", (): Promise<void> => world.restartKeyring()],
    [
      "the gateway killed",
      async (): Promise<void> => {
        await world.stopGateway();
        await world.startGateway();
      },
    ],
    [
      "a new token",
      async (): Promise<void> => {
        token = String((await world.send("/apps/v1/token", { method: "POST", token })).body.token);
      },
    ],
  ])("%s fills no budget", async (_, attack) => {
    await payAll();
    await attack();
    await world.unlock();
    const notAfter = Math.floor(world.chain.executor.tip().timeMs / 1_000) + 3_600;
    expect(await pay({ not_after: notAfter })).toBe("APP_LIMIT");
    expect(await world.spentUt()).toBe(3 * T);
  });

  it("a node that hides the account's blocks and goes on with others fills none", async () => {
    await pay();
    await world.api.settle({ outcomes: [] });
    const [pending] = await world.api.pendingOrders();
    const { height } = world.chain.executor.tip();
    await world.api.settle({
      outcomes: [{ id: pending?.id ?? "", state: "absent", height, blockTimeMs: world.app.time.nowMs() + 2 * DAY }],
    });
    expect(await pay()).toBe("pending");
    expect(await pay()).toBe("pending");
    expect(await pay()).toBe("APP_LIMIT");
    expect(await world.spentUt()).toBe(3 * T);
  });

  it("an expired connection pays nothing, by whichever clock, and none that is put back revives it", async () => {
    world.app.time.sleep(31 * DAY);
    await world.unlock();
    expect(await pay()).toBe("APP_ENDED");
    world.app.time.sleep(-31 * DAY);
    await world.unlock();
    expect(await pay()).toBe("APP_ENDED");
    const other = await world.connect("Other", GRANT);
    await world.block(31 * DAY);
    expect(await pay({}, other)).toBe("APP_ENDED");
    expect(await world.spentUt()).toBe(0);
  });

  it("a clock that was far ahead once lets no later connection live longer, nor a false node fill its budget", async () => {
    const keeper = await world.connect("Keeper", ["read"], { days: 365 });
    world.app.time.sleep(100 * DAY);
    await world.observed();
    world.app.time.sleep(-100 * DAY);
    await world.unlock();
    const later = await world.connect("Later", GRANT);
    // The clock is behind what was seen of it: nothing is paid unasked.
    expect(await pay({}, later)).toBe("approval");
    await world.send("/apps/v1/me", { method: "DELETE", token: later });
    expect((await world.send("/apps/v1/me", { method: "DELETE", token: keeper })).status).toBe(200);
    // When none is left, the next one begins with the clock as it is.
    token = await world.connect("Last", GRANT);
    await payAll();
    await world.block(2 * DAY);
    expect(await pay({ not_after: Math.floor(world.chain.executor.tip().timeMs / 1_000) + 3_600 })).toBe("APP_LIMIT");
    await world.restartKeyring();
    await world.unlock();
    expect(await pay({ not_after: Math.floor(world.chain.executor.tip().timeMs / 1_000) + 3_600 })).toBe("APP_LIMIT");
    world.app.time.sleep(30 * DAY);
    await world.unlock();
    expect(await pay()).toBe("APP_ENDED");
    expect(await world.spentUt()).toBe(3 * T);
  });
});

describe("keys of orders", () => {
  it("the same order ten times at once is one payment with one id", async () => {
    const body = world.paymentBody({ to: BOB, amount_ut: SPEND });
    const given = await Promise.all(
      Array.from({ length: 8 }, () => world.send("/apps/v1/payments", { method: "POST", token, body: JSON.stringify(body) })),
    );
    const ids = new Set(given.filter(({ status }) => status === 200).map((response) => response.body.id));
    expect(ids.size).toBe(1);
    expect(await world.spentUt()).toBe(T);
  });

  it("another amount, recipient, memo or time under the same key is refused, and so is a call or an invoice", async () => {
    const both = await world.connect("Both", [
      ...GRANT,
      "invoices",
      "call:contract=00112233445566aa,methods=mint,each=1T,total=1T/day,ask=never",
    ]);
    const order = world.paymentBody({ to: BOB, amount_ut: 1 });
    expect(await pay(order, both)).toBe("pending");
    for (const changes of [{ amount_ut: 2 }, { to: EVE }, { memo: "x" }, { not_after: Number(order.not_after) + 1 }])
      expect([changes, await pay({ ...order, ...changes }, both)]).toEqual([changes, "APP_KEY_REUSED"]);
    const base = { idempotency_key: order.idempotency_key, not_after: order.not_after };
    expect(codeOf(await world.call(both, { contract: "00112233445566aa", method: "mint", ...base }))).toBe("APP_KEY_REUSED");
    const invoice = { amount_ut: 1, expires_at: order.not_after, idempotency_key: order.idempotency_key };
    expect(codeOf(await world.send("/apps/v1/invoices", { method: "POST", token: both, body: invoice }))).toBe("APP_KEY_REUSED");
    expect(await world.spentUt()).toBe(FEE + 1);
  });

  it("what was refused stays refused under its key, when the budget is full again too", async () => {
    await payAll();
    const order = world.paymentBody({
      to: BOB,
      amount_ut: SPEND,
      not_after: Math.floor(world.chain.executor.tip().timeMs / 1_000) + 86_000,
    });
    expect(await pay(order)).toBe("APP_LIMIT");
    await world.pass(2 * DAY);
    await world.unlock();
    expect(await world.pay(token, order)).toMatchObject({ status: 403, body: { code: "APP_LIMIT", details: { replayed: true } } });
    expect(await world.spentUt()).toBe(3 * T);
  });

  it("the keys, invoices and places of another connection are not found", async () => {
    const other = await world.connect("Other", ["invoices", "read"]);
    const order = world.paymentBody({ to: BOB, amount_ut: 1 });
    await pay(order);
    expect((await world.send(`/apps/v1/payments/${String(order.idempotency_key)}`, { token: other })).status).toBe(404);
    const { idempotency_key, not_after: expires_at } = world.orderBase();
    const invoice = await world.send("/apps/v1/invoices", {
      method: "POST",
      token: other,
      body: { amount_ut: 1, expires_at, idempotency_key },
    });
    const third = await world.connect("Third", ["invoices"]);
    expect((await world.send(`/apps/v1/invoices/${String(invoice.body.id)}`, { token: third })).status).toBe(404);
    expect((await world.send("/apps/v1/invoices", { token: third })).body.invoices).toEqual([]);
    const { lines } = await world.api.readJournal({ token: third, after: 0, limit: 200 });
    expect(new Set(lines.map(({ connection }) => connection))).toEqual(new Set([connectionIdOf(third)]));
  });
});

describe("ends of processes", () => {
  it("the keyring dies between the reservation on the disk and the signature: the same order is one payment", async () => {
    const order = world.paymentBody({ to: BOB, amount_ut: SPEND });
    const append = world.app.journal.append.bind(world.app.journal);
    const written = Promise.withResolvers<void>();
    world.app.journal.append = async (length, bytes): Promise<boolean> => {
      const isWritten = await append(length, bytes);
      world.cutKeyring();
      written.resolve();
      return isWritten;
    };
    const first = pay(order);
    await written.promise;
    expect(await first).toBe("UNAVAILABLE");
    world.app.journal.append = append;
    expect(await world.spentUt()).toBe(0);
    await world.restartKeyring();
    await world.unlock();
    expect(await pay({ ...order, amount_ut: 1 })).toBe("APP_KEY_REUSED");
    expect(await pay(order)).toBe("pending");
    expect(await pay(order)).toBe("pending");
    for (let count = 0; count < 2; count += 1) expect(await pay()).toBe("pending");
    expect(await pay()).toBe("APP_LIMIT");
    expect(await world.spentUt()).toBe(3 * T);
  });

  it.each([0, 1, 40, 120])(
    "the disk takes %s bytes of the reservation: nothing is signed, and the same order is one payment",
    async (bytes) => {
      const order = world.paymentBody({ to: BOB, amount_ut: SPEND });
      world.app.journal.tearAfter = bytes;
      expect(["INTERNAL", "UNAVAILABLE"]).toContain(await pay(order));
      expect(await world.spentUt()).toBe(0);
      await world.restartKeyring();
      await world.unlock();
      for (let count = 0; count < 2; count += 1) expect(await pay(order)).toBe("pending");
      expect(await world.spentUt()).toBe(T);
    },
  );

  it("the gateway dies with a signed order that no node has: the next one submits the same", async () => {
    const order = world.paymentBody({ to: BOB, amount_ut: SPEND });
    const { id } = (await world.pay(token, order)).body;
    await world.stopGateway();
    await world.startGateway();
    expect(await world.pay(token, order)).toMatchObject({ status: 200, body: { id, replayed: true } });
    expect(await world.spentUt()).toBe(T);
  });

  it("earlier files of grants and journal put back: everything rests until the person confirms, and what was paid counts", async () => {
    const before = world.app.save();
    await payAll();
    world.app.putBack(before);
    await world.restartKeyring();
    await world.unlock();
    expect(await world.pay(token, { to: BOB, amount_ut: 1 })).toMatchObject({
      status: 423,
      body: { code: "APP_LOCKED", details: { rest: true } },
    });
    await world.app.approval.confirm({ connection: connectionIdOf(token) ?? "", password: APP_PASSWORD });
    expect(await pay({ amount_ut: 1 })).toBe("APP_LIMIT");
    expect(await world.spentUt()).toBe(3 * T);
  });

  it("files put back from before the end of a connection do not bring it back", async () => {
    const before = world.app.save();
    await world.send("/apps/v1/me", { method: "DELETE", token });
    world.app.putBack({ copies: before.copies, journal: before.journal });
    await world.restartKeyring();
    await world.unlock();
    expect(["APP_LOCKED", "APP_ENDED"]).toContain(await pay());
    expect(await world.spentUt()).toBe(0);
  });
});
