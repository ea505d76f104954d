import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { choosePort } from "#electron/main/node-host/choose-port.ts";
import { decideRestart } from "#electron/main/node-host/restart-policy.ts";
import { nodeArguments } from "#electron/main/processes/node-process.ts";
import { EXIT_CODES } from "#node/cli/session/exit-codes.ts";
import { UNSAFE_VOTING_EXIT, WRONG_SETTINGS_EXIT } from "#shared/desktop/channels.ts";
import { DEFAULT_DESKTOP_SETTINGS, type DesktopSettings } from "#shared/desktop/desktop-settings.ts";

function modeOf(nodeMode: DesktopSettings["nodeMode"], isCopied: boolean): string | undefined {
  const settings = { ...DEFAULT_DESKTOP_SETTINGS, nodeMode };
  const args = nodeArguments({ settings, isCopied, dataFolder: "/data", port: 4123, flags: [] });
  return args.includes("--mode") ? args[args.indexOf("--mode") + 1] : undefined;
}

describe("the node's mode", () => {
  it("is what the person chose, and left to the node when nothing was", () => {
    const modes = (["automatic", "full", "validator", "light"] as const).map((mode) => modeOf(mode, false));
    expect(modes).toEqual([undefined, "full", "validator", "light"]);
  });

  it("never votes from a copy, whatever was chosen", () => {
    for (const mode of ["automatic", "full", "validator"] as const) expect(modeOf(mode, true)).toBe("full");
    // A light node has no vote in the first place.
    expect(modeOf("light", true)).toBe("light");
  });

  it("takes the checkpoint along that a light node was given, and no other node", () => {
    const nodeCheckpoint = `1200:${"4f".repeat(32)}`;
    const argumentsOf = (nodeMode: DesktopSettings["nodeMode"]): readonly string[] => {
      const settings = { ...DEFAULT_DESKTOP_SETTINGS, nodeMode, nodeCheckpoint };
      return nodeArguments({ settings, isCopied: false, dataFolder: "/data", port: 4123, flags: [] });
    };
    expect(argumentsOf("light").slice(-4)).toEqual(["--mode", "light", "--checkpoint", nodeCheckpoint]);
    for (const mode of ["automatic", "full", "validator"] as const) expect(argumentsOf(mode)).not.toContain("--checkpoint");
  });
});

describe("the node's port", () => {
  it("is the wanted one while it is free, else any", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port: taken } = other.address() as AddressInfo;
    const chosen = await choosePort(taken);
    expect(chosen.taken).toBe(taken);
    expect(chosen.port).not.toBe(taken);
    other.close();
    await once(other, "close");
    expect(await choosePort(taken)).toEqual({ port: taken, taken: null });
    expect((await choosePort(null)).port).toBeGreaterThan(0);
  });
});

describe("a node that ended by itself", () => {
  it("is started again with longer pauses, and given up after five starts that never served", () => {
    const pauses = [1, 2, 3, 4, 5].map((failures) => decideRestart({ failures, hasServed: false, exitCode: 1 }));
    expect(pauses).toEqual([
      { kind: "restart", delayMs: 500 },
      { kind: "restart", delayMs: 1_000 },
      { kind: "restart", delayMs: 2_000 },
      { kind: "restart", delayMs: 4_000 },
      { kind: "giveUp" },
    ]);
    expect(decideRestart({ failures: 9, hasServed: true, exitCode: null })).toEqual({ kind: "restart", delayMs: 30_000 });
  });

  it("is not started again in vain from a folder that must not vote, nor with settings that are wrong", () => {
    expect([UNSAFE_VOTING_EXIT, WRONG_SETTINGS_EXIT]).toEqual([EXIT_CODES.unsafeVoting, EXIT_CODES.usage]);
    for (const exitCode of [UNSAFE_VOTING_EXIT, WRONG_SETTINGS_EXIT])
      expect(decideRestart({ failures: 1, hasServed: true, exitCode })).toEqual({ kind: "giveUp" });
  });
});
