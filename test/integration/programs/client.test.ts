// parley/client against a real node, gateway and keyring: asking, paying, invoices, history, and what happens when anything of it ends.
import { chmod, lstat, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppEvent, type ConnectOptions, connect, type Parley } from "#client/index.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { keyOf } from "#test/support/worlds/app-world.ts";
import { ProgramWorld } from "#test/support/worlds/program-world.ts";

const BOB = keyOf(1);
const PAY = "pay:each=2T,total=20T/day,to=any";
const code = (name: string): unknown => expect.objectContaining({ code: name });

let world: ProgramWorld;
let till: Parley;

/** Asks as a program, answers as the person. */
async function connected(name: string, scopes: readonly string[], options: Partial<ConnectOptions> = {}): Promise<Parley> {
  const onCode = (digits: string): void => void world.letIn(digits);
  return await connect({ name, scopes, endpoint: world.profile, tokenFile: world.path(`apps/${name}.token`), onCode, ...options });
}

beforeAll(async () => {
  world = await ProgramWorld.create();
  till = await connected("Till", [PAY, "wallet", "invoices"]);
});
afterAll(() => world?.[Symbol.asyncDispose]());

describe("connect", () => {
  it("keeps the token in a file of this user alone, and uses it without asking again", async () => {
    expect((await lstat(till.tokenFile)).mode & 0o777).toBe(0o600);
    expect((await lstat(dirname(till.tokenFile))).mode & 0o777).toBe(0o700);
    expect(await readFile(till.tokenFile, "utf8")).toMatch(/^parley_app_[0-9a-f]{8}_[\w-]{43}\n$/);
    const again = await connected("Till", [PAY], { onCode: () => expect.unreachable("it asked again") });
    expect(await again.me()).toMatchObject({ name: "Till", address: world.address, resting: false });
  });

  it("believes no endpoint.json and no token that another user may have made or read", async () => {
    const asks = (options: Partial<ConnectOptions>): Promise<Parley> =>
      connected("Till", [PAY], { patienceMs: 0, onCode: () => expect.unreachable("it asked"), ...options });
    const text = await readFile(world.endpointFile, "utf8");
    const folder = world.path("other");
    const file = `${folder}/endpoint.json`;
    await mkdir(folder, { mode: 0o700 });
    await expect(asks({ endpoint: folder })).rejects.toEqual(code("UNREACHABLE"));
    await symlink(world.endpointFile, file);
    await expect(asks({ endpoint: folder })).rejects.toEqual(code("ENDPOINT_FILE"));
    const readable = `${folder}/readable.json`;
    await writeFile(readable, text, { mode: 0o644 });
    await expect(asks({ endpoint: readable })).rejects.toEqual(code("ENDPOINT_FILE"));
    await chmod(readable, 0o600);
    expect(await (await asks({ endpoint: readable })).me()).toMatchObject({ name: "Till" });
    await chmod(folder, 0o755);
    await expect(asks({ endpoint: readable })).rejects.toEqual(code("ENDPOINT_FILE"));
    for (const wrong of ["", "{", "null", `${text}${" ".repeat(5_000)}`, text.replace('"version": 1', '"version": 2')]) {
      await chmod(folder, 0o700);
      await writeFile(readable, wrong);
      await expect(asks({ endpoint: readable })).rejects.toEqual(code("ENDPOINT_FILE"));
    }
    const tokenFile = world.path("readable.token");
    await writeFile(tokenFile, await readFile(till.tokenFile), { mode: 0o644 });
    await expect(asks({ tokenFile })).rejects.toEqual(code("TOKEN_FILE"));
    await chmod(tokenFile, 0o600);
    await writeFile(tokenFile, "something else\n");
    await expect(asks({ tokenFile })).rejects.toEqual(code("TOKEN_FILE"));
  });

  it("says when the person refuses, and asks for nothing that is no scope", async () => {
    await expect(connected("Eve", ["everything"])).rejects.toEqual(code("BAD_REQUEST"));
    await expect(connected("Till 2", ["pay:each=2"])).rejects.toEqual(code("BAD_REQUEST"));
    const refuse = async (): Promise<void> => {
      const { request } = await world.approval.overview();
      await world.approval.refuseRequest({ id: request?.id ?? "" });
    };
    await expect(connected("Eve", ["read"], { onCode: () => void refuse() })).rejects.toEqual(code("APP_DENIED"));
  });

  it("goes on with the same request after a kill, and two processes of a program share one token", async () => {
    const stop = new AbortController();
    const codes: string[] = [];
    const onCode = (digits: string): void => void codes.push(digits);
    const killed = connected("Twins", ["read"], { onCode, signal: stop.signal });
    await pollUntil(() => codes.length === 1);
    stop.abort();
    await expect(killed).rejects.toThrow(/abort/i);
    const both = [connected("Twins", ["read"], { onCode }), connected("Twins", ["read"], { onCode })];
    await pollUntil(() => codes.length === 3);
    expect(new Set(codes).size).toBe(1);
    await world.letIn(codes[0] ?? "");
    const [one, two] = await Promise.all(both);
    expect((await one?.me())?.id).toBe((await two?.me())?.id);
  });
});

