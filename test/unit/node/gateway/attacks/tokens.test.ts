// Tokens that are no good any more, and requests that the person did not grant, on a real socket with the real keyring behind it: no operation
// works with them, and what was open is cut.
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { APP_ENDPOINTS, type AppEndpoint, type AppOperation } from "#shared/apps/api/apps-endpoints.ts";
import { connectionIdOf } from "#shared/apps/judging/app-tokens.ts";
import { APP_PASSWORD, BOB, DAY, T } from "#test/support/worlds/app-world.ts";
import { ConnectedWorld } from "#test/support/worlds/connected-world.ts";
import { type GatewayResponse, openOnSocket } from "#test/support/worlds/gateway-world.ts";

const ALL = ["read", "wallet", "submit", "invoices", "pay:each=1T,total=3T/day,to=any", "contacts.read"];
const WITH_TOKEN = (Object.keys(APP_ENDPOINTS) as AppOperation[]).filter((operation) => {
  const { access }: AppEndpoint = APP_ENDPOINTS[operation];
  return access !== "none" && access !== "secret";
});

let world: ConnectedWorld;
let token: string;
beforeEach(async () => {
  world = await ConnectedWorld.create();
  token = await world.connect("Till", ALL);
});
afterEach(() => world[Symbol.asyncDispose]());

/** With these codes in turn; the last one for all that follow. */
async function expectRefused(used: string, outcome: string, then = outcome): Promise<void> {
  let expected = outcome;
  for (const operation of WITH_TOKEN) {
    const [method, path] = APP_ENDPOINTS[operation].route;
    const filled = path.replace(":key", "key-0000000000000001").replace(":id", "inv_0000000000000000");
    const response = await world.send(filled, { method: method as "GET", token: used });
    expect([operation, response.status, response.body.code]).toEqual([operation, 401, expected]);
    expected = then;
    world.chain.clock.advance(1_000);
  }
  expect(await world.spentUt()).toBe(0);
}

const rotate = async (used: string): Promise<string> =>
  String((await world.send("/apps/v1/token", { method: "POST", token: used })).body.token);

describe("no operation works with", () => {
  it("a token that was made up, of another profile, or changed by one letter", async () => {
    const last = token.at(-1) === "A" ? "B" : "A";
    for (const used of [
      `parley_app_00000000_${"A".repeat(43)}`,
      `${token.slice(0, -1)}${last}`,
      token.toUpperCase(),
      `${token} `.trim().slice(1),
    ])
      await expectRefused(used, "APP_TOKEN_INVALID");
    expect((await world.send("/apps/v1/me", { token })).status).toBe(200);
  });

  it("a connection that its program ended", async () => {
    await world.send("/apps/v1/me", { method: "DELETE", token });
    await expectRefused(token, "APP_ENDED");
  });

  it("a connection that the person ended, at once and after the keyring was killed", async () => {
    await world.app.approval.end({ connection: connectionIdOf(token) ?? "" });
    await expectRefused(token, "APP_ENDED");
    await world.restartKeyring();
    await expectRefused(token, "APP_ENDED");
  });

  it("a connection that has expired", async () => {
    await world.pass(31 * DAY);
    await world.unlock();
    await expectRefused(token, "APP_ENDED");
  });

  it("a token that was replaced a minute ago; used then, it ends the new one too", async () => {
    const next = await rotate(token);
    expect((await world.send("/apps/v1/me", { token })).status).toBe(200);
    world.app.time.sleep(61_000);
    expect((await world.send("/apps/v1/me", { token: next })).status).toBe(200);
    await expectRefused(token, "APP_ENDED", "APP_TOKEN_INVALID");
    expect((await world.send("/apps/v1/me", { token: next })).body.code).toBe("APP_ENDED");
  });

  it("a token that was replaced twice, within the minute", async () => {
    await rotate(await rotate(token));
    await expectRefused(token, "APP_ENDED", "APP_TOKEN_INVALID");
  });
});

