// The WebSocket over a real socket: greeting, topics, submissions, rights and limits.
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { boxKeyPair, type Envelope, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { openTestSocket, signSocketAuth, type TestSocket } from "#test/support/api/test-socket.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { type ApiWorld, type ApiWorldOptions, createApiWorld } from "#test/support/worlds/api-world.ts";
import { type Actor, alice, bob, carol, deviceKey, GENESIS, signed } from "#test/support/worlds/ledger-world.ts";

const worlds: ApiWorld[] = [];
const sockets: TestSocket[] = [];

interface OpenWorld {
  readonly world: ApiWorld;
  readonly url: string;
  open(query?: string): Promise<TestSocket>;
}

async function listening(options: ApiWorldOptions = {}): Promise<OpenWorld> {
  const world = await createApiWorld(options);
  worlds.push(world);
  const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
  const url = `ws://127.0.0.1:${port}/api/ws`;
  const open = async (query = ""): Promise<TestSocket> => {
    const socket = await openTestSocket(`${url}${query}`);
    sockets.push(socket);
    return socket;
  };
  return { world, url, open };
}

/** A mode in which every connection counts as one from another machine. */
const PRIVATE: ApiWorldOptions = { api: { token: "right", isPrivate: true } };

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  for (const world of worlds.splice(0)) await world[Symbol.asyncDispose]();
});

function envelopeTo(recipientPub: string, n = 1): Envelope {
  return sealEnvelope({
    plaintext: utf8("hello"),
    recipientPub,
    sender: boxKeyPair(new Uint8Array(32).fill(80)),
    senderMasterPub: alice.pub,
    nonce: new Uint8Array(24).fill(n),
    sentAt: 5,
  });
}

async function subscribed(socket: TestSocket, topic: string): Promise<void> {
  socket.send({ type: "subscribe", topic });
  await socket.next({ type: "subscribed", topic });
}

async function authenticate(socket: TestSocket, actor: Actor): Promise<void> {
  const hello = (await socket.next({ type: "hello" })) as unknown as { readonly chain_id: string; readonly nonce: string };
  socket.send({ type: "auth", ...signSocketAuth(hello, { publicKey: actor.pub, seed: actor.seed }), req: "a" });
  await socket.next({ type: "auth_ok", pub: actor.pub, req: "a" });
}

describe("greeting", () => {
  it("names the chain, a fresh nonce and whether a key is needed", async () => {
    const { open } = await listening();
    const [one, two] = [await open(), await open()];
    const hello = await one.next({ type: "hello" });
    expect(hello).toEqual({
      type: "hello",
      chain_id: GENESIS.chain_id,
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
      auth_required: false,
    });
    expect((await two.next({ type: "hello" })).nonce).not.toBe(hello.nonce);
  });

  it("answers a ping", async () => {
    const { open } = await listening();
    const socket = await open();
    socket.send({ type: "ping", req: 7 });
    expect(await socket.next({ type: "pong" })).toEqual({ type: "pong", req: 7 });
  });
});

