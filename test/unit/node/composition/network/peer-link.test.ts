import { describe, expect, it } from "vitest";
import { PeerLink, type PeerListener } from "#node/composition/network/peer-link.ts";

describe("the way to peers that do not run yet", () => {
  it("reports a sleep to them when they do: the engine votes again only when they say so", () => {
    const link = new PeerLink();
    const calls: string[] = [];
    const listener: PeerListener = {
      onSubmitted: () => calls.push("submitted"),
      onWork: () => calls.push("work"),
      onAwake: () => calls.push("awake"),
    };
    link.onAwake();
    link.onAwake();
    link.listen(null);
    link.listen(listener);
    expect(calls).toEqual(["awake"]);
    link.onAwake();
    link.listen(listener);
    expect(calls).toEqual(["awake", "awake"]);
  });
});
