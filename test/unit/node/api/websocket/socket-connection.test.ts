// A connection without its socket: what it leaves behind when it closes.
import type { WebSocket } from "@fastify/websocket";
import { describe, expect, it } from "vitest";
import { API_LIMITS } from "#node/api/limits.ts";
import { SocketConnection } from "#node/api/websocket/socket-connection.ts";
import { TopicHub } from "#node/api/websocket/topic-hub.ts";
import { createApiWorld } from "#test/support/api-world.ts";
import { pollUntil } from "#test/support/poll-until.ts";

describe("a connection that closes", () => {
  it("leaves none of its subscriptions, and those of others alone", async () => {
    await using world = await createApiWorld();
    const hub = new TopicHub();
    const open = (): SocketConnection =>
      new SocketConnection(
        { OPEN: 1, readyState: 1, bufferedAmount: 0, send: () => undefined } as unknown as WebSocket,
        { cork: () => undefined, uncork: () => undefined },
        { services: world.services, hub, limits: API_LIMITS },
        { needsKey: false, mayWrite: true, takeRate: () => 0 },
      );
    const [one, other] = [open(), open()];
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