describe("topics", () => {
  it("tells blocks, transactions and accounts, each in the form that was subscribed", async () => {
    const { world, open } = await listening();
    const socket = await open();
    const topics = ["blocks", "txs", `account:${formatAddress(bob.pub)}`, `account:${bob.pub.toUpperCase()}`];
    for (const topic of topics) await subscribed(socket, topic);
    const tx = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {} });
    await world.services.mempool.submit(tx, world.clock.nowMs());
    const block = world.commit();
    const push = await socket.next({ type: "block" });
    expect(push).toMatchObject({
      topic: "blocks",
      index: 1,
      tx_count: 1,
      total_fees_ut: 1_000,
      time: new Date(block.header.timeMs).toISOString(),
    });
    for (const topic of topics.slice(1)) {
      expect(await socket.next({ type: "tx", topic })).toMatchObject({
        id: tx.id,
        tx_type: "TRANSFER",
        from: alice.pub,
        to: bob.pub,
        amount_ut: 5,
        fee_ut: 1_000,
        block: 1,
        block_hash: push.hash,
        status: "ok",
      });
    }
  });

  it("tells the proposer of its reward, and others nothing of it", async () => {
    const { world, open } = await listening();
    const socket = await open();
    const [validator] = await world.services.explorer.validators();
    await subscribed(socket, `account:${validator?.pub_key}`);
    await subscribed(socket, "txs");
    await world.services.mempool.submit(signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {} }), world.clock.nowMs());
    world.commit();
    const reward = await socket.next({ type: "tx", tx_type: "BLOCK_REWARD" });
    expect(reward).toMatchObject({ id: "reward-1", topic: `account:${validator?.pub_key}`, amount_ut: 51_000, from: "", fee_ut: 0 });
    const shown = await world.server.app.inject("/api/tx/reward-1");
    expect(shown.json()).toMatchObject({ amount_ut: 51_000, type: "BLOCK_REWARD" });
    expect(socket.frames.filter((frame) => frame.type === "tx").map((frame) => "tx_type" in frame && frame.tx_type)).toEqual([
      "TRANSFER",
      "BLOCK_REWARD",
    ]);
  });

  it("stops after unsubscribe, and leaves other listeners alone", async () => {
    const { world, open } = await listening();
    const [one, two] = [await open(), await open()];
    await subscribed(one, "blocks");
    await subscribed(two, "blocks");
    one.send({ type: "unsubscribe", topic: "blocks", req: 1 });
    expect(await one.next({ type: "unsubscribed" })).toMatchObject({ topic: "blocks", req: 1 });
    world.clock.advance(60_000);
    world.commit();
    await two.next({ type: "block" });
    one.send({ type: "ping" });
    await one.next({ type: "pong" });
    expect(one.frames.some((frame) => frame.type === "block")).toBe(false);
  });

  it("tells an inbox of each envelope once", async () => {
    const { world, open } = await listening();
    const socket = await open();
    const pub = deviceKey(81);
    await subscribed(socket, `inbox:${pub}`);
    const envelope = envelopeTo(pub);
    await world.relay.broadcast(envelope);
    await world.relay.broadcast(envelope);
    await world.relay.broadcast(envelopeTo(pub, 2));
    await socket.next({ type: "inbox", id: envelopeTo(pub, 2).id });
    const pushes = socket.frames.filter((frame) => frame.type === "inbox");
    expect(pushes).toHaveLength(2);
    expect(pushes[0]).toEqual({
      type: "inbox",
      topic: `inbox:${pub}`,
      id: envelope.id,
      recipient_pub: pub,
      sender_pub: envelope.sender_pub,
      sender_ed25519_pub: alice.pub,
      fee_ut: 0,
      sent_at: 5,
    });
  });

  it("passes typing on to those who watch the key", async () => {
    const { open } = await listening();
    const [writer, reader] = [await open(), await open()];
    await subscribed(reader, `typing:${deviceKey(82)}`);
    writer.send({ type: "typing", to: deviceKey(82).toUpperCase(), from: deviceKey(83) });
    expect(await reader.next({ type: "typing" })).toEqual({
      type: "typing",
      topic: `typing:${deviceKey(82)}`,
      to: deviceKey(82),
      from: deviceKey(83),
    });
  });

  it("refuses names that are none", async () => {
    const { open } = await listening();
    const socket = await open();
    const names = [
      "",
      "block",
      "account:",
      "account:nope",
      "inbox:short",
      "typing:",
      "contract:abc",
      "contract:0123456789abcdeg",
      "blocks:1",
      "x".repeat(201),
    ];
    for (const [req, topic] of names.entries()) {
      socket.send({ type: "subscribe", topic, req });
      expect(await socket.next({ type: "error", req })).toMatchObject({ error: expect.any(String) });
    }
    expect(socket.frames.some((frame) => frame.type === "subscribed")).toBe(false);
  });

  it("holds a bounded number of subscriptions", async () => {
    const { open } = await listening({ api: { limits: { subscriptions: 2 } } });
    const socket = await open();
    await subscribed(socket, "blocks");
    await subscribed(socket, "txs");
    await subscribed(socket, "txs");
    socket.send({ type: "subscribe", topic: `account:${alice.pub}`, req: 3 });
    expect(await socket.next({ type: "error" })).toMatchObject({ req: 3, error: expect.stringContaining("2 subscriptions") });
    socket.send({ type: "unsubscribe", topic: "txs" });
    await subscribed(socket, `account:${alice.pub}`);
  });

  it("holds a bounded number of those of mailboxes, beside the others", async () => {
    const { open } = await listening({ api: { limits: { subscriptions: 1, boxSubscriptions: 2 } } });
    const socket = await open();
    const topicOf = (byte: string): string => `inbox:${byte.repeat(32)}`;
    for (const topic of [topicOf("11"), "blocks", topicOf("22"), topicOf("22")]) await subscribed(socket, topic);
    socket.send({ type: "subscribe", topic: topicOf("33"), req: 4 });
    expect(await socket.next({ type: "error" })).toMatchObject({ req: 4, error: expect.stringContaining("2 subscriptions of mailboxes") });
    socket.send({ type: "unsubscribe", topic: topicOf("44") });
    socket.send({ type: "unsubscribe", topic: topicOf("11") });
    await subscribed(socket, topicOf("33"));
    socket.send({ type: "subscribe", topic: "txs", req: 5 });
    expect(await socket.next({ type: "error", req: 5 })).toMatchObject({ error: expect.stringContaining("1 subscriptions") });
  });

  it("holds an eighth of those of mailboxes for a client whose rate counts", async () => {
    const { open } = await listening({ api: { limitsLoopback: true, limits: { boxSubscriptions: 16 } } });
    const socket = await open();
    const topicOf = (byte: string): string => `inbox:${byte.repeat(32)}`;
    for (const topic of [topicOf("11"), topicOf("22"), "blocks"]) await subscribed(socket, topic);
    socket.send({ type: "subscribe", topic: topicOf("33"), req: 6 });
    expect(await socket.next({ type: "error", req: 6 })).toMatchObject({ error: expect.stringContaining("2 subscriptions of mailboxes") });
  });
});

