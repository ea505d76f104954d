// Dials through the guarded transport, over real sockets.
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import type { Connection, MultiaddrConnection, Transport, Upgrader } from "@libp2p/interface";
import type { TCPComponents } from "@libp2p/tcp";
import { multiaddr } from "@multiformats/multiaddr";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DialPolicy } from "#node/network/addresses/dial-policy.ts";
import { sourceOf } from "#node/network/addresses/peer-source.ts";
import { DialRate } from "#node/network/libp2p/dial-rate.ts";
import { guardedTcp } from "#node/network/libp2p/guarded-transport.ts";
import { PEER_LIMITS } from "#node/network/peer-limits.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const PEER = peerNameOf(actor(1).pub);
let server: Server;
let port: number;
let visits: number;

beforeEach(async () => {
  visits = 0;
  server = createServer((socket) => {
    visits += 1;
    socket.on("error", () => undefined);
    socket.end();
  });
  server.listen(0, "::");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

function quietLog(): object {
  const log = (): void => undefined;
  return Object.assign(log, { trace: log, error: log, newScope: quietLog });
}

/** Dials; the upgrade gives the socket as it is. */
async function dial(
  policy: DialPolicy,
  host: string,
  lookUp?: (name: string) => Promise<readonly string[]>,
  rate = new DialRate(() => 0),
): Promise<Connection> {
  const components = { logger: { forComponent: quietLog } } as unknown as TCPComponents;
  const transport = guardedTcp(components, { policy, rate, ...(lookUp === undefined ? {} : { lookUp }) });
  const upgradeOutbound = (connection: MultiaddrConnection): Promise<Connection> => Promise.resolve(connection as unknown as Connection);
  const options = { upgrader: { upgradeOutbound } as unknown as Upgrader, signal: AbortSignal.timeout(20_000) };
  const address = multiaddr(`/${host}/tcp/${port}/p2p/${PEER}`);
  return await transport.dial(address, options as unknown as Parameters<Transport["dial"]>[1]);
}

const policyOf = (dialsPrivate: boolean): DialPolicy =>
  new DialPolicy({ configured: [], listenHost: "127.0.0.1", announce: [], dialsPrivate, ownNetworks: () => [] });

const policyWithPublic = (): DialPolicy =>
  new DialPolicy({ configured: [], listenHost: undefined, announce: [], dialsPrivate: undefined, ownNetworks: () => [] });

describe("the guarded transport", () => {
  it.each([
    ["dns4/127.0.0.1"],
    ["dns/127.0.0.1"],
    ["dns6/::1"],
    ["dns4/0.0.0.0"],
    ["dns4/::ffff:127.0.0.1"],
    ["ip4/127.0.0.1"],
    ["ip6/::1"],
  ])("leads nowhere with %s, which a name server is not asked for", async (host) => {
    await expect(dial(policyOf(false), host)).rejects.toThrow("is not dialled");
    expect(visits).toBe(0);
  });

  it("connects to what a name leads to by its address, so that limits by address count it", async () => {
    const asked: string[] = [];
    const connection = await dial(policyOf(true), "dns4/stranger.example", (name) => {
      asked.push(name);
      return Promise.resolve(["127.0.0.1"]);
    });
    expect([asked, String(connection.remoteAddr)]).toEqual([["stranger.example"], `/ip4/127.0.0.1/tcp/${port}/p2p/${PEER}`]);
    await expect.poll(() => visits).toBe(1);
  });

  it("tries the next address of a name when one refuses, and reports the last failure", async () => {
    // No machine has this address.
    const found = await dial(policyOf(true), "dns/stranger.example", () => Promise.resolve(["::2", "127.0.0.1"]));
    expect(String(found.remoteAddr)).toContain("/ip4/127.0.0.1/");
    await expect(dial(policyOf(true), "dns/stranger.example", () => Promise.resolve([]))).rejects.toThrow("leads to no address");
    await expect(dial(policyOf(true), "dns/stranger.example", () => Promise.resolve(["::2"]))).rejects.toThrow("connection error ::2");
  });

  it("dials what strangers report at a rate for each address and subnet, whatever peers and ports they name", async () => {
    let nowMs = 0;
    const rate = new DialRate(() => nowMs);
    // No machine of this test listens there; what counts is which of the dials are tried.
    const isTried = (host: string, port: number): boolean =>
      rate.take(sourceOf(multiaddr(`/ip4/${host}/tcp/${port}`)) ?? { host, subnet: host, provider: host, isLocal: true });
    const tried = (hosts: readonly string[]): number => hosts.filter((host, at) => isTried(host, 2_000 + at)).length;
    expect(tried(Array.from({ length: 1_000 }, () => "8.8.8.8"))).toBe(PEER_LIMITS.dialsPerHost);
    const neighbours = Array.from({ length: 1_000 }, (_, at) => `8.8.8.${at % 250}`);
    expect(tried(neighbours)).toBe(PEER_LIMITS.dialsPerSubnet - PEER_LIMITS.dialsPerHost);
    nowMs += 60_000;
    expect(tried(Array.from({ length: 1_000 }, () => "8.8.8.8"))).toBe(60_000 / PEER_LIMITS.dialPauseMsOfHost);
    expect(tried(Array.from({ length: 1_000 }, () => "127.0.0.1"))).toBe(1_000);
    await expect(dial(policyWithPublic(), "ip4/8.8.8.8", undefined, rate)).rejects.toThrow("was dialled too often");
    await expect(dial(policyWithPublic(), "dns4/stranger.example", () => Promise.resolve(["8.8.8.8"]), rate)).rejects.toThrow("too often");
  });
});
