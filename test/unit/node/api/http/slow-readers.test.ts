// Readers that ask for much and take nothing: over real sockets, with a mailbox of many megabytes.
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { API_LIMITS, RESPONSE_BYTES } from "#node/api/limits.ts";
import { boxKeyPair, sealEnvelope } from "#shared/protocol/mail/envelope.ts";
import { toHex } from "#shared/util/bytes.ts";
import { openRudeClient } from "#test/support/api/rude-client.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";

const ENVELOPES = 60;
const sender = boxKeyPair(new Uint8Array(32).fill(71));
const pub = toHex(boxKeyPair(new Uint8Array(32).fill(70)).publicKey);
const LIST = `/relay/inbox?pub=${pub}&limit=500`;

/** Fills the mailbox and gives the ids in the order of arrival. */
async function fill(world: ApiWorld, bytes = 180_000): Promise<readonly string[]> {
  const plaintext = new Uint8Array(bytes);
  const ids: string[] = [];
  for (let n = 0; n < ENVELOPES; n += 1) {
    const nonce = new Uint8Array(randomBytes(24));
    const envelope = sealEnvelope({ plaintext, recipientPub: pub, sender, senderMasterPub: "", nonce, sentAt: 1 });
    ids.push((await world.relay.broadcast(envelope)).id);
  }
  return ids;
}

/** A connection that asks for the list again and again, and reads nothing. */
async function stall(port: number, sockets: Socket[], requests = 20): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  socket.pause();
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.write(`GET ${LIST} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(requests));
}

describe("a list of a large mailbox", () => {
  it("comes in pages of bounded size that together hold everything once, in order", async () => {
    await using world = await createApiWorld();
    const ids = await fill(world);
    const seen: string[] = [];
    let after = 0;
    for (let hasMore = true; hasMore; ) {
      const response = await world.server.app.inject(`${LIST}&after=${after}`);
      expect(response.rawPayload.length).toBeLessThanOrEqual(RESPONSE_BYTES);
      const page = response.json<{
        readonly items: readonly { readonly id: string; readonly seq: number }[];
        readonly has_more: boolean;
      }>();
      expect(page.items.length).toBeGreaterThan(0);
      seen.push(...page.items.map(({ id }) => id));
      after = page.items.at(-1)?.seq ?? 0;
      hasMore = page.has_more;
    }
    expect(seen).toEqual(ids);
    const small = await world.server.app.inject(`/relay/inbox?pub=${pub}&limit=3`);
    expect(small.json()).toMatchObject({ count: 3, has_more: true });
    expect(Number(small.headers["content-length"])).toBe(small.rawPayload.length);
  });
});

describe("readers that take nothing", () => {
  it("are dropped", async () => {
    await using world = await createApiWorld({ api: { limits: { stallMs: 600 } } });
    await fill(world);
    const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
    const connections: Socket[] = [];
    world.server.app.server.on("connection", (socket: Socket) => connections.push(socket));
    const sockets: Socket[] = [];
    for (let n = 0; n < 3; n += 1) await stall(port, sockets);
    // Some may have got nothing but refusals, which the system takes whole.
    await pollUntil(() => connections.some(({ writableLength }) => writableLength > 0));
    await pollUntil(() => {
      world.clock.advance(100);
      return connections.some(({ destroyed }) => destroyed) && connections.every(({ writableLength }) => writableLength === 0);
    });
    for (const socket of sockets) socket.destroy();
  });

  it("get no more than the budget of their address, whichever of its connections they use", async () => {
    await using world = await createApiWorld({ api: { limits: { waitingBytesPerAddress: 5_000_000 } } });
    await fill(world);
    const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
    const client = await openRudeClient(port);
    await client.write(`GET ${LIST} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(20));
    const statuses = (): readonly string[] => [...client.text().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
    await pollUntil(() => statuses().length === 20);
    expect(statuses().filter((status) => status === "200").length).toBeLessThanOrEqual(2);
    expect(new Set(statuses())).toEqual(new Set(["200", "429"]));
    await pollUntil(async () => (await fetch(`http://127.0.0.1:${port}${LIST}`)).status === 200);
    client.destroy();
  });

  it("do not touch readers who take their time", async () => {
    await using world = await createApiWorld({ api: { limits: { stallMs: 300 } } });
    await fill(world);
    const { port } = await world.server.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    const requests = 8;
    socket.write(`GET ${LIST} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(requests));
    let received = 0;
    socket.on("data", (chunk: Buffer) => {
      // Four times as long as a reader may stand still in all. The system takes a megabyte or more at once, and then nothing for a while.
      const more = Math.floor((received + chunk.length) / API_LIMITS.stallBytes) - Math.floor(received / API_LIMITS.stallBytes);
      received += chunk.length;
      world.clock.advance(5 * more);
      socket.pause();
      setImmediate(() => socket.resume());
    });
    const expected = (await (await fetch(`http://127.0.0.1:${port}${LIST}`)).arrayBuffer()).byteLength;
    await pollUntil(() => received > requests * expected, { timeoutMs: 30_000 });
    socket.destroy();
  });
});