describe("submission", () => {
  it("acknowledges what the pool took and says why it refused", async () => {
    const { world, open } = await listening();
    const socket = await open();
    const tx = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {} });
    socket.send({ type: "submit_tx", tx, req: "s1" });
    expect(await socket.next({ type: "submit_ack" })).toEqual({ type: "submit_ack", id: tx.id, status: "accepted", req: "s1" });
    expect(world.services.mempool.size).toBe(1);
    socket.send({ type: "submit_tx", tx: { ...tx, amount: 6 }, req: 2 });
    expect(await socket.next({ type: "error" })).toEqual({ type: "error", id: tx.id, error: expect.stringContaining("id"), req: 2 });
    socket.send({ type: "submit_tx", tx: "nonsense" });
    expect(await socket.next({ type: "error" })).toEqual({ type: "error", error: expect.any(String) });
  });

  it("acknowledges what it has already, for a client that lost the first acknowledgement", async () => {
    const { world, open } = await listening();
    const socket = await open();
    const tx = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {} });
    for (const req of [1, 2]) {
      socket.send({ type: "submit_tx", tx, req });
      expect(await socket.next({ type: "submit_ack" })).toEqual({ type: "submit_ack", id: tx.id, status: "accepted", req });
    }
    expect(world.services.mempool.size).toBe(1);
  });

  it("needs the token where writes do", async () => {
    const { world, open } = await listening({ api: { token: "right" } });
    const [anonymous, known] = [await open(), await open("?token=right")];
    const tx = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 5, payload: {} });
    anonymous.send({ type: "submit_tx", tx });
    expect(await anonymous.next({ type: "error" })).toMatchObject({ id: tx.id, error: expect.stringContaining("token") });
    expect(world.services.mempool.size).toBe(0);
    known.send({ type: "submit_tx", tx });
    expect(await known.next({ type: "submit_ack" })).toMatchObject({ status: "accepted" });
  });

  it("hides what broke inside", async () => {
    const { world, open } = await listening({
      services: { mempool: { size: 0, get: () => undefined, submit: () => Promise.reject(new Error("/home/me is gone")) } },
    });
    const socket = await open();
    socket.send({ type: "submit_tx", tx: {} });
    expect(await socket.next({ type: "error" })).toMatchObject({ error: expect.not.stringContaining("/home") });
    expect(world.logLines.join("")).toContain("/home/me is gone");
  });
});

