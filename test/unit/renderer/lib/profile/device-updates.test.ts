import { describe, expect, it } from "vitest";
import { afterUpdate, deviceUpdates } from "#renderer/lib/profile/use-device-updates.ts";
import type { DeviceRecord } from "#shared/api/schemas/chain.ts";

const device = (key: string, name: string): DeviceRecord => ({ x25519_pub_key: key, device_name: name, added_at: 1 });
const SEEN = { own: "Desk", old: "Old phone" };

describe("updates of one's own devices", () => {
  it("tell what came and what went, this device aside", () => {
    const now = [device("own", "Desk"), device("new", "Laptop")];
    expect(deviceUpdates(SEEN, now, "own")).toEqual([
      { kind: "linked", devicePub: "new", name: "Laptop" },
      { kind: "unlinked", devicePub: "old", name: "Old phone" },
    ]);
    expect(deviceUpdates(SEEN, [device("old", "Old phone")], "own")).toEqual([]);
  });

  it("are shown once each", () => {
    const now = [device("own", "Desk"), device("new", "Laptop")];
    const seen = deviceUpdates(SEEN, now, "own").reduce(afterUpdate, SEEN);
    expect(seen).toEqual({ own: "Desk", new: "Laptop" });
    expect(deviceUpdates(seen, now, "own")).toEqual([]);
    expect(deviceUpdates(seen, [...now, device("old", "Old phone")], "own")).toEqual([
      { kind: "linked", devicePub: "old", name: "Old phone" },
    ]);
  });
});
