// Which addresses a node dials that others named.
import { multiaddr } from "@multiformats/multiaddr";
import { describe, expect, it } from "vitest";
import { DialPolicy, type DialPolicyOptions } from "#node/network/addresses/dial-policy.ts";
import { createRecordResolver, lookUpName } from "#node/network/addresses/guarded-lookup.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const PEER = peerNameOf(actor(1).pub);
const RELAY = peerNameOf(actor(2).pub);
const SERVER = `/ip4/8.8.4.4/tcp/9100/p2p/${PEER}`;

const policyOf = (options: Partial<DialPolicyOptions>): DialPolicy =>
  new DialPolicy({
    configured: [SERVER],
    listenHost: undefined,
    announce: [],
    dialsPrivate: undefined,
    ownNetworks: () => ["127.0.0.1/8", "192.168.7.5/24", "fe80::5/64"],
    ...options,
  });
const dialled = (policy: DialPolicy, addresses: readonly string[]): readonly string[] =>
  addresses.filter((address) => policy.mayDial(multiaddr(`${address}/p2p/${PEER}`)));

const PUBLIC = ["/ip4/8.8.8.8/tcp/9100", "/ip6/2606:4700::1111/tcp/9100", "/dns4/node.example/tcp/9100"];
const LOCAL = [
  "/ip4/127.0.0.1/tcp/9122",
  "/ip4/127.200.1.1/tcp/9122",
  "/ip4/10.0.0.1/tcp/9122",
  "/ip4/172.31.255.1/tcp/9122",
  "/ip4/192.168.7.9/tcp/9122",
  "/ip4/100.127.0.1/tcp/9122",
  "/ip4/169.254.169.254/tcp/9180",
  "/ip6/::1/tcp/9122",
  "/ip6/fd00::1/tcp/9122",
  "/ip6/fe80::1/tcp/9122",
  "/ip6/::ffff:10.0.0.1/tcp/9122",
  "/dns/127.0.0.1/tcp/9122",
  "/dns4/10.0.0.1/tcp/9122",
  "/dns6/::1/tcp/9122",
  "/dns4/::ffff:10.0.0.1/tcp/9122",
];
const NOWHERE = [
  "/ip4/0.0.0.0/tcp/9122",
  "/ip4/224.0.0.1/tcp/9122",
  "/ip4/255.255.255.255/tcp/9122",
  "/ip4/198.18.0.1/tcp/9122",
  "/ip4/203.0.113.1/tcp/9122",
  "/ip6/::/tcp/9122",
  "/ip6/::127.0.0.1/tcp/9122",
  "/ip6/64:ff9b::10.0.0.1/tcp/9122",
  "/ip6/2002:7f00:1::/tcp/9122",
  "/ip6/2001:0:7f00:1::/tcp/9122",
  "/ip6/2001:db8::1/tcp/9122",
  "/ip6/ff02::1/tcp/9122",
  "/ip4/8.8.8.8/tcp/0",
  "/ip4/8.8.8.8/udp/9100/quic-v1",
  "/ip4/8.8.8.8/tcp/9100/ws",
  "/unix/%2Fvar%2Frun%2Fdocker.sock",
  "/dnsaddr/strangers.example",
  // The system connects to what is an address without asking any name server.
  "/dns4/0.0.0.0/tcp/9122",
  "/dns4/8.8.8.8/tcp/0",
  "/dns4/node.example/tcp/0",
];

