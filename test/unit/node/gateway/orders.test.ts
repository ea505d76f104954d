// Orders of programs: what reaches the keyring, what reaches the chain, and what a program is answered.
import { expect, it } from "vitest";
import { HttpError } from "#shared/api/client.ts";
import type { OrderResult, PaymentOrder } from "#shared/apps/messages/orders.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createGatewayWorld, type GatewayResponse, type GatewayWorld } from "#test/support/worlds/gateway-world.ts";
import { alice, bob, carol, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const PAY = ["pay:each=1T,total=1T/day,to=any"];
const KEY = "order-0000000001";

function pay(world: GatewayWorld, token: string, more: object = {}): Promise<GatewayResponse> {
  const body = { to: bob.pub, amount_ut: 5_000, idempotency_key: KEY, not_after: START_MS / 1000 + 60, ...more };
  return world.send("/apps/v1/payments", { method: "POST", token, body });
}

function ordersOf({ keyring }: GatewayWorld): readonly PaymentOrder[] {
  return keyring.calls.filter(([method]) => method === "pay").map(([, input]) => input as PaymentOrder);
}

it("a payment is judged with what the account has, and submitted once however often it is asked for", async () => {
  await using world = await createGatewayWorld();
  const token = world.keyring.connect("00000001", PAY);
  const first = await pay(world, token, { to: formatAddress(bob.pub), memo: "tea" });
  expect(first).toMatchObject({ status: 200, body: { id: expect.any(String), state: "pending", replayed: false } });
  expect(ordersOf(world)).toMatchObject([
    {
      token,
      ...{ recipient: formatAddress(bob.pub), to: bob.pub, amountUt: 5_000, memo: "tea" },
      ...{ idempotencyKey: KEY, notAfterMs: START_MS + 60_000, spendableUt: 10_000_000 },
    },
  ]);
  const again = await pay(world, token, { to: formatAddress(bob.pub), memo: "tea" });
  expect(again).toMatchObject({ status: 200, body: { id: first.body.id, replayed: true } });
  world.chain.commit();
  expect((await world.chain.services.explorer.getTransaction(String(first.body.id)))?.id).toBe(first.body.id);
  const found = await world.send(`/apps/v1/payments/${KEY}`, { token });
  expect(found).toMatchObject({ status: 200, body: { id: first.body.id, replayed: true } });
  await pollUntil(() => world.keyring.outcomes.length === 1, { what: "the settled order" });
  expect(world.keyring.outcomes).toMatchObject([{ id: first.body.id, state: "committed", height: 1 }]);
});

it("a name is paid where it leads now, and an unknown one is a 404 that reserves nothing", async () => {
  await using world = await createGatewayWorld();
  const token = world.keyring.connect("00000001", PAY);
  expect(await pay(world, token, { to: "@carol" })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  for (const to of ["carol", "pl1nothing", "00", carol.pub.slice(1), "@"])
    expect([to, (await pay(world, token, { to })).status >= 400]).toEqual([to, true]);
  expect(ordersOf(world)).toEqual([]);
});

it("a limit that asks is a 202 with the approval; what the person agrees to is submitted", async () => {
  await using world = await createGatewayWorld();
  const token = world.keyring.connect("00000001", PAY);
  world.keyring.judge = (): OrderResult => ({ kind: "approval", approval: "ap7", expiresAtMs: 300_000, isReplayed: false });
  expect(await pay(world, token)).toMatchObject({
    status: 202,
    body: { state: "approval", approval: { id: "ap7", expires_at: 300 }, replayed: false },
  });
  const transaction = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5_000, payload: {} });
  const result = { kind: "transaction", id: transaction.id, state: "pending", isReplayed: false, transaction } as const;
  world.keyring.emit({ event: "approved", connection: "00000001", result });
  await pollUntil(() => world.chain.commit().transactions.some(({ id }) => id === transaction.id), { what: "the approved payment" });
});

it.each([
  ["APP_LIMIT", 403],
  ["APP_DENIED", 403],
  ["APP_FUNDS", 402],
  ["APP_KEY_REUSED", 409],
  ["APP_TOO_LATE", 410],
  ["APP_LOCKED", 423],
  ["APP_SILENCED", 429],
] as const)("a refusal of the keyring crosses with its code and status: %s", async (code, status) => {
  await using world = await createGatewayWorld();
  const token = world.keyring.connect("00000001", PAY);
  world.keyring.judge = (): never => {
    throw new CodedError(code, "In words", { details: { replayed: true } });
  };
  expect(await pay(world, token)).toMatchObject({ status, body: { error: "In words", code, details: { replayed: true } } });
});

