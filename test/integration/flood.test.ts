// A real node under clients that keep no rules: others are served meanwhile, what waits has a bound, and the node still ends in order.

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCommitted } from "#shared/api/reads/known-transaction.ts";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { openEvents } from "#test/support/api/event-reader.ts";
import { openRudeClient, openRudeSocket, type RudeClient, textFrame } from "#test/support/api/rude-client.ts";
import { openTestSocket, type TestSocket } from "#test/support/api/test-socket.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { loadAccount, signedTransfer } from "#test/support/nodes/node-load.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";

const HALF_OPEN = 200;
const MAX_SOCKETS = 64;
const MAX_STREAMS = 16;
/** Fifty times the responses that may wait for a slow reader. */
const MOST_WRITES = 2_000;
/** Far above what a node needs, far below what it would take if it kept what the floods send. */
const MEMORY_BYTES = 600 * 1_048_576;

const payer = loadAccount(new Uint8Array(32).fill(71));
const payee = loadAccount(new Uint8Array(32).fill(72)).publicKey;
const mailbox = toHex(boxKeyPair(new Uint8Array(32).fill(73)).publicKey);

let folder: TemporaryFolder;
let node: RunningNode;
let chainId: string;
let paid = 0;
const rude: RudeClient[] = [];

beforeAll(async () => {
  folder = await createTemporaryFolder();
  node = await startNode({ dataDir: folder.path });
  chainId = (await node.client.getNetworkInfo({})).chain_id;
  const { id } = await node.client.requestFaucet({ body: { to: payer.publicKey, amount_ut: 100_000_000 } });
  await pollUntil(() => readCommitted(node.client, id));
});
afterAll(async () => {
  for (const client of rude) client.destroy();
  await node.kill();
  await folder.remove();
});

/** Everything that another client does: reads, a payment up to its block, a message up to its mailbox. */
async function expectService(): Promise<void> {
  const { height } = await node.client.getNetstats({});
  const tx = signedTransfer(payer, payee, chainId);
  expect(await node.client.submitTransaction({ body: tx })).toMatchObject({ status: "accepted", id: tx.id });
  const committed = await pollUntil(() => readCommitted(node.client, tx.id), { timeoutMs: 60_000, what: "the payment" });
  expect(committed).toMatchObject({ status: "ok" });
  expect(committed.block_index).toBeGreaterThan(height);
  paid += 1;
  expect(await node.client.getAddress({ addr: payee })).toMatchObject({ balance_ut: paid });
  const sender = boxKeyPair(new Uint8Array(randomBytes(32)));
  const nonce = new Uint8Array(randomBytes(24));
  const envelope = sealEnvelope({ plaintext: utf8("hi"), recipientPub: mailbox, sender, senderMasterPub: "", nonce, sentAt: 0 });
  await node.client.broadcastEnvelope({ body: { envelope } });
  expect(await node.client.countInbox({ pub: mailbox })).toMatchObject({ count: paid });
}

/** Serves another client again and again until the work is done. */
async function whileServing<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  do await expectService();
  while (!isDone);
  return await done;
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${node.baseUrl}/metrics`)).text();
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${name} `));
  expect(line).toBeDefined();
  return Number(line?.split(" ")[1]);
}

const becomes = async (name: string, count: number): Promise<void> =>
  void (await pollUntil(async () => (await metric(name)) === count, { timeoutMs: 60_000, what: `${name} to be ${count}` }));

const statusesOf = (text: string): readonly number[] => [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));

/** Beginnings of requests: nothing, part of a line, part of the head, part of a body. */
const BEGINNINGS = [
  "",
  "GET /api/netst",
  "GET /api/netstats HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
  'POST /api/tx HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"type":',
];

async function openHalf(count: number): Promise<readonly RudeClient[]> {
  const clients = await Promise.all(Array.from({ length: count }, (_, i) => openRudeClient(node.port, BEGINNINGS[i % BEGINNINGS.length])));
  rude.push(...clients);
  return clients;
}

