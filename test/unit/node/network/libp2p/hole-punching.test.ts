// Dials from one port, what peers see of it, and who answers when two dial each other. With real routers: `npm run soak -- --routers`.
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { DCUtRServiceComponents } from "@libp2p/dcutr";
import type { Connection, MultiaddrConnection, Transport, Upgrader } from "@libp2p/interface";
import type { TCPComponents } from "@libp2p/tcp";
import { type Multiaddr, multiaddr } from "@multiformats/multiaddr";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHolePunching, type HolePunching } from "#node/network/libp2p/hole-punching.ts";

/** The parts of a libp2p node that hole punching uses. */
type Parts = DCUtRServiceComponents & TCPComponents;
/** Options that the upgrade of a dialled connection got. */
interface Upgrade {
  readonly direction: string;
  readonly initiator: boolean | undefined;
}

let servers: Server[];
let sockets: Socket[];
let punching: HolePunching;
let transport: Transport;
let upgrades: Upgrade[];

beforeEach(async () => {
  [servers, sockets, upgrades] = [[], [], []];
  punching = await createHolePunching();
  transport = punching.transport(dependencies());
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
});

function quietLog(): object {
  const log = (): void => undefined;
  return Object.assign(log, { trace: log, error: log, newScope: quietLog });
}

function dependencies(): Parts {
  const dialAll = async (target: unknown): Promise<Connection> => await dial(...[target].flat().map(String));
  return {
    logger: { forComponent: quietLog },
    addressManager: { getAddresses: () => [multiaddr("/ip4/192.168.0.2/tcp/1")] },
    connectionManager: { openConnection: dialAll },
  } as unknown as Parts;
}

/** An address to dial; gives what came to it. */
async function listen(): Promise<{ readonly address: string; readonly callers: number[] }> {
  const callers: number[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    callers.push(socket.remotePort ?? 0);
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return { address: `/ip4/127.0.0.1/tcp/${typeof address === "object" ? address?.port : ""}`, callers };
}

/** Dials; the upgrade only notes its options. */
async function dial(address = ""): Promise<Connection> {
  const upgradeOutbound = (connection: MultiaddrConnection, options?: { readonly initiator?: boolean }): Promise<Connection> => {
    upgrades.push({ direction: connection.direction, initiator: options?.initiator });
    return Promise.resolve(connection as unknown as Connection);
  };
  const upgrader = { upgradeOutbound } as unknown as Upgrader;
  return await transport.dial(multiaddr(address), { upgrader, signal: AbortSignal.timeout(20_000) } as Parameters<Transport["dial"]>[1]);
}

/** What the service for direct connections works with. */
function serviceParts(): {
  readonly addressManager: { getAddresses(): readonly Multiaddr[] };
  readonly connectionManager: { openConnection(target: unknown, options?: object): Promise<Connection> };
} {
  return punching.service(dependencies()) as ReturnType<typeof serviceParts>;
}

describe("dials of a node behind a router", () => {
  it("come from one port, so that what one peer sees leads others through the router", async () => {
    const [one, other] = [await listen(), await listen()];
    await dial(one.address);
    await dial(other.address);
    await expect.poll(() => [...one.callers, ...other.callers]).toHaveLength(2);
    expect(one.callers).toEqual(other.callers);
  });

  it("come from another port where that one is taken", async () => {
    const peer = await listen();
    await dial(peer.address);
    await dial(peer.address);
    await expect.poll(() => peer.callers).toHaveLength(2);
    expect(new Set(peer.callers).size).toBe(2);
  });

  it("fail as before when no peer listens", async () => {
    const gone = await listen();
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    await expect(dial(gone.address)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});

describe("a direct connection", () => {
  it("is offered at what peers see of the one port, the latest few, and of no other", async () => {
    const { addressManager } = serviceParts();
    const events = new EventTarget();
    punching.watch(events as unknown as Parameters<HolePunching["watch"]>[0]);
    const tell = (connection: unknown, seen: string): boolean =>
      events.dispatchEvent(new CustomEvent("peer:identify", { detail: { connection, observedAddr: multiaddr(seen) } }));
    const connection = await dial((await listen()).address);
    tell({}, "/ip4/203.0.113.9/tcp/1");
    expect(addressManager.getAddresses().map(String)).toEqual(["/ip4/192.168.0.2/tcp/1"]);
    for (const port of [1, 2, 3, 4, 5, 2]) tell(connection, `/ip4/203.0.113.7/tcp/${port}`);
    expect(addressManager.getAddresses().map((address) => String(address).split("/tcp/")[1])).toEqual(["1", "3", "4", "5", "2"]);
  });

  it("is answered by the one that is to answer, though both dial", async () => {
    const { connectionManager } = serviceParts();
    const peer = await listen();
    const address = multiaddr(peer.address);
    await connectionManager.openConnection([address], { force: true, initiator: false });
    await connectionManager.openConnection([multiaddr((await listen()).address)], { force: true });
    await dial(peer.address);
    expect(upgrades).toEqual([
      { direction: "inbound", initiator: false },
      { direction: "outbound", initiator: undefined },
      { direction: "outbound", initiator: undefined },
    ]);
  });
});