describe("a node with a public peer", () => {
  const policy = policyOf({});

  it("dials what the whole world can, and nothing of the networks behind it", () => {
    expect(dialled(policy, [...PUBLIC, ...LOCAL, ...NOWHERE])).toEqual(PUBLIC);
  });

  it("asks no relay for a connection that it would not dial itself", () => {
    const through = (relay: string): boolean => policy.mayDial(multiaddr(`${relay}/p2p/${RELAY}/p2p-circuit/p2p/${PEER}`));
    expect([...PUBLIC, ...LOCAL, ...NOWHERE].filter(through)).toEqual(PUBLIC);
    expect(policy.mayDial(multiaddr(`/p2p/${RELAY}/p2p-circuit/p2p/${PEER}`))).toBe(true);
    expect(policy.mayDial(multiaddr(`/ip4/8.8.8.8/tcp/1/p2p-circuit/p2p/${PEER}`))).toBe(false);
    expect(policy.mayDial(multiaddr(`/ip4/8.8.8.8/tcp/1/p2p/${RELAY}/p2p-circuit/p2p/${RELAY}/p2p-circuit/p2p/${PEER}`))).toBe(false);
    expect(policy.mayDial(multiaddr(`/ip4/8.8.8.8/tcp/1/p2p/${RELAY}/p2p-circuit/ip4/10.0.0.1/tcp/9122/p2p/${PEER}`))).toBe(false);
  });

  it("dials private addresses that it was configured with, those alone, and for no other port", () => {
    const configured = policyOf({ configured: [SERVER, `/ip4/10.0.0.1/tcp/9100/p2p/${RELAY}`] });
    expect(dialled(configured, ["/ip4/10.0.0.1/tcp/9100", "/ip4/10.0.0.1/tcp/9122", "/ip4/10.0.0.2/tcp/9100"])).toEqual([
      "/ip4/10.0.0.1/tcp/9100",
    ]);
  });

  it("dials neighbours on its own local networks, and does not let them point it anywhere else", () => {
    const neighbours = policyOf({});
    for (const address of [...LOCAL, ...NOWHERE]) neighbours.learnLocal(multiaddr(`${address}/p2p/${PEER}`));
    expect(dialled(neighbours, [...LOCAL, ...NOWHERE])).toEqual(["/ip4/192.168.7.9/tcp/9122", "/ip6/fe80::1/tcp/9122"]);
  });
});

describe("ports of other services", () => {
  const SERVICES = ["/ip4/8.8.8.8/tcp/22", "/ip4/8.8.8.8/tcp/25", "/ip6/2606:4700::1111/tcp/443", "/dns4/node.example/tcp/80"];
  const OTHERS = ["/ip4/8.8.8.8/tcp/3306", "/dns/8.8.8.8/tcp/6379", "/ip4/8.8.8.8/tcp/1023", "/ip4/8.8.8.8/tcp/8333"];

  it("are dialled for no stranger, on no way, and still when the operator names them", () => {
    expect(dialled(policyOf({}), [...SERVICES, ...OTHERS, "/ip4/8.8.8.8/tcp/1024"])).toEqual(["/ip4/8.8.8.8/tcp/1024"]);
    expect(policyOf({}).mayDial(multiaddr(`/ip4/8.8.8.8/tcp/22/p2p/${RELAY}/p2p-circuit/p2p/${PEER}`))).toBe(false);
    const neighbours = policyOf({});
    neighbours.learnLocal(multiaddr(`/ip4/192.168.7.9/tcp/22/p2p/${PEER}`));
    expect(dialled(neighbours, ["/ip4/192.168.7.9/tcp/22"])).toEqual([]);
    expect(dialled(policyOf({ configured: [`/ip4/8.8.8.8/tcp/22/p2p/${PEER}`] }), SERVICES)).toEqual(["/ip4/8.8.8.8/tcp/22"]);
    expect(dialled(policyOf({ configured: [], listenHost: "127.0.0.1" }), ["/ip4/127.0.0.1/tcp/22"])).toEqual([]);
  });
});

