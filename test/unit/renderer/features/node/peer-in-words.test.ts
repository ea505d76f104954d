// What the node page says of a peer, and sizes for people.
import { describe, expect, it } from "vitest";
import { latencyInWords, peerAddress } from "#renderer/features/node/peers/peers-section.tsx";
import { type PeerOrder, sortPeers } from "#renderer/features/node/peers/sort-peers.ts";
import { formatBytes } from "#renderer/lib/format/bytes.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";

const t = createTranslate("en", en);
const PEER = { id: "12D3KooW", version: "1.0.0" };

describe("peerAddress", () => {
  it("names host and port", () => {
    expect(peerAddress({ ...PEER, address: "/ip4/192.0.2.1/tcp/9100/p2p/12D3KooW" }, t)).toBe("192.0.2.1:9100");
  });

  it("writes IPv6 so that the port is recognisable, and keeps what it does not know", () => {
    expect(peerAddress({ ...PEER, address: "/ip6/2001:db8::1/tcp/9100" }, t)).toBe("[2001:db8::1]:9100");
    expect(peerAddress({ ...PEER, address: "/unix/socket" }, t)).toBe("/unix/socket");
  });

  it("says that another node carries the connection instead of that node's address", () => {
    expect(peerAddress({ ...PEER, relayed: true, address: "/ip4/192.0.2.9/tcp/1/p2p-circuit" }, t)).toBe("relayed");
  });

  it("says nothing of what is not known", () => {
    expect(peerAddress(PEER, t)).toBe("");
  });
});

describe("latencyInWords", () => {
  it("is in whole milliseconds, and never nothing", () => {
    expect([0, 0.4, 1, 12.4, 1_234].map((ms) => latencyInWords(ms, "en"))).toEqual(["< 1 ms", "< 1 ms", "1 ms", "12 ms", "1,234 ms"]);
  });
});

describe("sortPeers", () => {
  const near = { id: "a", version: "0.10.0", latency_ms: 2, height: 7, connected_seconds: 10 };
  const far = { id: "b", version: "0.9.0", latency_ms: 90, height: 9, connected_seconds: 5 };
  const fresh = { id: "c", version: "" };
  const order = (by: PeerOrder["by"], direction: PeerOrder["direction"]): string =>
    sortPeers([fresh, far, near], { by, direction })
      .map(({ id }) => id)
      .join("");

  it("goes both ways, with what is not known at the end", () => {
    expect([order("latency", "ascending"), order("latency", "descending")]).toEqual(["abc", "bac"]);
    expect([order("height", "ascending"), order("connected", "ascending")]).toEqual(["abc", "bac"]);
    expect([order("peer", "descending")]).toEqual(["cba"]);
  });

  it("takes versions by their numbers", () => {
    expect([order("version", "ascending"), order("version", "descending")]).toEqual(["bac", "abc"]);
  });
});

describe("formatBytes", () => {
  it("takes the largest unit", () => {
    expect([0, 512, 4_096, 1_250_000, 2_000_000_000, 5e15].map((bytes) => formatBytes("en", bytes))).toEqual([
      "0 bytes",
      "512 bytes",
      "4.1 kB",
      "1.3 MB",
      "2 GB",
      "5,000 TB",
    ]);
  });
});
