// Events of programs: at least once, resumed by cursors, acknowledged for good, and never those of another connection.
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createGatewayWorld, type GatewayWorld } from "#test/support/worlds/gateway-world.ts";
import { alice, bob, carol, type Draft, signed } from "#test/support/worlds/ledger-world.ts";

interface SentEvent {
  readonly cursor: string;
  readonly type: string;
  readonly id?: string;
  readonly state?: string;
}

interface Reader {
  readonly events: SentEvent[];
  readonly response: IncomingMessage;
  hasEnded(): boolean;
}

let world: GatewayWorld;
beforeEach(async () => {
  world = await createGatewayWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

async function read(token: string, cursor?: string): Promise<Reader> {
  const request = world.open(`/apps/v1/events${cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`}`, { token });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  const events: SentEvent[] = [];
  let text = "";
  let hasEnded = false;
  response.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data === undefined) continue;
      const event = JSON.parse(data) as SentEvent;
      expect(frame).toContain(`id: ${event.cursor}\nevent: ${event.type}\n`);
      events.push(event);
    }
  });
  response
    .on("error", () => undefined)
    .on("close", () => {
      hasEnded = true;
    });
  return { events, response, hasEnded: () => hasEnded };
}

async function transfer(draft: Partial<Draft<"TRANSFER">>, from = bob): Promise<string> {
  const body = signed(from, { type: "TRANSFER", payload: {}, ...draft });
  await world.chain.server.handlers.submitTransaction({ body }, {} as never);
  return body.id;
}

async function until({ events }: Reader, count: number): Promise<readonly SentEvent[]> {
  await pollUntil(() => events.length >= count, { what: `${count} events` });
  return events;
}

describe("events", () => {
  it("are of the chain as far as the scopes go, and begin with the connection", async () => {
    const [wallet, plain] = [world.keyring.connect("00000001", ["wallet"]), world.keyring.connect("00000002", ["read"])];
    const received = await transfer({ to: alice.pub, amount: 1 });
    world.chain.commit();
    const [reader, other] = [await read(wallet), await read(plain)];
    expect(await until(reader, 1)).toMatchObject([
      { type: "payment.received", id: received, from: bob.pub, height: 1, state: "committed" },
    ]);
    const sent = await transfer({ to: carol.pub, amount: 2 }, alice);
    await transfer({ to: carol.pub, amount: 3 });
    world.chain.commit();
    expect((await until(reader, 2)).slice(1)).toMatchObject([{ type: "payment.sent", id: sent, to: carol.pub, height: 2 }]);
    world.keyring.write({ connection: "00000002", action: "pay", outcome: "reserved", txId: "tx1a" });
    world.keyring.write({ connection: "00000001", action: "pay", outcome: "asked", keyHash: "abcd" });
    expect((await until(reader, 3)).slice(2)).toMatchObject([{ type: "approval", id: "abcd", state: "asked" }]);
    expect(await until(other, 1)).toMatchObject([{ type: "payment.sent", id: "tx1a", state: "pending" }]);
    expect(other.events).toHaveLength(1);
  });

  it("continue behind each cursor without one lost, also within a block, over a restart", async () => {
    const token = world.keyring.connect("00000001", ["wallet"]);
    const ids: string[] = [];
    for (let count = 1; count <= 3; count += 1) ids.push(await transfer({ to: alice.pub, amount: count }));
    world.chain.commit();
    ids.push(await transfer({ to: alice.pub, amount: 4 }));
    world.chain.commit();
    world.keyring.write({ connection: "00000001", action: "pay", outcome: "denied", keyHash: "abcd" });
    const all = [...(await until(await read(token), 5))];
    expect(all.map(({ id }) => id).toSorted()).toEqual([...ids, "abcd"].toSorted());
    await world.restart();
    for (const [index, { cursor }] of all.entries()) {
      const rest = await until(await read(token, cursor), all.length - 1 - index);
      expect(rest.map(({ id }) => id)).toEqual(all.slice(index + 1).map(({ id }) => id));
      world.chain.clock.advance(1_000);
      // Two streams at a time: those of before are gone first.
      await world.restart();
    }
  });

  it("begin behind the last acknowledgement, which a kill does not take back", async () => {
    const token = world.keyring.connect("00000001", ["wallet"]);
    await transfer({ to: alice.pub, amount: 1 });
    world.chain.commit();
    const second = await transfer({ to: alice.pub, amount: 2 });
    world.chain.commit();
    const [first, last] = await until(await read(token), 2);
    const ack = (cursor: unknown): ReturnType<GatewayWorld["send"]> =>
      world.send("/apps/v1/events/ack", { method: "POST", token, body: { cursor } });
    expect(await ack(first?.cursor)).toMatchObject({ status: 200, body: { ok: true } });
    await world.restart();
    expect(await until(await read(token), 1)).toMatchObject([{ id: second }]);
    expect((await ack(last?.cursor)).status).toBe(200);
    // An older one comes late: what was done stays done.
    expect((await ack(first?.cursor)).status).toBe(200);
    await world.restart();
    const reader = await read(token);
    world.keyring.write({ connection: "00000001", action: "rest", outcome: "done" });
    expect(await until(reader, 1)).toMatchObject([{ type: "connection", state: "rest" }]);
    for (const wrong of ["", "1.0.0", `${last?.cursor}x`, `9${last?.cursor}`, "a.b.c.d", "1.0.0."])
      expect([wrong, (await ack(wrong)).status]).toEqual([wrong, 400]);
  });

  it("of one connection are none of another's, whatever cursor it shows", async () => {
    const [one, two] = [world.keyring.connect("00000001", ["wallet"]), world.keyring.connect("00000002", ["wallet"])];
    await transfer({ to: alice.pub, amount: 1 });
    world.chain.commit();
    const [event] = await until(await read(one), 1);
    const cursor = event?.cursor ?? "";
    expect(await world.send(`/apps/v1/events?cursor=${cursor}`, { token: two })).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST" },
    });
    expect(await world.send("/apps/v1/events/ack", { method: "POST", token: two, body: { cursor } })).toMatchObject({ status: 400 });
  });

  it("start again with the connection when their file was lost or damaged", async () => {
    const token = world.keyring.connect("00000001", ["wallet"]);
    const id = await transfer({ to: alice.pub, amount: 1 });
    world.chain.commit();
    const [event] = await until(await read(token), 1);
    await world.send("/apps/v1/events/ack", { method: "POST", token, body: { cursor: event?.cursor } });
    const file = join(world.folder, "events.json");
    expect(await readFile(file, "utf8")).toContain("00000001");
    for (const text of ["", "{", "null", '{"version":1,"key":"AAAA","places":{}}', '{"version":2}']) {
      await writeFile(file, text);
      await world.restart();
      expect(await until(await read(token), 1)).toMatchObject([{ id }]);
    }
    expect((await world.send(`/apps/v1/events?cursor=${event?.cursor}`, { token })).status).toBe(400);
  });

  it("say that there is a gap when they are too old to be read", async () => {
    const token = world.keyring.connect("00000001", ["wallet"]);
    await transfer({ to: alice.pub, amount: 1 });
    world.chain.commit();
    const [event] = await until(await read(token), 1);
    world.chain.commit();
    world.chain.clock.advance(40 * 86_400_000);
    world.chain.commit();
    expect(await until(await read(token, event?.cursor), 1)).toMatchObject([{ type: "gap", from: "1", to: "3" }]);
  });

  it("of an invoice come though the block that pays it has a time before it", async () => {
    const token = world.keyring.connect("00000001", ["invoices"]);
    world.keyring.invoiceTimeMs = world.chain.clock.nowMs() + 60_000;
    const body = { amount_ut: 10, expires_at: Math.floor(world.chain.clock.nowMs() / 1000) + 3_600, idempotency_key: "k".repeat(16) };
    const { id } = (await world.send("/apps/v1/invoices", { method: "POST", token, body })).body as { readonly id: string };
    await transfer({ to: alice.pub, amount: 10, payload: { memo: id } });
    world.chain.commit();
    expect(await until(await read(token), 1)).toMatchObject([{ type: "invoice.paid", id }]);
    expect((await world.send(`/apps/v1/invoices/${id}`, { token })).body).toMatchObject({ state: "paid", paid_ut: 10 });
  });

  it("of one transaction come again, all of them, until the last of them is acknowledged", async () => {
    const token = world.keyring.connect("00000001", ["wallet", "invoices"]);
    const body = { amount_ut: 10, expires_at: Math.floor(world.chain.clock.nowMs() / 1000) + 3_600, idempotency_key: "k".repeat(16) };
    const { id } = (await world.send("/apps/v1/invoices", { method: "POST", token, body })).body as { readonly id: string };
    await transfer({ to: alice.pub, amount: 10, payload: { memo: id } });
    await transfer({ to: alice.pub, amount: 1 });
    world.chain.commit();
    const all = [...(await until(await read(token), 3))];
    const paid = all.findIndex(({ type }) => type === "invoice.paid");
    expect(all[paid - 1]).toMatchObject({ type: "payment.received" });
    const ack = (index: number): ReturnType<GatewayWorld["send"]> =>
      world.send("/apps/v1/events/ack", { method: "POST", token, body: { cursor: all[index]?.cursor } });
    await ack(paid - 1);
    await world.restart();
    expect((await until(await read(token), 3 - paid + 1)).slice(0, 2).map(({ type }) => type)).toEqual([
      "payment.received",
      "invoice.paid",
    ]);
    await ack(paid);
    await world.restart();
    const rest = await read(token);
    world.keyring.write({ connection: "00000001", action: "rest", outcome: "done" });
    expect((await until(rest, 3 - paid)).map(({ type }) => type)).toEqual(paid === 1 ? ["payment.received", "connection"] : ["connection"]);
  });

  it("of invoices are known by the memo, with what was paid by then", async () => {
    const [shop, other] = [world.keyring.connect("00000001", ["invoices"]), world.keyring.connect("00000002", ["invoices"])];
    const body = { amount_ut: 10, expires_at: Math.floor(world.chain.clock.nowMs() / 1000) + 3_600, idempotency_key: "k".repeat(16) };
    const made = await world.send("/apps/v1/invoices", { method: "POST", token: shop, body });
    expect(made).toMatchObject({ status: 200, body: { state: "open", paid_ut: 0, amount_ut: 10 } });
    const id = String(made.body.id);
    const [reader, stranger] = [await read(shop), await read(other)];
    await transfer({ to: alice.pub, amount: 4, payload: { memo: id } });
    world.chain.commit();
    await transfer({ to: alice.pub, amount: 6, payload: { memo: id } });
    await transfer({ to: carol.pub, amount: 6, payload: { memo: id } });
    world.chain.commit();
    expect(await until(reader, 2)).toMatchObject([
      { type: "invoice.partial", id },
      { type: "invoice.paid", id },
    ]);
    expect(await world.send(`/apps/v1/invoices/${id}`, { token: shop })).toMatchObject({
      status: 200,
      body: { state: "paid", paid_ut: 10 },
    });
    expect((await world.send(`/apps/v1/invoices/${id}`, { token: other })).status).toBe(404);
    world.keyring.write({ connection: "00000002", action: "end", outcome: "done" });
    expect(await until(stranger, 1)).toMatchObject([{ type: "connection" }]);
  });
});

describe("a stream", () => {
  it("is one of two, and a third is refused", async () => {
    const token = world.keyring.connect("00000001", ["read"]);
    const streams = [await read(token), await read(token)];
    expect(await world.send("/apps/v1/events", { token })).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    streams[0]?.response.destroy();
    await pollUntil(async () => {
      world.chain.clock.advance(1_000);
      const request = world.open("/apps/v1/events", { token });
      request.end();
      const [response] = (await once(request, "response")) as [IncomingMessage];
      request.on("error", () => undefined);
      response.on("error", () => undefined).destroy();
      return response.statusCode === 200;
    });
  });

  it("ends with its connection, and when its token is exchanged, so that the old one is not shown again", async () => {
    const token = world.keyring.connect("00000001", ["read"]);
    const first = await read(token);
    const { token: next } = (await world.send("/apps/v1/token", { method: "POST", token })).body as { readonly token: string };
    await pollUntil(() => first.hasEnded(), { what: "the end of the stream" });
    const second = await read(next);
    await world.send("/apps/v1/me", { method: "DELETE", token: next });
    await pollUntil(() => second.hasEnded(), { what: "the end of the second" });
  });
});