describe("a node on a private network", () => {
  it.each<[string, Partial<DialPolicyOptions>, readonly string[]]>([
    [
      "that listens on loopback",
      { configured: [], listenHost: "127.0.0.1" },
      ["/ip4/127.0.0.1/tcp/9122", "/ip4/127.200.1.1/tcp/9122", "/dns/127.0.0.1/tcp/9122"],
    ],
    [
      "whose peers are private",
      { configured: [`/ip4/10.9.9.9/tcp/1/p2p/${PEER}`] },
      ["/ip4/10.0.0.1/tcp/9122", "/ip6/::ffff:10.0.0.1/tcp/9122", "/dns4/10.0.0.1/tcp/9122", "/dns4/::ffff:10.0.0.1/tcp/9122"],
    ],
    [
      "that listens everywhere and has private peers",
      { configured: [`/ip4/192.168.7.1/tcp/1/p2p/${PEER}`], listenHost: "::" },
      ["/ip4/192.168.7.9/tcp/9122"],
    ],
    ["that has nothing but an open port", { configured: [], listenHost: "::" }, []],
    ["with a public peer as well", { configured: [SERVER, `/ip4/10.9.9.9/tcp/1/p2p/${PEER}`] }, []],
    ["with a named peer", { configured: [`/dns4/node.internal/tcp/1/p2p/${PEER}`] }, []],
    ["that announces a public address", { configured: [`/ip4/10.9.9.9/tcp/1/p2p/${PEER}`], announce: ["/ip4/8.8.8.8/tcp/1"] }, []],
    [
      "that listens everywhere on a public machine",
      { configured: [`/ip4/10.9.9.9/tcp/1/p2p/${PEER}`], listenHost: "::", ownNetworks: () => ["8.8.8.8/24"] },
      [],
    ],
    ["that is set not to", { configured: [], listenHost: "127.0.0.1", dialsPrivate: false }, []],
  ])("%s dials in its own ranges alone", (_, options, expected) => {
    expect(dialled(policyOf(options), [...LOCAL, ...NOWHERE])).toEqual(expected);
  });

  it("may be set so that its names are private, and never leads to this machine then", () => {
    const policy = policyOf({ configured: [`/dns4/node.internal/tcp/1/p2p/${PEER}`], dialsPrivate: true });
    expect(dialled(policy, [...LOCAL, ...NOWHERE])).toEqual(LOCAL.filter((address) => !/\/(?:127|169|::1\/|fe80)/.test(address)));
  });
});

describe("names of strangers", () => {
  const policy = policyOf({});
  const lookUp = (resolve: () => Promise<readonly string[]>): Promise<readonly string[]> =>
    lookUpName("rebinding.example", (ip) => policy.mayReach(ip), resolve);

  it("lead to public addresses only, whichever they give, and to a few", async () => {
    const answers = ["127.0.0.1", "10.0.0.1", "8.8.8.8", "::1", "2606:4700::1111", "no address"];
    expect(await lookUp(() => Promise.resolve(answers))).toEqual(["8.8.8.8", "2606:4700::1111"]);
    expect(await lookUp(() => Promise.resolve(Array.from({ length: 100 }, (_, n) => `8.8.8.${n}`)))).toHaveLength(4);
  });

  it.each([["nothing"], ["127.0.0.1"], ["::ffff:192.168.1.1"]])("lead nowhere when they give %s", async (answer) => {
    expect(await lookUp(() => (answer === "nothing" ? Promise.reject(new Error("no such name")) : Promise.resolve([answer])))).toEqual([]);
  });

  it("have no records that are followed; those of configured names are, and may be private", async () => {
    const asked: string[] = [];
    const own = policyOf({ configured: ["/dnsaddr/boot.example"] });
    const resolver = createRecordResolver(own, (name) => {
      asked.push(name);
      return Promise.resolve([`dnsaddr=/ip4/10.1.2.3/tcp/5/p2p/${PEER}`, "dnsaddr=nonsense", "other=/ip4/1.1.1.1/tcp/1", "dnsaddr="]);
    });
    expect(resolver.canResolve(multiaddr("/dnsaddr/strangers.example"))).toBe(true);
    expect(resolver.canResolve(multiaddr("/ip4/8.8.8.8/tcp/1"))).toBe(false);
    const options = {} as Parameters<typeof resolver.resolve>[1];
    expect(await resolver.resolve(multiaddr("/dnsaddr/strangers.example"), options)).toEqual([]);
    const found = await resolver.resolve(multiaddr("/dnsaddr/boot.example"), options);
    expect(found.map(String)).toEqual([`/ip4/10.1.2.3/tcp/5/p2p/${PEER}`]);
    expect(asked).toEqual(["_dnsaddr.boot.example"]);
    expect(dialled(own, ["/ip4/10.1.2.3/tcp/5", "/ip4/10.1.2.3/tcp/6"])).toEqual(["/ip4/10.1.2.3/tcp/5"]);
  });
});
