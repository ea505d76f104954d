import { describe, expect, it } from "vitest";
import { type P2pFlags, p2pConfig } from "#node/config/network/p2p-config.ts";

const PEER = "/ip4/203.0.113.7/tcp/9100/p2p/12D3KooWGjkuqPpFqb1gRkuJzDpSVYCKQjkFBpHNJTkYLxYMDgVY";

describe("p2pConfig", () => {
  it("leaves a node alone that has no peers configured", () => {
    expect(p2pConfig({}, {})).toBeUndefined();
    expect(p2pConfig({ mdns: "on", p2pRelay: "offer" }, { mdns: true })).toBeUndefined();
  });

  it("looks around on the local network and for relays, unless only this machine reaches it", () => {
    expect(p2pConfig({ p2pAddr: ":9100" }, {})).toEqual({
      address: { host: "::", port: 9100 },
      bootstrap: [],
      announce: [],
      usesMdns: true,
      relay: "use",
      dialsPrivate: undefined,
      reserved: [],
      limitsLocal: false,
      makesSnapshots: true,
      sync: undefined,
    });
    expect(p2pConfig({ p2pAddr: "127.0.0.1:9100" }, {})).toMatchObject({ usesMdns: false, relay: "off" });
    expect(p2pConfig({ p2pAddr: "127.0.0.1:9100", mdns: "on", p2pRelay: "offer" }, {})).toMatchObject({ usesMdns: true, relay: "offer" });
    expect(p2pConfig({ bootstrap: PEER }, {})).toMatchObject({ address: undefined, usesMdns: true, relay: "use" });
  });

  it("puts flags above the file", () => {
    const file = {
      p2p_addr: "0.0.0.0:1",
      bootstrap: [PEER],
      announce: ["/dns4/a.example/tcp/1"],
      mdns: false,
      p2p_relay: "offer",
      p2p_private: true,
      p2p_limit_local: true,
      snapshots: false,
      reserved_peers: [PEER],
    } as const;
    const mutable = { ...file, bootstrap: [...file.bootstrap], announce: [...file.announce], reserved_peers: [...file.reserved_peers] };
    expect(p2pConfig({}, mutable)).toEqual({
      address: { host: "0.0.0.0", port: 1 },
      bootstrap: [PEER],
      announce: ["/dns4/a.example/tcp/1"],
      usesMdns: false,
      relay: "offer",
      dialsPrivate: true,
      reserved: [PEER],
      limitsLocal: true,
      makesSnapshots: false,
      sync: undefined,
    });
    const flags = {
      p2pAddr: ":2",
      bootstrap: "",
      announce: `${PEER}, /ip6/::1/tcp/3`,
      mdns: "on",
      p2pRelay: "off",
      p2pPrivate: "off",
      p2pLimitLocal: "off",
      snapshots: "on",
      reservedPeers: PEER.split("/p2p/")[1] ?? "",
    };
    expect(p2pConfig(flags, mutable)).toEqual({
      address: { host: "::", port: 2 },
      bootstrap: [],
      announce: [PEER, "/ip6/::1/tcp/3"],
      usesMdns: true,
      relay: "off",
      dialsPrivate: false,
      reserved: ["12D3KooWGjkuqPpFqb1gRkuJzDpSVYCKQjkFBpHNJTkYLxYMDgVY"],
      limitsLocal: false,
      makesSnapshots: true,
      sync: undefined,
    });
  });

  it.each<[string, P2pFlags, string]>([
    ["an address to listen on that is none", { p2pAddr: "nonsense" }, "nonsense"],
    ["a bootstrap address without a node", { bootstrap: "/ip4/203.0.113.7/tcp/9100" }, "--bootstrap"],
    ["a bootstrap address of another form", { bootstrap: "203.0.113.7:9100" }, "--bootstrap"],
    ["an announced address of another form", { announce: "example.org" }, "--announce"],
    ["another word for mdns", { mdns: "yes" }, "--mdns"],
    ["another word for private addresses", { p2pPrivate: "1" }, "--p2p-private"],
    ["another word for local addresses", { p2pLimitLocal: "1" }, "--p2p-limit-local"],
    ["a reserved peer without an id", { reservedPeers: "/ip4/203.0.113.7/tcp/9100" }, "--reserved-peers"],
    ["another role", { p2pRelay: "maybe" }, "--p2p-relay"],
  ])("refuses %s", (_, flags, named) => {
    expect(() => p2pConfig(flags, {})).toThrow(named);
  });
});