describe("a token", () => {
  const tokenIn = async (program: Parley): Promise<string> => (await readFile(program.tokenFile, "utf8")).trim();

  it("is renewed into the file, and every process of the program goes on with the new one, streams too", async () => {
    const one = await connected("Twins", ["read"]);
    const two = await connected("Twins", ["read"], { onCode: () => expect.unreachable("it asked again") });
    const before = await tokenIn(one);
    const seen: string[] = [];
    const stop = new AbortController();
    const reading = (async (): Promise<void> => {
      for await (const { type } of two.events({ signal: stop.signal })) seen.push(type);
    })().catch(() => undefined);
    await one.renewToken();
    expect(await tokenIn(one)).not.toBe(before);
    expect((await lstat(one.tokenFile)).mode & 0o777).toBe(0o600);
    expect((await two.me()).id).toBe((await one.me()).id);
    await pollUntil(() => seen.includes("connection"), { what: "the event of the new token" });
    stop.abort();
    await reading;
    const now = await tokenIn(one);
    await one.renewToken();
    // The first one was replaced twice: whoever still has it ends the connection, for all.
    await writeFile(one.tokenFile, `${before}\n`, { mode: 0o600 });
    await expect(one.me()).rejects.toEqual(code("APP_ENDED"));
    await writeFile(one.tokenFile, `${now}\n`, { mode: 0o600 });
    await expect(one.me()).rejects.toMatchObject({ code: expect.stringMatching(/^APP_(ENDED|TOKEN_INVALID)$/) });
  });
});

describe("a payment", () => {
  it("is in a block when it resolves, and the same one is not made twice", async () => {
    const order = { to: BOB, amount: "1.5T", memo: "bread", key: "bread-0000000001", notAfter: new Date(Date.now() + 600_000) };
    const before = await world.balanceOf(BOB);
    const paid = await till.pay(order);
    expect(paid).toMatchObject({ state: "committed", replayed: false, key: order.key });
    expect(await till.pay(order)).toEqual({ ...paid, replayed: true });
    expect(await world.balanceOf(BOB)).toBe(before + 1_500_000);
    const reused = till.pay({ ...order, amount: "1T" });
    await expect(reused).rejects.toMatchObject({ code: "APP_KEY_REUSED", status: 409, details: { key: order.key } });
    expect(await till.order(order.key)).toEqual({ id: paid.id, state: "committed" });
    await expect(till.order("never-used-00000")).rejects.toEqual(code("NOT_FOUND"));
    expect((await till.history({ limit: 1 })).entries[0]).toMatchObject({ id: paid.id, memo: "bread", amount_ut: 1_500_000 });
  });

  it("above a limit waits for the person", async () => {
    const asked = till.pay({ to: BOB, amount: "3T" });
    await world.answer(true);
    expect(await asked).toMatchObject({ state: "committed" });
    const refused = till.pay({ to: BOB, amount: "3T" });
    const outcome = expect(refused).rejects.toEqual(code("APP_DENIED"));
    await world.answer(false);
    await outcome;
  });

  it("of an amount that is none is refused before it is sent", async () => {
    for (const amount of ["1.5", "1,5T", "-1T", "1.1234567T", "", "T", "1e3T", 1.5, -1, Number.NaN, 2 ** 60, "99999999999999T"])
      await expect(till.pay({ to: BOB, amount })).rejects.toEqual(code("BAD_REQUEST"));
  });

  it("waits while Parley starts again, and happens once", async () => {
    await world.stopGateway();
    const before = await world.balanceOf(BOB);
    const paying = till.pay({ to: BOB, amount: 1_000_000 });
    await world.startGateway();
    expect(await paying).toMatchObject({ state: "committed" });
    expect(await world.balanceOf(BOB)).toBe(before + 1_000_000);
  });

  it("fails while the wallet is locked, or waits for the person", async () => {
    await world.keyring.lock();
    await expect(till.pay({ to: BOB, amount: "1T" })).rejects.toEqual(code("APP_LOCKED"));
    const waiting = till.pay({ to: BOB, amount: "1T", wait: true });
    await world.unlock();
    expect(await waiting).toMatchObject({ state: "committed" });
  });
});