it("an order waits for the wallet when its program wants that, and follows when it is unlocked", async () => {
  await using world = await createGatewayWorld({ limits: { waitingPerConnection: 2 } });
  const token = world.keyring.connect("00000001", PAY);
  const other = world.keyring.connect("00000002", PAY);
  world.keyring.judge = (): never => {
    throw new CodedError("APP_LOCKED", "The wallet is locked", { details: { wallet: true } });
  };
  expect((await pay(world, token)).status).toBe(423);
  expect(await pay(world, token, { wait: true })).toMatchObject({ status: 202, body: { state: "waiting", replayed: false } });
  expect(await pay(world, token, { wait: true })).toMatchObject({ status: 202, body: { state: "waiting", replayed: true } });
  expect(await pay(world, token, { wait: true, amount_ut: 6_000 })).toMatchObject({ status: 409, body: { code: "APP_KEY_REUSED" } });
  // The person gets to know of each that begins to wait.
  expect(world.keyring.calls.filter(([method]) => method === "noteWaiting")).toEqual([["noteWaiting", { token }]]);
  expect((await world.send(`/apps/v1/payments/${KEY}`, { token })).status).toBe(202);
  expect((await world.send(`/apps/v1/payments/${KEY}`, { token: other })).status).toBe(404);
  expect((await pay(world, token, { wait: true, idempotency_key: "second-000000000" })).status).toBe(202);
  expect(await pay(world, token, { wait: true, idempotency_key: "third-0000000000" })).toMatchObject({ status: 429 });
  const rotated = (await world.send("/apps/v1/token", { method: "POST", token })).body.token;
  world.keyring.judge = (order): OrderResult => world.keyring.sign(order);
  world.keyring.emit({ event: "state", state: world.keyring.state });
  await pollUntil(() => world.chain.commit().transactions.length > 0, { what: "the payment that waited" });
  expect(ordersOf(world).at(-1)?.token).toBe(rotated);
  // Locked for another reason, it does not wait.
  world.keyring.judge = (): never => {
    throw new CodedError("APP_LOCKED", "The connection rests", { details: { rest: true } });
  };
  expect((await pay(world, String(rotated), { wait: true, idempotency_key: "fourth-000000000" })).status).toBe(423);
});

it("a signed order that the node did not take is submitted again, and settled when it no longer can be in a block", async () => {
  await using world = await createGatewayWorld();
  const token = world.keyring.connect("00000001", PAY);
  const late = signed(bob, { type: "TRANSFER", to: alice.pub, amount: 1, payload: {}, nowMs: START_MS + 3_000_000 });
  world.keyring.judge = (): OrderResult => ({ kind: "transaction", id: "tx1lost", state: "pending", isReplayed: false });
  world.keyring.pending.push({ id: "tx1lost", timestampMs: START_MS });
  expect((await pay(world, token)).status).toBe(200);
  await world.chain.server.handlers.submitTransaction({ body: late }, {} as never);
  world.chain.clock.advance(3_500_000);
  world.chain.commit();
  await pollUntil(() => world.keyring.calls.filter(([method]) => method === "observe").length >= 2, { what: "the block" });
  expect(world.keyring.outcomes).toEqual([]);
  world.chain.clock.advance(600_000);
  world.chain.commit();
  await pollUntil(() => world.keyring.outcomes.length === 1, { what: "the lost order" });
  expect(world.keyring.outcomes).toMatchObject([{ id: "tx1lost", state: "absent" }]);
});

it("the keyring gets the own transactions that it asks for, and every later one, of this account alone", async () => {
  await using world = await createGatewayWorld();
  const own = [1, 2, 3].map((amount) => signed(alice, { type: "TRANSFER", to: bob.pub, amount, payload: {} }));
  const foreign = signed(bob, { type: "TRANSFER", to: alice.pub, amount: 4, payload: {} });
  for (const body of [...own, foreign]) await world.chain.server.handlers.submitTransaction({ body }, {} as never);
  world.keyring.state = { ...world.keyring.state, historyFromMs: START_MS };
  world.chain.commit();
  const given = (): readonly string[] =>
    world.keyring.calls
      .filter(([method]) => method === "history")
      .flatMap(([, input]) => (input as { readonly transactions: readonly { readonly id: string }[] }).transactions.map(({ id }) => id));
  // Twice does no harm.
  await pollUntil(() => new Set(given()).size === 3, { what: "the history" });
  expect([...new Set(given())].sort()).toEqual(own.map(({ id }) => id).sort());
  const later = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {} });
  await world.chain.server.handlers.submitTransaction({ body: later }, {} as never);
  world.chain.commit();
  await pollUntil(() => given().includes(later.id), { what: "the later one" });
});

it.each([429, 500, 503])("a node that says %i is asked for the history again, with no block in between", async (status) => {
  await using world = await createGatewayWorld({ limits: { lookRetryMs: 10 } });
  const { getAccountFeed } = world.client;
  let refusals = 3;
  const histories = (): readonly unknown[] => world.keyring.calls.flatMap(([method, input]) => (method === "history" ? [input] : []));
  Object.assign(world.client, {
    getAccountFeed: async (...input: Parameters<typeof getAccountFeed>) => {
      refusals -= 1;
      if (refusals >= 0) throw new HttpError(status, "Not now");
      return await getAccountFeed(...input);
    },
  });
  world.keyring.state = { ...world.keyring.state, historyFromMs: START_MS };
  world.chain.commit();
  await pollUntil(() => histories().length > 0, { what: "the history" });
  expect(histories()[0]).toEqual({ transactions: [], isComplete: true });
});

it("a program submits what it signed itself, and nothing of the person's key", async () => {
  await using world = await createGatewayWorld();
  const token = world.keyring.connect("00000001", ["submit"]);
  const submit = (transaction: object): Promise<GatewayResponse> =>
    world.send("/apps/v1/transactions", { method: "POST", token, body: { transaction } });
  const own = signed(bob, { type: "TRANSFER", to: carol.pub, amount: 1, payload: {} });
  expect(await submit(own)).toMatchObject({ status: 200, body: { id: own.id } });
  expect(await submit(signed(alice, { type: "TRANSFER", to: carol.pub, amount: 1, payload: {} }))).toMatchObject({
    status: 403,
    body: { code: "APP_SCOPE" },
  });
  expect(await submit({ ...own, amount: 2 })).toMatchObject({ status: 400 });
  expect(world.chain.commit().transactions.map(({ id }) => id)).toEqual([own.id]);
});
