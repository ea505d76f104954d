// What one program can take of the gateway, and that it takes it from no other.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createGatewayWorld, type GatewayWorld } from "#test/support/worlds/gateway-world.ts";

const PAY = ["pay:each=1T,total=1T/day,to=any"];

function payment(key: number): object {
  return { to: "@missing", amount_ut: 1, idempotency_key: String(key).padStart(16, "0"), not_after: 1 };
}

async function idle(world: GatewayWorld): Promise<Socket> {
  const socket = connect(world.endpoint.socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

it("a connection has 60 requests at once and 20 a second, however many sockets it opens", async () => {
  await using world = await createGatewayWorld();
  const [fast, other] = [world.keyring.connect("00000001", ["read"]), world.keyring.connect("00000002", ["read"])];
  // The first request shows the token; before it the socket counts.
  const statuses: number[] = [];
  for (let count = 0; count < 62; count += 1) statuses.push((await world.send("/apps/v1/me", { token: fast })).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(61);
  const refused = await world.send("/apps/v1/me", { token: fast });
  expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "1", connection: "close" }, body: { code: "RATE_LIMITED" } });
  expect((await world.send("/apps/v1/me", { token: other })).status).toBe(200);
  world.chain.clock.advance(1_000);
  for (let count = 0; count < 20; count += 1) expect((await world.send("/apps/v1/me", { token: fast })).status).toBe(200);
  expect((await world.send("/apps/v1/me", { token: fast })).status).toBe(429);
});

it("money moves ten times at once and once a second", async () => {
  await using world = await createGatewayWorld();
  const token = world.keyring.connect("00000001", PAY);
  const pay = async (key: number): Promise<number> =>
    (await world.send("/apps/v1/payments", { method: "POST", token, body: payment(key) })).status;
  for (let key = 0; key < 10; key += 1) expect(await pay(key)).toBe(404);
  expect(await pay(10)).toBe(429);
  world.chain.clock.advance(1_000);
  expect(await pay(11)).toBe(404);
  expect(await pay(12)).toBe(429);
  expect((await world.send("/apps/v1/me", { token })).status).toBe(200);
});

it("wrong tokens use up the rate of no connection, also with its id in them", async () => {
  await using world = await createGatewayWorld();
  const token = world.keyring.connect("00000001", ["read"]);
  for (let count = 0; count < 200; count += 1) {
    const wrong = `parley_app_00000001_${String(count).padStart(43, "w")}`;
    expect((await world.send("/apps/v1/me", { token: wrong })).status).toBe(401);
  }
  expect((await world.send("/apps/v1/me", { token })).status).toBe(200);
});

it("requests that follow each other on one socket without waiting count each, and the socket ends", async () => {
  await using world = await createGatewayWorld();
  const token = world.keyring.connect("00000001", ["read"]);
  const socket = await idle(world);
  const received = text(socket);
  socket.write(`GET /apps/v1/me HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(500));
  const responses = (await received).match(/HTTP\/1\.1 \d{3}/g) ?? [];
  expect(responses.filter((line) => line.endsWith("200")).length).toBeLessThanOrEqual(120);
  expect(responses.some((line) => line.endsWith("429"))).toBe(true);
  expect((await world.send("/apps/v1/me", { token: world.keyring.connect("00000002", ["read"]) })).status).toBe(200);
});

it("sockets that do nothing keep no other program out, and a connection has eight", async () => {
  await using world = await createGatewayWorld();
  const [greedy, other] = [world.keyring.connect("00000001", ["read", "wallet"]), world.keyring.connect("00000002", ["read"])];
  const sockets = await Promise.all(Array.from({ length: 80 }, () => idle(world)));
  expect((await world.send("/apps/v1/me", { token: other })).status).toBe(200);
  const streams: Socket[] = [];
  const statuses: string[] = [];
  for (let count = 0; count < 10; count += 1) {
    const socket = await idle(world);
    streams.push(socket);
    socket.write(`GET /apps/v1/me HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${greedy}\r\n\r\n`);
    const [chunk] = (await once(socket, "data")) as [Buffer];
    statuses.push(chunk.toString("utf8").slice(9, 12));
  }
  expect(statuses).toEqual([...Array(8).fill("200"), "429", "429"]);
  expect((await world.send("/apps/v1/me", { token: other })).status).toBe(200);
  for (const socket of [...sockets, ...streams]) socket.destroy();
});

it("a program that ended its connection has none of its sockets left", async () => {
  await using world = await createGatewayWorld();
  const token = world.keyring.connect("00000001", ["read"]);
  const stream = await idle(world);
  stream.write(`GET /apps/v1/events HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await once(stream, "data");
  const ended = once(stream, "close");
  world.keyring.connections.delete(token);
  world.keyring.emit({ event: "ended", connection: "00000001" });
  stream.resume();
  await ended;
  expect(await world.send("/apps/v1/me", { token })).toMatchObject({ status: 401 });
});
