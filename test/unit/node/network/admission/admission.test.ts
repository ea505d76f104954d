// Who is let in: bans, handshakes, slots.
import type { Connection, MultiaddrConnection, PeerId } from "@libp2p/interface";
import { type Multiaddr, multiaddr } from "@multiformats/multiaddr";
import { describe, expect, it } from "vitest";
import { Admission, type AdmissionDependencies } from "#node/network/admission/admission.ts";
import type { PeerWorth } from "#node/network/admission/inbound-slots.ts";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { PEER_LIMITS } from "#node/network/peer-limits.ts";
import { peerIdOf } from "#node/network/peer-name.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const { inboundConnections, pendingInboundConnections } = NETWORK_LIMITS;
const { inboundPerHost, inboundPerSubnet, pendingPerHost, pendingPerSubnet } = PEER_LIMITS;
const NOTHING = (): undefined => undefined;
const NEVER = Number.NEGATIVE_INFINITY;

const peer = (n: number): PeerId => peerIdOf(actor(n).pub);
const at = (host: string): Multiaddr => multiaddr(`/${host.includes(":") ? "ip6" : "ip4"}/${host}/tcp/9`);

class Socket {
  readonly remoteAddr: Multiaddr;
  readonly socket = {
    bytesRead: 0,
    destroyed: false,
    on: NOTHING,
    once: NOTHING,
    prependListener: NOTHING,
    pause: NOTHING,
    resume: NOTHING,
  };
  isOpen = true;
  readonly #listeners: (() => void)[] = [];

  constructor(host: string) {
    this.remoteAddr = at(host);
  }

