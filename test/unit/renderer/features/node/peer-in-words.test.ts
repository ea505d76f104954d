// What the node page says of a peer, and sizes for people.
import { describe, expect, it } from "vitest";
import { peerInWords } from "#renderer/features/node/peers-section.tsx";
import { formatBytes } from "#renderer/lib/format/bytes.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";

const language = { locale: "en", t: createTranslate("en", en) };
const PEER = { id: "12D3KooW", version: "1.0.0" };

describe("peerInWords", () => {
  it("names address, height and age", () => {
    const peer = { ...PEER, address: "/ip4/192.0.2.1/tcp/9100/p2p/12D3KooW", height: 12_345, connected_seconds: 3_700 };
    expect(peerInWords(peer, language)).toBe("192.0.2.1:9100 · Block 12,345 · connected for 1 hr 1 min");
  });

  it("writes IPv6 so that the port can be told, and keeps what it does not know", () => {
    expect(peerInWords({ ...PEER, address: "/ip6/2001:db8::1/tcp/9100" }, language)).toBe("[2001:db8::1]:9100");
    expect(peerInWords({ ...PEER, address: "/unix/socket" }, language)).toBe("/unix/socket");
  });

  it("says that another node carries the connection instead of that node's address", () => {
    expect(peerInWords({ ...PEER, relayed: true, address: "/ip4/192.0.2.9/tcp/1/p2p-circuit" }, language)).toBe("through another node");
  });

  it("says nothing of what is not known", () => {
    expect(peerInWords(PEER, language)).toBe("");
  });
});

describe("formatBytes", () => {
  it("takes the largest unit", () => {
    expect([0, 512, 4_096, 1_250_000, 2_000_000_000, 5e15].map((bytes) => formatBytes("en", bytes))).toEqual([
      "0 byte",
      "512 byte",
      "4.1 kB",
      "1.3 MB",
      "2 GB",
      "5,000 TB",
    ]);
  });
});
