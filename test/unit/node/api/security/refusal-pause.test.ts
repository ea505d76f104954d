// A connection that was refused is not read for a while, over real sockets: a flood of requests is not parsed, and others are answered.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { RefusalPause } from "#node/api/security/refusal-pause.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

const LIMITS = { refusedPauseMs: 1_000, refusedRequests: 64 };
const REQUEST = "GET /flood HTTP/1.1\r\nHost: x\r\n\r\n";
const POST = "POST /flood HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}";
const ROUNDS = 20;

let time: VirtualTime;
let pause: RefusalPause;
let server: Server;
let refused = 0;
const clients: Socket[] = [];

/** Refuses all of `/flood`. */
async function serve(trustedProxies: readonly string[] = []): Promise<void> {
  time = new VirtualTime();
  pause = new RefusalPause({ limits: LIMITS, timers: time, trustedProxies });
  refused = 0;
  server = createServer((request, response) => {
    if (request.url === "/flood") {
      refused += 1;
      pause.begin(request.socket);
      response.statusCode = 429;
    }
    response.end("x");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined).resume();
  clients.push(socket);
  await once(socket, "connect");
  return socket;
}

/** Some rounds with another client: what was sent before would have been read by then. */
async function askOthers(): Promise<void> {
  const socket = await open();
  for (let round = 0; round < ROUNDS; round += 1) {
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
  }
}

beforeEach(() => serve());
afterEach(async () => {
  for (const socket of clients.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

it.each([
  ["without", REQUEST],
  ["with", POST],
])("what follows a refused request %s a body waits until the pause is over", async (_, request) => {
  const flooder = await open();
  flooder.write(request.repeat(3));
  await pollUntil(() => refused === 3, { what: "what came with it" });
  await askOthers();
  for (let n = 0; n < 10; n += 1) {
    flooder.write(request);
    await askOthers();
  }
  expect([refused, pause.size]).toEqual([3, 1]);
  const readOn = (): boolean => {
    time.advance(LIMITS.refusedPauseMs);
    return refused === 13;
  };
  await pollUntil(readOn, { what: "the rest" });
  flooder.destroy();
  await pollUntil(() => pause.size === 0);
  expect(time.pending).toBe(0);
});

it("a connection that sent many at once is ended", async () => {
  const flooder = await open();
  flooder.write(REQUEST.repeat(1_000));
  await once(flooder, "close");
  expect(pause.size).toBe(0);
  await askOthers();
});

it("a proxy is read on", async () => {
  server.close();
  await serve(["127.0.0.1"]);
  const proxy = await open();
  for (let n = 1; n <= 200; n += 1) {
    proxy.write(REQUEST);
    await once(proxy, "data");
  }
  expect([refused, pause.size]).toEqual([200, 0]);
});
