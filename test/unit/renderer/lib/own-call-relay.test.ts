// Which relays a call may use: addresses as a person types them, the relay of the node, and none.
import { describe, expect, it } from "vitest";
import { callServers } from "#renderer/lib/messenger/call-servers.ts";
import { MAX_RELAY_CHARS, relayUrls } from "#renderer/lib/messenger/own-call-relay.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

describe("the address of a relay", () => {
  it.each([
    ["turn.example.org", ["turn:turn.example.org:3478?transport=udp", "turn:turn.example.org:3478?transport=tcp"]],
    [" 203.0.113.7:443 ", ["turn:203.0.113.7:443?transport=udp", "turn:203.0.113.7:443?transport=tcp"]],
    ["[2001:db8::1]:3478", ["turn:[2001:db8::1]:3478?transport=udp", "turn:[2001:db8::1]:3478?transport=tcp"]],
    ["turn:turn.example.org?transport=udp", ["turn:turn.example.org:3478?transport=udp"]],
    ["turns:turn.example.org", ["turns:turn.example.org:5349?transport=tcp"]],
  ])("is understood as %s", (text, urls) => {
    expect(relayUrls(text)).toEqual(urls);
  });

  it.each([
    "",
    "https://turn.example.org",
    "turn.example.org:0",
    "turn.example.org:70000",
    "a b",
    "user@host",
    "x".repeat(MAX_RELAY_CHARS + 1),
  ])("is none: %s", (text) => {
    expect(relayUrls(text)).toBeUndefined();
  });
});

describe("the servers of a call", () => {
  const access = { urls: ["turn:203.0.113.7:3478?transport=udp"], username: "name", credential: "word", expires_at: 1 };
  const client = { openCallRelay: () => Promise.resolve(access) };

  it("are the relay that the person named, and the node is not asked", async () => {
    const own = { address: "turn.example.org:1", username: "me", password: "secret" };
    const asked = { openCallRelay: () => Promise.reject(new Error("asked")) };
    expect(await callServers(asked, own)).toEqual([
      { urls: ["turn:turn.example.org:1?transport=udp", "turn:turn.example.org:1?transport=tcp"], username: "me", credential: "secret" },
    ]);
    expect(await callServers(asked, { ...own, address: "???" })).toEqual([]);
  });

  it("are the relay of the node, and none where it offers none", async () => {
    expect(await callServers(client, null)).toEqual([{ urls: access.urls, username: "name", credential: "word" }]);
    expect(await callServers({ openCallRelay: () => Promise.reject(new CodedError("FORBIDDEN", "no")) }, null)).toEqual([]);
  });
});