describe("a node under clients that keep no rules", () => {
  it("serves others beside 200 requests that never end", async () => {
    const clients = await openHalf(HALF_OPEN);
    await expectService();
    // Only a refusal may have come: nothing of these was ever asked in full.
    expect(clients.flatMap((client) => statusesOf(client.text())).filter((status) => status < 400 || status >= 500)).toEqual([]);
  });

  it("makes blocks and serves others beside a flood of large reads, and refuses those for which it has no time", async () => {
    const paths = [
      `/api/address/${payer.publicKey}?limit=1000&offset=1001`,
      `/v2/chain/accounts/${payer.publicKey}/transactions?limit=1000`,
      "/api/charts?resolution=day&limit=720",
      `/api/search?q=${payer.publicKey}`,
      "/api/block/1",
    ];
    const ask = async (n: number): Promise<string> => {
      const response = await fetch(`${node.baseUrl}${paths[n % paths.length]}`);
      const { error } = (await response.json()) as { readonly error?: string };
      return `${response.status}${error === undefined ? "" : ` ${error.slice(0, 8)}`}`;
    };
    // More at once than may wait. How many of them a node has time for depends on the machine; that it answers some does not.
    const flood = async (): Promise<boolean> => {
      const answers = await whileServing(Promise.all(Array.from({ length: 400 }, (_, n) => ask(n))));
      expect(["200", "429 Too many", "503 The node"]).toEqual(expect.arrayContaining([...new Set(answers)]));
      return answers.includes("200");
    };
    await pollUntil(flood, { timeoutMs: 90_000, what: "a flood in which large reads are answered" });
    await pollUntil(async () => (await ask(0)) === "200", { what: "a large read after the flood" });
  });

  it("drops slow readers of a WebSocket and keeps the others", async () => {
    const [slow, reader] = [await openRudeSocket(node.port), await openTestSocket(`ws://127.0.0.1:${node.port}/api/ws`)];
    rude.push(slow);
    slow.pause();
    await becomes("parley_websockets", 2);
    // Each is answered with as much as it says, and the responses find no reader.
    const frame = textFrame(JSON.stringify({ type: "unsubscribe", topic: "x".repeat(120), req: "y".repeat(60) }));
    const frames = Buffer.concat(Array.from({ length: 500 }, () => frame));
    const flood = async (): Promise<number> => {
      let sent = 0;
      for (; sent < MOST_WRITES && (await metric("parley_websockets")) === 2; sent += 1) await slow.write(frames);
      return sent;
    };
    // Dropped for what it did not read: for its silence alone it would be much later.
    expect(await whileServing(flood())).toBeLessThan(MOST_WRITES);
    expect(await metric("parley_websockets")).toBe(1);
    reader.send({ type: "ping", req: 1 });
    await reader.next({ type: "pong", req: 1 });
    reader.close();
    await becomes("parley_websockets", 0);
  });

  it("holds a bounded number of event streams, whose slow readers lose nothing", async () => {
    const readers = await Promise.all(Array.from({ length: MAX_STREAMS }, () => openEvents(node.port, { "last-event-id": "0" })));
    for (const reader of readers) reader.pause();
    expect(await metric("parley_event_streams")).toBe(MAX_STREAMS);
    const refused = await openEvents(node.port);
    expect(refused.status).toBe(429);
    await expectService();
    const { height } = await node.client.getNetstats({});
    for (const reader of readers) reader.resume();
    const [first] = readers;
    await pollUntil(() => first?.events().some(({ id }) => id === `${height}.0`));
    for (const reader of [...readers, refused]) reader.close();
    await becomes("parley_event_streams", 0);
  });

  it("refuses a flood of bad requests, and serves others meanwhile", async () => {
    const host = `Host: 127.0.0.1:${node.port}\r\nConnection: close\r\n`;
    const post = (type: string, body: string): string =>
      `POST /api/tx HTTP/1.1\r\n${host}Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    const requests = [
      "\u0000\u0001 garbage\r\n\r\n",
      `BREW /api/tx HTTP/1.1\r\n${host}\r\n`,
      "GET / HTTP/9.9\r\n\r\n",
      `GET /api/block/${"9".repeat(400)} HTTP/1.1\r\n${host}\r\n`,
      `GET /api/tx/${"x".repeat(2_000)} HTTP/1.1\r\n${host}\r\n`,
      `GET /api/%ff%00 HTTP/1.1\r\n${host}\r\n`,
      `GET /api/netstats HTTP/1.1\r\n${host}X-Long: ${"y".repeat(20_000)}\r\n\r\n`,
      "GET /api/netstats HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
      `POST /api/tx HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
      post("application/json", '{"type":"TRANSFER"'),
      post("application/json", '{"type":"TRANSFER","amount":1e400}'),
      post("application/json", "[".repeat(10_000)),
      post("text/plain", "hello"),
    ];
    const ask = async (request: string): Promise<readonly number[]> => {
      const client = await openRudeClient(node.port, request);
      rude.push(client);
      await client.ended();
      return statusesOf(client.text());
    };
    const flood = async (): Promise<readonly number[]> => {
      const statuses: number[] = [];
      for (let round = 0; round < 30; round += 1) statuses.push(...(await Promise.all(requests.map(ask))).flat());
      return statuses;
    };
    const statuses = await whileServing(flood());
    expect(statuses.length).toBe(30 * requests.length);
    expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
  });

  it("refuses bodies that are too large, said or unsaid, and serves others meanwhile", async () => {
    const head = `POST /api/tx HTTP/1.1\r\nHost: 127.0.0.1:${node.port}\r\nContent-Type: application/json\r\n`;
    const piece = Buffer.alloc(65_536, "a");
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), piece, Buffer.from("\r\n")]);
    const flood = async (opening: string, bytes: Buffer): Promise<readonly number[]> => {
      const client = await openRudeClient(node.port, `${head}${opening}\r\n\r\n`);
      rude.push(client);
      for (let sent = 0; sent < 200 && !client.isClosed; sent += 1) await client.write(bytes);
      await client.ended();
      return statusesOf(client.text());
    };
    const floods = Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0 ? flood("Content-Length: 1000000000", piece) : flood("Transfer-Encoding: chunked", chunk),
    );
    const statuses = (await whileServing(Promise.all(floods))).flat();
    // Where the node hung up in the middle of what it was sent, the response may be lost on its way.
    expect(statuses.filter((status) => status !== 413)).toEqual([]);
    expect(statuses.length).toBeGreaterThan(0);
  });

  it("holds WebSockets to their limits, and serves others meanwhile", async () => {
    const url = `ws://127.0.0.1:${node.port}/api/ws`;
    const sockets: readonly TestSocket[] = await Promise.all(Array.from({ length: MAX_SOCKETS }, () => openTestSocket(url)));
    expect(await metric("parley_websockets")).toBe(MAX_SOCKETS);
    await Promise.all(Array.from({ length: 50 }, () => expect(openTestSocket(url)).rejects.toThrow("No connection")));
    expect(await metric("parley_websockets")).toBe(MAX_SOCKETS);
    const [junk, huge, greedy, ...busy] = sockets;
    for (let i = 0; i < 1_000; i += 1) junk?.send("junk");
    huge?.send("z".repeat(300_000));
    for (let i = 0; i < 100; i += 1) greedy?.send({ type: "subscribe", topic: `typing:${toHex(randomBytes(32))}`, req: i });
    for (const socket of busy) for (let i = 0; i < 200; i += 1) socket.send({ type: "submit_tx", tx: { type: "TRANSFER", id: `x${i}` } });
    await whileServing(
      Promise.all([
        junk?.closed.then((end) => expect(end).toEqual({ code: 1008 })),
        huge?.closed.then((end) => expect(end).toEqual({ code: 1009 })),
        ...busy.map(async (socket) => {
          socket.send({ type: "ping", req: "last" });
          expect(await socket.next({ type: "error", id: "x199" })).toMatchObject({ error: expect.any(String) });
          await socket.next({ type: "pong", req: "last" });
        }),
      ]),
    );
    greedy?.send({ type: "ping", req: "last" });
    await greedy?.next({ type: "pong", req: "last" });
    expect(greedy?.frames.filter(({ type }) => type === "subscribed")).toHaveLength(64);
    for (const socket of sockets) socket.close();
    await becomes("parley_websockets", 0);
  });

  it("kept nothing of all that", async () => {
    expect(await metric("process_resident_memory_bytes")).toBeLessThan(MEMORY_BYTES);
    expect(await metric("parley_mempool_transactions")).toBe(0);
    await expectService();
  });

  it("ends in order while requests, WebSockets and streams are open", async () => {
    await openHalf(HALF_OPEN);
    const slow = await openRudeSocket(node.port);
    slow.pause();
    rude.push(slow);
    const stream = await openEvents(node.port, { "last-event-id": "0" });
    stream.pause();
    expect(await node.stop()).toBe(0);
    expect(node.log()).toContain("Stopped");
    expect(node.log()).not.toMatch(/^\s+at /m);
    stream.close();
  });
});