describe("events", () => {
  it("come once they are acknowledged, over restarts of app and program, and again when their handling failed", async () => {
    const stop = new AbortController();
    const ids: string[] = [];
    const order = (await till.invoice({ amount: "1T" })).id;
    expect(await till.findInvoice(order)).toMatchObject({ state: "open", paid_ut: 0 });
    const failing = (async (): Promise<void> => {
      for await (const event of till.events({ signal: stop.signal })) {
        if (event.type !== "invoice.paid") continue;
        ids.push(event.id ?? "");
        throw new Error("the handler failed");
      }
    })();
    const failed = expect(failing).rejects.toThrow("the handler failed");
    await world.receive("1T", order);
    await failed;
    const seen: AppEvent[] = [];
    const again = (async (): Promise<void> => {
      for await (const event of till.events({ signal: stop.signal })) if (event.type.startsWith("invoice.")) seen.push(event);
    })();
    const ended = expect(again).rejects.toThrow(/abort/i);
    await pollUntil(() => seen.length === 1);
    expect(seen[0]).toMatchObject({ type: "invoice.paid", id: order });
    await world.stopGateway();
    await world.startGateway();
    const second = (await till.invoice({ amount: "1T" })).id;
    await world.receive("1T", second);
    await pollUntil(() => seen.length === 2);
    expect(seen[1]).toMatchObject({ type: "invoice.paid", id: second });
    // The last one is acknowledged when the next is asked for, and with the end.
    stop.abort();
    await ended;
    const rest = till.events();
    const third = (await till.invoice({ amount: "1T" })).id;
    await world.receive("1T", third);
    for await (const event of rest) {
      if (!event.type.startsWith("invoice.")) continue;
      expect(event.id).toBe(third);
      break;
    }
    expect((await till.invoices()).map(({ state }) => state)).toEqual(["paid", "paid", "paid"]);
  });

  it("end with the connection, and the next start asks again", async () => {
    const guest = await connected("Guest", ["read"]);
    const reading = (async (): Promise<void> => {
      for await (const event of guest.events()) expect(event.type).toBe("connection");
    })();
    const ended = expect(reading).rejects.toEqual(code("APP_ENDED"));
    const { connections } = await world.approval.overview();
    await world.approval.end({ connection: connections.find(({ name }) => name === "Guest")?.id ?? "" });
    await ended;
    await expect(guest.me()).rejects.toEqual(code("APP_ENDED"));
    expect(await (await connected("Guest", ["read"])).me()).toMatchObject({ name: "Guest", address: null });
  });
});

it("what is public of the chain is read from the node, without a right", async () => {
  expect(await till.chain("/api/netstats")).toMatchObject({ height: expect.any(Number) });
  await expect(till.chain("/api/tx/tx1unknown")).rejects.toEqual(code("NOT_FOUND"));
  await expect(till.chain("http://192.0.2.1/")).rejects.toEqual(code("BAD_REQUEST"));
});
