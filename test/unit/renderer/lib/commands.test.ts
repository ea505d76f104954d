import { afterEach, describe, expect, it } from "vitest";
import { missingRegistration } from "#renderer/app/shell/background/registration-store.ts";
import { addCommands, type Command, matchCommands, useCommandStore } from "#renderer/lib/commands/command-store.ts";
import { checkNodeSupport } from "#renderer/lib/node/access/support-check.ts";
import { deviceNameOf } from "#renderer/lib/profile/device-name.ts";
import { REQUIRED_FEATURES } from "#shared/api/version.ts";
import { identiconPattern } from "#shared/text/identicon.ts";

const command = (label: string, keywords = ""): Command => ({ id: label, group: "actions", label, keywords, run: () => undefined });

describe("matchCommands", () => {
  const all = [command("Open wallet"), command("Wallet"), command("Theme: Dark", "colour night"), command("Lock now")];

  it("puts what begins with the text first", () => {
    expect(matchCommands(all, "wal").map(({ label }) => label)).toEqual(["Wallet", "Open wallet"]);
  });

  it("wants every word, in any order, keywords included", () => {
    expect(matchCommands(all, "night dark").map(({ label }) => label)).toEqual(["Theme: Dark"]);
    expect(matchCommands(all, "night wallet")).toEqual([]);
  });

  it("offers everything for nothing", () => {
    expect(matchCommands(all, "  ")).toHaveLength(all.length);
  });
});

describe("addCommands", () => {
  afterEach(() => useCommandStore.setState({ lists: new Map(), sources: new Map() }));

  it("removes exactly what it added", () => {
    const removeFirst = addCommands([command("a")]);
    addCommands([command("b")]);
    removeFirst();
    removeFirst();
    expect([...useCommandStore.getState().lists.values()].flat().map(({ label }) => label)).toEqual(["b"]);
  });
});

describe("identiconPattern", () => {
  const key = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";

  it("is the same for the same key, mirrored, and another for a neighbour", () => {
    const pattern = identiconPattern(key);
    expect(identiconPattern(key)).toEqual(pattern);
    expect(identiconPattern(`4${key.slice(1)}`)).not.toEqual(pattern);
    for (const { x, y } of pattern.cells) expect(pattern.cells.some((other) => other.x === 5 - x && other.y === y)).toBe(true);
  });

  it("draws a text that is no key", () => {
    expect(identiconPattern("unknown:abc").cells.length).toBeGreaterThan(0);
  });
});

describe("checkNodeSupport", () => {
  const version = {
    node_version: "1",
    protocol_version: 1,
    features: [...REQUIRED_FEATURES, "more"],
    build: { tag: "", commit: "", date: "", dirty: "" },
  };

  it.each([
    ["nothing known", undefined, { kind: "unknown" }],
    ["everything there", version, { kind: "supported" }],
    ["another protocol", { ...version, protocol_version: 2 }, { kind: "protocol", version: 2 }],
    [
      "a feature missing",
      { ...version, features: version.features.filter((name) => name !== "feed_v2") },
      { kind: "features", missing: ["feed_v2"] },
    ],
  ])("judges %s", (_, announced, support) => {
    expect(checkNodeSupport(announced)).toEqual(support);
  });
});

describe("deviceNameOf", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36", "Chrome on Linux"],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
      "Safari on macOS",
    ],
    ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Electron/45.0.0 Safari/537.36", "Parley on Windows"],
    ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge on Windows"],
    ["curl/8", "Browser"],
  ])("reads %s", (userAgent, name) => {
    expect(deviceNameOf(userAgent)).toBe(name);
  });
});

describe("missingRegistration", () => {
  const identity = { pub_key: "aa", address: "pl1", x25519_pub: "", nickname: "", registered: false, device_count: 0 };
  const device = { x25519_pub_key: "dd", device_name: "x", added_at: 0 };

  const input = { identity, devices: [], devicePub: "dd", wasListed: false };
  const registered = { ...identity, registered: true };

  it("waits until the chain has been read", () => {
    expect(missingRegistration({ ...input, identity: undefined })).toEqual([]);
    expect(missingRegistration({ ...input, devices: undefined })).toEqual([]);
  });

  it("names what the chain does not show", () => {
    expect(missingRegistration(input)).toEqual(["registerKey", "linkDevice"]);
    expect(missingRegistration({ ...input, identity: registered, devices: [{ ...device, x25519_pub_key: "ee" }] })).toEqual(["linkDevice"]);
    expect(missingRegistration({ ...input, identity: registered, devices: [device] })).toEqual([]);
  });

  it("does not link a device again that was unlinked", () => {
    expect(missingRegistration({ ...input, identity: registered, wasListed: true })).toEqual([]);
  });
});