describe("the connection", () => {
  it("survives frames that make no sense", async () => {
    const { open } = await listening();
    const socket = await open();
    const frames: readonly (readonly [string, RegExp])[] = [
      ["{", /JSON/],
      ["[]", /object/],
      ["null", /object/],
      ["{}", /type/],
      ['{"type":"dance","req":4}', /type/],
      ['{"type":"__proto__"}', /type/],
      ['{"type":"subscribe"}', /topic/],
      ['{"type":"subscribe","topic":5}', /topic/],
      ['{"type":"typing","to":"a","from":"b"}', /X25519/],
      ['{"type":"auth","pub":"a","sig":"b"}', /auth/],
    ];
    for (const [frame, words] of frames) {
      socket.send(frame);
      expect([frame, (await socket.next({ type: "error" })).error]).toEqual([frame, expect.stringMatching(words)]);
    }
    socket.sendBytes(utf8('{"type":"ping"}'));
    expect((await socket.next({ type: "error" })).error).toMatch(/binary/);
    socket.send({ type: "ping" });
    await socket.next({ type: "pong" });
  });

  it("ends when a client sends nothing but nonsense", async () => {
    const { open } = await listening({ api: { limits: { refusedFrames: 5 } } });
    const socket = await open();
    for (let i = 0; i < 5; i += 1) socket.send("nonsense");
    expect(await socket.closed).toEqual({ code: 1008 });
  });

  it("ends at a frame over the cap", async () => {
    const { open } = await listening({ api: { limits: { frameBytes: 1_000 } } });
    const socket = await open();
    socket.send({ type: "ping", padding: "x".repeat(1_000) });
    expect(await socket.closed).toEqual({ code: 1009 });
  });

  it("counts frames of other machines against the rate of their address", async () => {
    const { open } = await listening({ api: { limitsLoopback: true, limits: { requestsPerSecond: 1, requestBurst: 3 } } });
    const socket = await open();
    for (let i = 0; i < 3; i += 1) socket.send({ type: "ping", req: i });
    expect((await socket.next({ type: "error" })).error).toContain("Too many");
    expect(socket.frames.filter((frame) => frame.type === "pong")).toHaveLength(2);
  });

  it("is refused beyond the share of an address, and free again after one ends", async () => {
    const { open } = await listening({ api: { limits: { connectionsPerAddress: 2 } } });
    const [one] = [await open(), await open()];
    await expect(open()).rejects.toThrow();
    one.close();
    await pollUntil(() => open().then(() => true));
  });

  it("is refused without the right token, host or origin", async () => {
    const { url, open } = await listening(PRIVATE);
    await expect(open()).rejects.toThrow();
    await expect(open("?token=wrong")).rejects.toThrow();
    const { hostname, port } = new URL(url);
    for (const [headers, status] of [
      ["Host: rebound.example", 403],
      [`Host: ${hostname}:${port}\r\nOrigin: https://evil.example`, 403],
      [`Host: ${hostname}:${port}\r\nOrigin: http://${hostname}:${port}`, 101],
    ] as const)
      expect([headers, await upgradeStatus(Number(port), headers)]).toEqual([headers, status]);
  });

  it("is dropped when its reader is too slow, while others continue", async () => {
    const { world, url, open } = await listening({ api: { limits: { socketBufferBytes: 100_000 } } });
    const { port } = new URL(url);
    const slow = connect(Number(port), "127.0.0.1");
    slow.on("error", () => undefined);
    slow.write(upgradeRequest(`Host: 127.0.0.1:${port}`));
    await new Promise((resolve) => slow.once("data", resolve));
    const pub = deviceKey(84);
    slow.write(maskedFrame(JSON.stringify({ type: "subscribe", topic: `typing:${pub}` })));
    await new Promise((resolve) => slow.once("data", resolve));
    slow.pause();
    const dropped = new Promise((resolve) => slow.once("close", resolve));
    const reader = await open();
    await subscribed(reader, `typing:${pub}`);
    const connections = (): number => connectionsOf(world);
    expect(connections()).toBe(2);
    const writer = await open();
    for (let sent = 0; connections() === 3 && sent < 400_000; sent += 500) {
      for (let i = 0; i < 500; i += 1) writer.send({ type: "typing", to: pub, from: pub });
      writer.send({ type: "ping", req: sent });
      await writer.next({ type: "pong", req: sent });
    }
    expect(connections()).toBe(2);
    slow.resume();
    await dropped;
    reader.send({ type: "ping" });
    await reader.next({ type: "pong" });
  });

  it("is dropped when it does not answer the node's pings", async () => {
    const { world, url, open } = await listening({ api: { limits: { heartbeatMs: 50 } } });
    const { port } = new URL(url);
    const silent = connect(Number(port), "127.0.0.1");
    silent.on("error", () => undefined);
    silent.write(upgradeRequest(`Host: 127.0.0.1:${port}`));
    silent.resume();
    const lively = await open();
    await pollUntil(() => connectionsOf(world) === 1);
    lively.send({ type: "ping" });
    await lively.next({ type: "pong" });
  });

  it("receives goodbye when the node closes", async () => {
    const { world, open } = await listening();
    const socket = await open();
    await world.server.close();
    expect(await socket.closed).toEqual({ code: 1001 });
  });
});