  abort(): void {
    this.isOpen = false;
    for (const listener of this.#listeners) listener();
  }

  addEventListener(_: string, listener: () => void): void {
    this.#listeners.push(listener);
  }
}

interface World {
  readonly clock: { ms: number };
  readonly admission: Admission;
  readonly ended: string[];
  readonly worth: Map<string, Partial<PeerWorth>>;
  /** False when the socket is refused at once. */
  knock(host: string): Socket | undefined;
  /** False when the peer is refused. */
  enter(n: number, host: string): boolean;
  inside(): readonly string[];
}

function worldOf(over: Partial<AdmissionDependencies> = {}): World {
  const clock = { ms: 1_000_000, nowMs: (): number => clock.ms, monotonicMs: (): number => clock.ms };
  let connections: Connection[] = [];
  const ended: string[] = [];
  const worth = new Map<string, Partial<PeerWorth>>();
  const since = new Map<string, number>();
  const admission = new Admission({
    clock,
    timers: new VirtualTime(),
    workedMs: (): number => 0,
    isValidator: (): boolean => false,
    named: new Set(),
    mayDial: (): boolean => true,
    limitsLocal: false,
    secret: new Uint8Array(32),
    ...over,
  });
  admission.attach({
    all: () => connections,
    worthOf: ({ id, remotePeer }) => ({
      connectedAtMs: since.get(id) ?? 0,
      latencyMs: null,
      lastBlockMs: NEVER,
      lastTransactionMs: NEVER,
      lastEnvelopeMs: NEVER,
      isReady: true,
      score: 0,
      ...worth.get(remotePeer.toString()),
    }),
    lastUseMs: () => NEVER,
    isForMail: () => false,
    end: (connection): void => {
      ended.push(connection.remotePeer.toString());
      connections = connections.filter((each) => each !== connection);
    },
  });
  const { gate } = admission;
  const knock = (host: string): Socket | undefined => {
    const socket = new Socket(host);
    return gate.denyInboundConnection?.(socket as unknown as MultiaddrConnection) === true ? undefined : socket;
  };
  let count = 0;
  return {
    clock,
    admission,
    ended,
    worth,
    knock,
    enter(n, host): boolean {
      const socket = knock(host) as unknown as MultiaddrConnection | undefined;
      if (socket === undefined || gate.denyInboundEncryptedConnection?.(peer(n), socket) === true) return false;
      if (gate.denyInboundUpgradedConnection?.(peer(n), socket) === true) return false;
      count += 1;
      clock.ms += 1;
      const connection = { id: `c${count}`, remotePeer: peer(n), remoteAddr: at(host), direction: "inbound", timeline: { open: clock.ms } };
      since.set(connection.id, clock.ms);
      connections.push(connection as unknown as Connection);
      return true;
    },
    inside: () => connections.map(({ remotePeer }) => remotePeer.toString()),
  };
}
const ban = ({ admission }: World, n: number, host?: string): void => {
  const [, ip4 = "", mask = ""] = /^(.*)\.\d+$/.exec(host ?? "0.0.0.0") ?? [];
  const source = { host: `${host}/32`, subnet: `${ip4}.0/24`, provider: mask, isLocal: false };
  for (let each = 0; each < 10; each += 1)
    admission.scores.report(peer(n).toString(), "malformed", host === undefined ? undefined : source);
};

describe("the gate", () => {
  it("keeps banned peers out in both directions, named ones too", () => {
    const world = worldOf({ named: new Set([peer(5).toString()]) });
    ban(world, 5);
    const { gate } = world.admission;
    expect(world.enter(5, "8.8.8.8")).toBe(false);
    expect([gate.denyDialPeer?.(peer(5)), gate.denyDialPeer?.(peer(6))]).toEqual([true, false]);
    expect(gate.denyInboundRelayedConnection?.(peer(6), peer(5))).toBe(true);
  });

  it("keeps a banned address out whatever peer comes from there, but for those that are needed", () => {
    const world = worldOf({ isValidator: (name) => name === peer(7).toString() });
    ban(world, 5, "8.8.8.8");
    expect([world.enter(6, "8.8.8.8"), world.enter(8, "8.8.8.9")]).toEqual([false, true]);
    expect(world.enter(7, "8.8.8.8"), "handshakes of a banned address are rare").toBe(false);
    world.clock.ms += PEER_LIMITS.probationMs;
    expect(world.enter(7, "8.8.8.8")).toBe(true);
  });
});

describe("a dial", () => {
  it("ends where a banned address shows, but for peers that are needed", () => {
    const world = worldOf({ named: new Set([peer(6).toString()]) });
    ban(world, 5, "8.8.8.8");
    const { denyOutboundEncryptedConnection } = world.admission.gate;
    const isDenied = (n: number, host: string): unknown =>
      denyOutboundEncryptedConnection?.(peer(n), { remoteAddr: at(host) } as unknown as MultiaddrConnection);
    expect([isDenied(9, "8.8.8.8"), isDenied(6, "8.8.8.8"), isDenied(9, "8.8.8.9")]).toEqual([true, false, false]);
  });
});

describe("handshakes", () => {
  it("that never end leave room for others: of one address, of one subnet, and in all", () => {
    const { knock } = worldOf();
    const own = Array.from({ length: 3 * pendingPerHost }, () => knock("8.8.8.8"));
    expect(own.filter((socket) => socket?.isOpen)).toHaveLength(pendingPerHost);
    expect(own.at(-1)?.isOpen, "the newest stay").toBe(true);
    const subnet = Array.from({ length: 3 * pendingPerSubnet }, (_, n) => knock(`8.8.8.${n}`));
    expect([...own, ...subnet].filter((socket) => socket?.isOpen)).toHaveLength(pendingPerSubnet);
    const others = Array.from({ length: 2 * pendingInboundConnections }, (_, n) => knock(`9.9.${n}.1`));
    expect([...own, ...subnet, ...others].filter((socket) => socket?.isOpen)).toHaveLength(pendingInboundConnections);
  });

  it("of one machine, where its shares do not count, displace each other and none of another address", () => {
    const { knock } = worldOf();
    const honest = knock("127.0.0.2");
    for (let n = 0; n < 10 * pendingInboundConnections; n += 1) knock("127.0.0.1");
    expect(honest?.isOpen).toBe(true);
  });

  it("that have begun are not displaced by those that say nothing", () => {
    const { knock } = worldOf();
    const honest = knock("127.0.0.1");
    if (honest !== undefined) honest.socket.bytesRead = 20;
    for (let n = 0; n < 10 * pendingInboundConnections; n += 1) knock("127.0.0.1");
    expect(honest?.isOpen).toBe(true);
  });

  it("are as many a second as one address may open", () => {
    const { knock, clock } = worldOf();
    const { inboundConnectionsPerSecond } = NETWORK_LIMITS;
    const open = (): number => Array.from({ length: 1_000 }, () => knock("8.8.8.8")).filter((socket) => socket !== undefined).length;
    expect(open()).toBe(inboundConnectionsPerSecond);
    clock.ms += 1_000;
    expect(open()).toBe(inboundConnectionsPerSecond);
  });

  it("are as many a second as one subnet may open, however many addresses it has", () => {
    const { knock, clock } = worldOf();
    const { subnetConnectionsPerSecond } = NETWORK_LIMITS;
    const open = (): number => Array.from({ length: 5_000 }, (_, n) => knock(`2600:1:2:${n.toString(16)}::1`)).filter(Boolean).length;
    expect(open()).toBe(subnetConnectionsPerSecond);
    clock.ms += 1_000;
    expect([open(), knock("2600:1:3::1") !== undefined]).toEqual([subnetConnectionsPerSecond, true]);
  });

  it("count no more when they ended", () => {
    const { knock, admission } = worldOf();
    for (let n = 0; n < 5 * pendingInboundConnections; n += 1) knock("127.0.0.1")?.abort();
    expect(admission.figures.displaced).toBe(0);
  });
});

describe("inbound slots", () => {
  it("are shared by address and by subnet", () => {
    const world = worldOf();
    const own = Array.from({ length: 10 }, (_, n) => world.enter(10 + n, "8.8.8.8"));
    expect(own.filter(Boolean)).toHaveLength(inboundPerHost);
    for (let n = 0; n < 30; n += 1) world.enter(30 + n, `8.8.8.${100 + n}`);
    expect(world.inside()).toHaveLength(inboundPerSubnet);
    expect(world.enter(90, "8.8.9.1")).toBe(true);
  });

  it("are shared in the same way by addresses of IPv6, by /64 and /48", () => {
    const world = worldOf();
    for (let n = 1; n <= 20; n += 1) world.enter(n, `2600:1:2:3::${n}`);
    expect(world.inside()).toHaveLength(inboundPerHost);
    for (let n = 21; n <= 40; n += 1) world.enter(n, `2600:1:2:${n}::1`);
    expect(world.inside()).toHaveLength(inboundPerSubnet);
    expect(world.enter(90, "2600:1:3::1")).toBe(true);
  });

  it("take any number of nodes of one machine, up to the limit", () => {
    const world = worldOf();
    for (let n = 1; n <= inboundConnections; n += 1) expect(world.enter(n, "127.0.0.1")).toBe(true);
    expect(world.inside()).toHaveLength(inboundConnections);
    const strict = worldOf({ limitsLocal: true });
    for (let n = 1; n <= inboundConnections; n += 1) strict.enter(n, "127.0.0.1");
    expect(strict.inside()).toHaveLength(inboundPerHost);
  });

  it("are never full for a newcomer of another network, nor for peers that are needed", () => {
    const world = worldOf({ named: new Set([peer(200).toString()]) });
    for (let n = 1; n <= 2 * inboundConnections; n += 1) world.enter(n, `8.8.${Math.floor(n / inboundPerSubnet)}.${n}`);
    expect(world.inside()).toHaveLength(inboundConnections);
    expect([world.enter(150, "9.9.9.9"), world.enter(200, "8.8.0.9")]).toEqual([true, true]);
    expect(world.inside()).toHaveLength(inboundConnections + 1);
  });

  it("stay with peers of use, through any number of others", () => {
    const world = worldOf();
    const honest = Array.from({ length: 12 }, (_, n) => n + 1);
    for (const n of honest) {
      world.enter(n, `20.${n}.0.1`);
      const name = peer(n).toString();
      if (n <= 4) world.worth.set(name, { latencyMs: 1 });
      else if (n <= 8) world.worth.set(name, { lastBlockMs: world.clock.ms });
      else world.worth.set(name, { lastTransactionMs: world.clock.ms });
    }
    // From everywhere, quick but not the quickest, for an hour.
    for (let n = 0; n < 200; n += 1) {
      world.clock.ms += 18_000;
      world.enter(20 + n, `${30 + (n % 150)}.1.${n % 256}.1`);
      world.worth.set(peer(20 + n).toString(), { latencyMs: 2 });
    }
    expect(honest.filter((n) => !world.inside().includes(peer(n).toString()))).toEqual([]);
  });

  it("are taken first from those that say nothing, and then from those with a low score", () => {
    const world = worldOf();
    for (let n = 1; n <= inboundConnections; n += 1) world.enter(n, `20.${n}.0.1`);
    world.clock.ms += 3_600_000;
    world.worth.set(peer(7).toString(), { isReady: false });
    world.enter(100, "40.1.0.1");
    expect(world.ended).toEqual([peer(7).toString()]);
    for (let n = 1; n <= inboundConnections; n += 1) if (n !== 7) world.worth.set(peer(n).toString(), { score: n > 30 ? -1 : 0 });
    world.enter(101, "41.1.0.1");
    expect(Number(actorOf(world.ended[1] ?? ""))).toBeGreaterThan(30);
  });

  it("are not taken by validators and named peers, each of which has a few connections", () => {
    const world = worldOf({ named: new Set([peer(200).toString()]) });
    world.enter(1, "8.8.1.1");
    for (let n = 0; n < 60; n += 1) {
      world.clock.ms += 1_000;
      expect(world.enter(200, `9.9.${n}.1`)).toBe(true);
    }
    expect(world.inside()).toHaveLength(1 + PEER_LIMITS.inboundPerExempt);
    expect(world.ended).toHaveLength(60 - PEER_LIMITS.inboundPerExempt);
    expect(new Set(world.ended)).toEqual(new Set([peer(200).toString()]));
  });

  it("are not multiplied by a peer that connects again and again", () => {
    const world = worldOf();
    for (let n = 0; n < 50; n += 1) expect(world.enter(1, "127.0.0.1")).toBe(true);
    expect(world.inside()).toHaveLength(PEER_LIMITS.inboundPerPeer);
  });
});

function actorOf(name: string): number | undefined {
  return Array.from({ length: 200 }, (_, n) => n + 1).find((n) => peer(n).toString() === name);
}
