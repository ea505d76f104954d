// Caps on TCP connections: in all, of one address, and who is exempt.
import { EventEmitter, once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { capConnections } from "#node/api/http/connection-cap.ts";
import { API_LIMITS } from "#node/api/limits.ts";
import { createApiServer } from "#node/api/server.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createApiWorld } from "#test/support/worlds/api-world.ts";

const limits = { ...API_LIMITS, tcpConnections: 6, tcpPerAddress: 3, tcpPerSubnet: 4 };

interface Caller {
  readonly isOpen: boolean;
  /** Begins a request; returns the way to end it. */
  ask(): () => void;
  hangUp(): void;
}

/** A server whose callers come from wherever the test says. */
function cappedServer(over: { readonly limitsLoopback?: boolean; readonly trustedProxies?: readonly string[] } = {}): {
  readonly server: Server;
  call(address: string): Caller;
} {
  const server = new EventEmitter() as unknown as Server;
  capConnections(server, { limits, limitsLoopback: false, trustedProxies: [], ...over });
  const call = (address: string): Caller => {
    const socket = new EventEmitter() as unknown as Socket;
    let isOpen = true;
    const hangUp = (): void => {
      if (!isOpen) return;
      isOpen = false;
      socket.emit("close");
    };
    Object.assign(socket, { remoteAddress: address, destroy: hangUp });
    server.emit("connection", socket);
    return {
      get isOpen(): boolean {
        return isOpen;
      },
      ask: (): (() => void) => {
        const response = new EventEmitter();
        server.emit("request", { socket }, response);
        return () => response.emit("close");
      },
      hangUp,
    };
  };
  return { server, call };
}

describe("connections", () => {
  it("of one address are so many, IPv6 counted by its network, and free again when they end", () => {
    const { call } = cappedServer();
    const callers = [1, 2, 3, 4].map(() => call("203.0.113.7"));
    expect(callers.map(({ isOpen }) => isOpen)).toEqual([true, true, true, false]);
    expect(call("::ffff:203.0.113.7").isOpen).toBe(false);
    expect(["2001:db8::1", "2001:db8::2", "2001:db8:0:0:9::3"].map((address) => call(address).isOpen)).toEqual([true, true, true]);
    const second = cappedServer();
    const three = [1, 2, 3].map((n) => second.call(`2001:db8::${n}`));
    expect(second.call("2001:db8::4").isOpen).toBe(false);
    three[0]?.hangUp();
    expect(second.call("2001:db8::5").isOpen).toBe(true);
    expect(second.call("2001:db8::6").isOpen).toBe(false);
  });

  it("of one subnet are so many, under however many addresses", () => {
    for (const addressOf of [(n: number): string => `203.0.113.${n}`, (n: number): string => `2001:db8:7:${n}::1`]) {
      const { call } = cappedServer();
      const callers = [1, 2, 3, 4, 5].map((n) => call(addressOf(n)));
      expect(callers.map(({ isOpen }) => isOpen)).toEqual([true, true, true, true, false]);
      callers[2]?.hangUp();
      expect([call(addressOf(6)).isOpen, call(addressOf(7)).isOpen]).toEqual([true, false]);
    }
  });

  it("of all addresses are so many, and the node's own machine still gets in", () => {
    const { server, call } = cappedServer();
    const callers = Array.from({ length: 7 }, (_, n) => call(`198.51.${n}.1`));
    for (const caller of callers) caller.ask();
    const last = call("198.51.9.1");
    expect(callers.filter(({ isOpen }) => isOpen)).toHaveLength(6);
    expect(last.isOpen).toBe(false);
    expect(["127.0.0.1", "::1", "::ffff:127.0.0.1"].map((address) => call(address).isOpen)).toEqual([true, true, true]);
    expect(server.maxConnections).toBe(limits.tcpConnections + 64);
    for (const caller of callers.slice(0, 5)) caller.hangUp();
    expect(call("198.51.100.9").isOpen).toBe(true);
  });

  it("that do nothing make room, the one of the fullest subnet that did so for longest first", () => {
    const { call } = cappedServer();
    const [busy, idle, ended] = [1, 2, 3].map((n) => call(`2001:db8:1:${n}::1`));
    busy?.ask();
    ended?.ask()();
    const others = [1, 2, 3].map((n) => call(`198.51.${n}.1`));
    const newcomers = [4, 5].map((n) => call(`198.51.${n}.1`));
    expect([busy, idle, ended, ...others, ...newcomers].map((caller) => caller?.isOpen)).toEqual([
      true,
      false,
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
  });

  it("that all have requests under way make room in a subnet with far more than the newcomer's, and nowhere else", () => {
    const { call } = cappedServer();
    const crowd = [1, 2, 3, 4].map((n) => call(`203.0.113.${n}`));
    const others = [1, 2].map((n) => call(`198.51.${n}.1`));
    for (const caller of [...crowd, ...others]) caller.ask();
    const first = call("198.51.7.1");
    first.ask();
    expect([...crowd, ...others, first].map(({ isOpen }) => isOpen)).toEqual([false, true, true, true, true, true, true]);
    const second = call("198.51.7.2");
    const third = call("198.51.8.1");
    expect([second.isOpen, third.isOpen]).toEqual([false, true]);
  });

  it("of loopback and trusted proxies are not counted by address, unless loopback is limited", () => {
    const open = (address: string, options?: Parameters<typeof cappedServer>[0]): number => {
      const { call } = cappedServer(options);
      return Array.from({ length: 5 }, () => call(address)).filter(({ isOpen }) => isOpen).length;
    };
    expect([open("127.0.0.1"), open("127.0.0.1", { limitsLoopback: true })]).toEqual([5, 3]);
    expect([open("192.0.2.1"), open("192.0.2.1", { trustedProxies: ["192.0.2.1"] })]).toEqual([3, 5]);
  });

  it("of a real server end at once beyond the cap, and those before continue", async () => {
    await using world = await createApiWorld();
    const server = await createApiServer({ listenHost: "127.0.0.1", limitsLoopback: true, limits: { tcpPerAddress: 3 } }, world.services);
    const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
    const sockets = Array.from({ length: 5 }, () => connect({ port, host: "127.0.0.1" }).on("error", () => undefined));
    await pollUntil(() => sockets.filter(({ closed }) => closed).length === 2);
    const [alive] = sockets.filter(({ closed }) => !closed);
    alive?.write("GET /api/netstats HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [response] = (await once(alive ?? new EventEmitter(), "data")) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of sockets) socket.destroy();
    await server.close();
  });
});
