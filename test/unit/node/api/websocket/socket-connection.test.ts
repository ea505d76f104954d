// A connection without its socket: what it leaves behind when it closes.
import type { WebSocket } from "@fastify/websocket";
import { describe, expect, it } from "vitest";
import { API_LIMITS } from "#node/api/limits.ts";
import { SocketConnection } from "#node/api/websocket/socket-connection.ts";
import { TopicHub } from "#node/api/websocket/topic-hub.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";

/** A connection on a socket that notes what it is sent. */
function open(world: ApiWorld, hub = new TopicHub()): { readonly connection: SocketConnection; readonly sent: string[] } {
  const sent: string[] = [];
  const socket = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: (frame: Buffer): void => void sent.push(frame.toString()),
    close: (): void => void sent.push("closed"),
  };
  const connection = new SocketConnection(
    socket as unknown as WebSocket,
    { cork: (): void => undefined, uncork: (): void => undefined },
    { services: world.services, hub, limits: { ...API_LIMITS, refusedFrames: 3 } },
    { needsKey: false, mayWrite: true, takeRate: (): number => 0 },
  );
  return { connection, sent };
}

describe("refused frames", () => {
  it("close a connection when too many come in a row, and only then", async () => {
    await using world = await createApiWorld();
    const { connection, sent } = open(world);
    const refuse = (count: number): void => {
      for (let n = 0; n < count; n += 1) connection.receive("no JSON");
    };
    refuse(2);
    connection.receive(JSON.stringify({ type: "ping" }));
    await pollUntil(() => sent.some((frame) => frame.includes("pong")));
    // The count is taken back once the frame was answered.
    await new Promise((resolve) => setImmediate(resolve));
    refuse(2);
    expect(sent).not.toContain("closed");
    refuse(1);
    expect(sent).toContain("closed");
  });
});

describe("a connection that closes", () => {
  it("leaves none of its subscriptions, and those of others alone", async () => {
    await using world = await createApiWorld();
    const hub = new TopicHub();
    const [one, other] = [open(world, hub).connection, open(world, hub).connection];
    const subscribe = (connection: SocketConnection, topic: string): void =>
      connection.receive(JSON.stringify({ type: "subscribe", topic }));
    subscribe(one, "blocks");
    subscribe(one, "txs");
    subscribe(other, "txs");
    await pollUntil(() => hub.has("blocks") && hub.has("txs"));
    one.closed();
    expect([hub.has("blocks"), hub.has("txs")]).toEqual([false, true]);
    other.closed();
    expect(hub.hasSome(() => true)).toBe(false);
  });
});