describe("rights to a mailbox", () => {
  const identityKey = deviceKey(90);
  const linkedKey = deviceKey(91);

  async function privateWorld(): Promise<OpenWorld> {
    const opened = await listening(PRIVATE);
    const { mempool } = opened.world.services;
    const now = opened.world.clock.nowMs();
    await mempool.submit(signed(bob, { type: "REGISTER_KEY", payload: { x25519_pub_key: identityKey } }), now);
    await mempool.submit(signed(bob, { type: "LINK_DEVICE", payload: { x25519_pub_key: linkedKey, device_name: "desk" } }), now);
    opened.world.commit();
    return opened;
  }

  it("come from the key of an identity or device, proven by a signature over the nonce", async () => {
    const { open } = await privateWorld();
    const socket = await open("?token=right");
    socket.send({ type: "subscribe", topic: `typing:${linkedKey}` });
    expect((await socket.next({ type: "error" })).error).toMatch(/auth/);
    await authenticate(socket, carol);
    socket.send({ type: "subscribe", topic: `typing:${identityKey}` });
    expect((await socket.next({ type: "error" })).error).toMatch(/auth/);
    const again = await open("?token=right");
    await authenticate(again, bob);
    await subscribed(again, `inbox:${identityKey}`);
    await subscribed(again, `typing:${linkedKey}`);
    await subscribed(again, "blocks");
  });

  it("take effect in the order of the frames, without waiting for responses", async () => {
    const { open } = await privateWorld();
    const socket = await open("?token=right");
    const hello = (await socket.next({ type: "hello" })) as unknown as { readonly chain_id: string; readonly nonce: string };
    socket.send({ type: "auth", ...signSocketAuth(hello, { publicKey: bob.pub, seed: bob.seed }) });
    socket.send({ type: "subscribe", topic: `inbox:${linkedKey}` });
    await socket.next({ type: "subscribed" });
  });

  it("do not come from signatures of another nonce, chain or key", async () => {
    const { open } = await privateWorld();
    const socket = await open("?token=right");
    const { nonce, chain_id } = (await socket.next({ type: "hello" })) as unknown as { readonly chain_id: string; readonly nonce: string };
    const key = { publicKey: bob.pub, seed: bob.seed };
    for (const frame of [
      signSocketAuth({ chain_id, nonce: "0".repeat(64) }, key),
      signSocketAuth({ chain_id: "other-chain", nonce }, key),
      signSocketAuth({ chain_id, nonce }, { publicKey: bob.pub, seed: carol.seed }),
    ]) {
      socket.send({ type: "auth", ...frame, req: 1 });
      expect((await socket.next({ type: "error" })).error).toMatch(/signature/);
    }
    const { sig } = signSocketAuth({ chain_id, nonce }, key);
    socket.send({ type: "auth", pub: bob.pub.toUpperCase(), sig: toHex(Buffer.from(sig, "base64")) });
    await socket.next({ type: "auth_ok", pub: bob.pub });
  });

  it("are needed to type in someone's name", async () => {
    const { open } = await privateWorld();
    const socket = await open("?token=right");
    socket.send({ type: "typing", to: deviceKey(92), from: linkedKey });
    expect((await socket.next({ type: "error" })).error).toMatch(/authenticated/);
    await authenticate(socket, bob);
    const reader = await open("?token=right");
    await authenticate(reader, bob);
    await subscribed(reader, `typing:${identityKey}`);
    socket.send({ type: "typing", to: identityKey, from: linkedKey });
    await reader.next({ type: "typing", from: linkedKey });
  });

  it("are needed for no notice to a box that its owner has opened, whose names say nothing", async () => {
    const { open, world } = await privateWorld();
    const { relay } = world.services;
    const [box, ownBox] = [deviceKey(93), deviceKey(94)];
    const opening = { mailbox: box, writeKey: bob.pub, untilSec: 1, height: 1, signature: "" };
    relay.boxes.find = (mailbox): ReturnType<typeof relay.boxes.find> => {
      if (mailbox !== box && mailbox !== ownBox) return undefined;
      return { opening: { ...opening, read: mailbox === box ? "anyone" : "owner" }, isOpen: true };
    };
    const [writer, reader] = [await open("?token=right"), await open("?token=right")];
    await subscribed(reader, `typing:${box}`);
    writer.send({ type: "typing", to: box, from: deviceKey(95) });
    await reader.next({ type: "typing", to: box, from: deviceKey(95) });
    writer.send({ type: "typing", to: ownBox, from: deviceKey(95) });
    expect((await writer.next({ type: "error" })).error).toMatch(/authenticated/);
    reader.send({ type: "subscribe", topic: `typing:${ownBox}` });
    expect((await reader.next({ type: "error" })).error).toMatch(/auth/);
    for (let name = 0; name < 40; name += 1) writer.send({ type: "typing", to: box, from: deviceKey(96 + name) });
    expect((await writer.next({ type: "error" })).error).toMatch(/too many/);
    expect(reader.frames.filter(({ type }) => type === "typing").length).toBeLessThanOrEqual(32);
  });

  it("are held for a bounded number of keys", async () => {
    const { open } = await listening({ api: { token: "right", isPrivate: true, limits: { authenticatedKeys: 1 } } });
    const socket = await open("?token=right");
    const hello = (await socket.next({ type: "hello" })) as unknown as { readonly chain_id: string; readonly nonce: string };
    socket.send({ type: "auth", ...signSocketAuth(hello, { publicKey: bob.pub, seed: bob.seed }) });
    await socket.next({ type: "auth_ok" });
    socket.send({ type: "auth", ...signSocketAuth(hello, { publicKey: carol.pub, seed: carol.seed }) });
    expect((await socket.next({ type: "error" })).error).toContain("at most 1");
  });
});

/** Open connections, as the server counts them. */
function connectionsOf({ server }: ApiWorld): number {
  const { websocketServer } = server.app as unknown as { readonly websocketServer: { readonly clients: ReadonlySet<unknown> } };
  return websocketServer.clients.size;
}

function upgradeRequest(headers: string): string {
  return `GET /api/ws?token=right HTTP/1.1\r\n${headers}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
}

async function upgradeStatus(port: number, headers: string): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  socket.write(upgradeRequest(headers));
  const data = await new Promise<Buffer>((resolve) => socket.once("data", resolve));
  socket.destroy();
  return Number(data.toString("latin1").split(" ")[1]);
}

/** A client's text frame of fewer than 126 bytes, masked with zeros. */
function maskedFrame(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x81, 0x80 | text.length, 0, 0, 0, 0), Buffer.from(text)]);
}
