// Whom a node dials by its own choice.
import type { Connection } from "@libp2p/interface";
import { type Multiaddr, multiaddr } from "@multiformats/multiaddr";
import { describe, expect, it } from "vitest";
import { AddressBook } from "#node/network/addresses/address-book.ts";
import type { Admission } from "#node/network/admission/admission.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { PEER_LIMITS } from "#node/network/peer-limits.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { PeerFinder } from "#node/network/peers/peer-finder.ts";
import type { PeerMemory } from "#node/network/peers/peer-memory.ts";
import { createRandom } from "#test/support/host/random.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const { outboundTarget } = NETWORK_LIMITS;
const turn = (): Promise<void> => new Promise(setImmediate);

interface World {
  readonly clock: { ms: number };
  readonly book: AddressBook;
  readonly dialled: string[];
  readonly connections: Connection[];
  report(n: number, host: string): string;
  run(seconds: number): Promise<void>;
}

/** A finder whose dials succeed unless the address has the port 1. */
function worldOf(anchors: readonly string[] = []): World {
  const seed = 14;
  const clock = { ms: 1_800_000_000_000, nowMs: (): number => clock.ms, monotonicMs: (): number => clock.ms };
  const book = new AddressBook({ key: new Uint8Array(32), random: createRandom(seed).next, nowMs: (): number => clock.ms });
  const connections: Connection[] = [];
  const dialled: string[] = [];
  const dial = async (address: Multiaddr): Promise<unknown> => {
    const text = address.toString();
    dialled.push(text);
    await turn();
    const [, endpoint = "", peer = ""] = /^(.*)\/p2p\/(.*)$/.exec(text) ?? [];
    if (endpoint.endsWith("/tcp/1")) throw new Error("no one there");
    if (endpoint.startsWith("/dns4/")) return await dial(multiaddr(`/ip4/66.6.${dialled.length}.1/tcp/9/p2p/${peer}`));
    const connection = {
      remotePeer: { toString: (): string => peer },
      remoteAddr: address,
      timeline: { open: clock.ms },
      close: (): Promise<void> => Promise.resolve(void connections.splice(connections.indexOf(connection), 1)),
    } as unknown as Connection;
    connections.push(connection);
    const group = /ip4\/(\d+\.\d+)/.exec(endpoint)?.[1] ?? "";
    book.reached({ address: endpoint, peer, group: `${group}.0.0/16`, source: "own" });
    return connection;
  };
  const libp2p = { dial, getConnections: (): readonly Connection[] => connections };
  const admission = { outbound: (): readonly Connection[] => connections, scores: { isBanned: (): boolean => false } };
  const finder = new PeerFinder({
    libp2p: libp2p as never,
    clock,
    admission: admission as unknown as Admission,
    memory: { book, anchors } as unknown as PeerMemory,
  });
  return {
    clock,
    book,
    dialled,
    connections,
    report(n, host): string {
      const [address, peer] = [`/ip4/${host}/tcp/9`, peerNameOf(actor(n).pub)];
      const group = `${host.split(".").slice(0, 2).join(".")}.0.0/16`;
      book.add({ address, peer, group, source: group });
      return `${address}/p2p/${peer}`;
    },
    async run(seconds): Promise<void> {
      for (let second = 0; second < seconds; second += 1, clock.ms += 1_000) {
        finder.maintain();
        for (let n = 0; n < 4; n += 1) await turn();
      }
    },
  };
}

describe("the finder of peers", () => {
  it("fills up outbound connections, each to another provider", async () => {
    const world = worldOf();
    for (let n = 1; n <= 60; n += 1) world.report(n, n <= 40 ? `66.6.${n}.1` : `${n}.1.0.1`);
    await world.run(10);
    expect(world.connections).toHaveLength(outboundTarget);
    expect(world.connections.filter(({ remoteAddr }) => remoteAddr.toString().startsWith("/ip4/66.6.")).length).toBeLessThanOrEqual(1);
  });

  it("fills up at once with no more of one provider, which has most of what it knows", async () => {
    const world = worldOf();
    for (let n = 1; n <= 10; n += 1) world.report(n, `${n}.1.0.1`);
    for (let n = 11; n <= 90; n += 1) {
      const peer = peerNameOf(actor(n).pub);
      world.book.add({ address: `/ip4/66.6.${n}.1/tcp/9`, peer, group: "66.6.0.0/16", source: `${n}.2.0.0/16` });
    }
    for (let second = 0; second < 10; second += 1) {
      await world.run(1);
      expect(world.connections.filter(({ remoteAddr }) => remoteAddr.toString().startsWith("/ip4/66.6.")).length).toBeLessThanOrEqual(1);
    }
  });

  it("keeps one connection to a provider, however many names lead there", async () => {
    const world = worldOf();
    for (let n = 1; n <= 20; n += 1) world.report(n, `${n}.1.0.1`);
    for (let n = 21; n <= 80; n += 1) {
      const group = `name${n}.example`;
      world.book.add({ address: `/dns4/${group}/tcp/9`, peer: peerNameOf(actor(n).pub), group, source: `${n}.1.0.0/16` });
    }
    await world.run(60);
    expect(world.connections).toHaveLength(outboundTarget);
    expect(world.connections.filter(({ remoteAddr }) => remoteAddr.toString().startsWith("/ip4/66.6.")).length).toBeLessThanOrEqual(1);
    expect(world.dialled.some((address) => address.startsWith("/dns4/"))).toBe(true);
  });

  it("takes several of one provider only while it has few", async () => {
    const world = worldOf();
    for (let n = 1; n <= 40; n += 1) world.report(n, `66.6.${n}.1`);
    await world.run(30);
    expect(world.connections).toHaveLength(outboundTarget / 2);
  });

  it("meets its anchors first", async () => {
    const anchor = `/ip4/7.7.7.7/tcp/9/p2p/${peerNameOf(actor(70).pub)}`;
    const world = worldOf([anchor]);
    for (let n = 1; n <= 20; n += 1) world.report(n, `${n}.1.0.1`);
    await world.run(5);
    expect(world.dialled[0]).toBe(multiaddr(anchor).toString());
    expect(world.connections).toHaveLength(outboundTarget);
  });

  it("tests a reported address now and then, and does not stay", async () => {
    const world = worldOf();
    for (let n = 1; n <= 30; n += 1) world.report(n, `${n}.1.0.1`);
    await world.run(5);
    const before = world.book.sizes.tried;
    await world.run((3 * PEER_LIMITS.feelerIntervalMs) / 1_000 + 1);
    expect(world.book.sizes.tried).toBe(before + 3);
    expect(world.connections).toHaveLength(outboundTarget);
  });

  it("dials what it knows after its clock was set back by a year", async () => {
    const world = worldOf();
    for (let n = 1; n <= outboundTarget; n += 1) world.report(n, `${n}.1.0.1`);
    await world.run(5);
    expect(world.connections).toHaveLength(outboundTarget);
    world.connections.length = 0;
    world.clock.ms -= 365 * 86_400_000;
    await world.run(5);
    expect(world.connections).toHaveLength(outboundTarget);
  });

  it("leaves an address alone for a while that did not respond", async () => {
    const world = worldOf();
    const peer = peerNameOf(actor(1).pub);
    world.book.add({ address: "/ip4/9.1.0.1/tcp/1", peer, group: "9.1.0.0/16", source: "9.1.0.0/16" });
    await world.run(50);
    expect(world.dialled).toHaveLength(1);
    await world.run(20);
    expect(world.dialled).toHaveLength(2);
  });
});