it("ending cuts an open stream, and refuses what waits for the person", async () => {
  expect((await world.pay(token, { to: BOB, amount_ut: 2 * T })).status).toBe(202);
  const [approval] = (await world.app.approval.overview()).approvals;
  const stream = openOnSocket(world.endpoint, "/apps/v1/events", { token });
  stream.end();
  const [response] = await once(stream, "response");
  const closed = new Promise((resolve) => response.once("close", resolve));
  response.on("error", () => undefined).resume();
  await world.app.approval.end({ connection: connectionIdOf(token) ?? "" });
  await closed;
  await expect(world.app.approval.approve({ id: approval?.id ?? "" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await world.spentUt()).toBe(0);
});

it("a locked keyring answers a good token and nonsense alike, and a locked wallet pays nothing", async () => {
  await world.app.keyring.lockWallet();
  expect(await world.pay(token, { to: BOB })).toMatchObject({ status: 423, body: { code: "APP_LOCKED", details: { wallet: true } } });
  await world.app.keyring.lock();
  for (const used of [token, "nonsense"])
    expect(await world.send("/apps/v1/me", { token: used })).toMatchObject({ status: 423, body: { details: { keyring: true } } });
  await world.unlock();
  expect(await world.spentUt()).toBe(0);
});

it("refusals silence a program for an hour, and it learns for how long", async () => {
  for (let count = 0; count < 2; count += 1) {
    expect((await world.pay(token, { to: BOB, amount_ut: 2 * T })).status).toBe(202);
    const [approval] = (await world.app.approval.overview()).approvals;
    await world.app.approval.refuse({ id: approval?.id ?? "" });
  }
  const silenced = await world.pay(token, { to: BOB, amount_ut: 1 });
  expect(silenced).toMatchObject({ status: 429, body: { code: "APP_SILENCED" }, headers: { "retry-after": "3600" } });
  expect(await world.spentUt()).toBe(0);
});

describe("asking", () => {
  const request = (body: object): Promise<GatewayResponse> => world.send("/apps/requests", { method: "POST", body });

  it.each<readonly [string, object]>([
    ["everything", { grant: ["all"] }],
    ["a star", { grant: ["*"] }],
    ["devices", { grant: ["devices"] }],
    ["keys", { grant: ["keys:export=yes"] }],
    ["no scope", { grant: [] }],
    ["the same twice", { grant: ["pay:each=1T,total=1T/day,to=any", "pay:each=9T,total=9T/day,to=any"] }],
    ["a key twice", { grant: ["pay:each=1T,each=9T,total=9T/day,to=any"] }],
    ["a limit below nothing", { grant: ["pay:each=-1T,total=1T/day,to=any"] }],
    ["a limit without end", { grant: ["pay:each=1e99T,total=1e99T/day,to=any"] }],
    ["digits of another script", { grant: ["pay:each=１T,total=1T/day,to=any"] }],
    ["a period of its own", { grant: ["pay:each=1T,total=1T/minute,to=any"] }],
    ["a period of the prototype", { grant: ["pay:each=1T,total=1T/constructor,to=any"] }],
    ["a scope of the prototype", { grant: ["constructor"] }],
    ["an object with a prototype", { grant: [JSON.parse('{"name":"read","__proto__":["x"]}')] }],
    ["an object with a separator in a value", { grant: [{ name: "pay", each: "1T,total=9T/day", total: "1T/day", to: "any" }] }],
    ["501 messages a day", { grant: ["messages.send:to=chosen,rate=501/day"] }],
    ["another's name", { name: "Till" }],
    ["a name that looks like it", { name: "TiIl" }],
    ["Parley's name", { name: "Parley" }],
    ["Parley's name with letters of another script", { name: "Pаrley" }],
    ["a name that cannot be seen", { name: "\u200b\u200b" }],
    ["a name that turns the text around", { name: "Till\u202e" }],
    ["a long name", { name: "x".repeat(33) }],
    ["a reason of two lines", { reason: "one\ntwo" }],
    ["a field of its own", { approved: true }],
  ])("%s is refused", async (_, changes) => {
    const { status, body } = await request({ name: "Other", reason: "", grant: ["read"], ...changes });
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect((await world.app.approval.overview()).request).toBeNull();
  });

  it("the token goes to the one that asked, once, and never without the person", async () => {
    await world.pass(720_000);
    const { body } = await request({ name: "Other", reason: "", grant: ["read"] });
    const path = `/apps/requests/${String(body.id)}`;
    expect((await world.send(path, { token: String(body.secret) })).body).toMatchObject({ state: "waiting" });
    for (const secret of ["x", token, String(body.code), ""])
      expect((await world.send(path, { token: secret })).status).toBeGreaterThan(400);
    const input = { id: String(body.id), code: String(body.code), chosen: [], days: 30, password: APP_PASSWORD };
    await expect(world.app.approval.grant({ ...input, grant: ["wallet"] })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    await world.app.approval.grant({ ...input, grant: ["read"] });
    expect((await world.send(path, { token: String(body.secret) })).body).toMatchObject({ state: "granted" });
    expect((await world.send(path, { token: String(body.secret) })).body).toEqual({ state: "fetched" });
  });

  it("a token whose answer was lost is given to no one else, and frees its name ten minutes later", async () => {
    await world.pass(720_000);
    await world.unlock();
    const asked = { name: "Lost", reason: "", grant: ["read"] };
    const { body } = await request(asked);
    const [path, secret] = [`/apps/requests/${String(body.id)}`, String(body.secret)];
    await world.app.approval.grant({ id: String(body.id), code: String(body.code), chosen: [], days: 30, grant: ["read"] });
    await dropAnswer(path, secret);
    expect((await world.send(path, { token: secret })).body).toEqual({ state: "fetched" });
    expect((await request(asked)).body.code).toBe("BAD_REQUEST");
    await world.pass(660_000);
    await world.unlock();
    expect((await request(asked)).status).toBe(202);
    expect((await world.app.approval.overview()).ended[0]).toMatchObject({ name: "Lost" });
  });
});

/** Asks, and is gone as soon as the keyring has given the token. */
async function dropAnswer(path: string, secret: string): Promise<void> {
  const { apps } = world.app;
  const fetchRequest = apps.fetchRequest.bind(apps);
  const socket = connect(world.endpoint.socket);
  vi.spyOn(apps, "fetchRequest").mockImplementationOnce(async (input) => {
    const fetched = await fetchRequest(input);
    socket.destroy();
    await once(socket, "close");
    return fetched;
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${secret}\r\n\r\n`);
  await once(socket, "close");
}
