import { describe, expect, it } from "vitest";
import { trayItems, trayTooltip } from "#electron/main/menus/tray-menu.ts";

describe("the tray", () => {
  it("says what the node does and what a click would do", () => {
    const labels = (node: "ready" | "crashed" | "failed", isWindowVisible: boolean): readonly string[] =>
      trayItems({ unread: 0, node, isWindowVisible }).map(({ label }) => label);
    expect(labels("ready", true)).toEqual(["Node is running", "", "Hide Parley", "New message", "Lock", "", "Quit Parley"]);
    expect(labels("crashed", false).slice(0, 3)).toEqual(["Node stopped unexpectedly, restarting…", "", "Open Parley"]);
    expect(labels("failed", false)[0]).toBe("Node failed to start: open Parley for details");
  });

  it.each([
    [0, "Parley"],
    [1, "Parley – 1 unread message"],
    [12, "Parley – 12 unread messages"],
  ])("counts %i unread", (unread, text) => expect(trayTooltip({ unread, node: "ready", isWindowVisible: true })).toBe(text));
});
