import { describe, expect, it } from "vitest";
import { syncPicture } from "#renderer/features/node/status/sync-picture.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";

const status = (sync: Partial<NodeStatus["sync"]> = {}, isLight = false): Pick<NodeStatus, "sync" | "light"> =>
  ({ sync: { state: "live", height: 38, target_height: 38, ...sync }, ...(isLight && { light: {} }) }) as NodeStatus;

describe("the picture of syncing", () => {
  it("is no full bar and no 'up to date' while the node is away, whatever it said last", () => {
    for (const live of ["connecting", "closed"] as const)
      expect(syncPicture(status(), live)).toEqual({ reached: 0, share: undefined, words: "lost" });
  });

  it("tells being there from being on the way and from being stopped", () => {
    expect(syncPicture(status(), "open")).toEqual({ reached: 2, share: 1, words: "done" });
    expect(syncPicture(status({ state: "syncing", target_height: 76 }), "open")).toEqual({ reached: 1, share: 0.5, words: "progress" });
    expect(syncPicture(status({ state: "stalled" }, true), "open")).toMatchObject({ reached: 0, words: "halted" });
    expect(syncPicture(status({ state: "stalled" }), "open")).toMatchObject({ reached: 2, words: "done" });
  });

  it("shows the way to a state to begin with, and what stops a node there", () => {
    const joining = (stage: "headers" | "state" | "history", state = "syncing"): ReturnType<typeof syncPicture> =>
      syncPicture(status({ state, snapshot: { stage, bytes: 9, share: 0.25 } }, true), "open");
    expect(joining("headers")).toEqual({ reached: 1, share: undefined, words: "headers" });
    expect(joining("state")).toEqual({ reached: 1, share: 0.25, words: "state" });
    expect(joining("history")).toMatchObject({ reached: 1, words: "history" });
    expect(joining("headers", "stalled")).toMatchObject({ reached: 0, words: "halted" });
  });
});
