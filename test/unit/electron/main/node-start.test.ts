import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepPort, readKeptPort } from "#electron/main/files/kept-port.ts";
import { choosePort } from "#electron/main/processes/choose-port.ts";
import { nodeArguments } from "#electron/main/processes/node-process.ts";
import { decideRestart } from "#electron/main/processes/restart-policy.ts";
import { EXIT_CODES } from "#node/cli/session/exit-codes.ts";
import { UNSAFE_VOTING_EXIT, WRONG_SETTINGS_EXIT } from "#shared/desktop/channels.ts";
import { DEFAULT_DESKTOP_SETTINGS, type DesktopSettings } from "#shared/desktop/desktop-settings.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

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

describe("the node's work", () => {
  const argumentsOf = (change: Partial<DesktopSettings>): readonly string[] =>
    nodeArguments({ settings: { ...DEFAULT_DESKTOP_SETTINGS, ...change }, isCopied: false, dataFolder: "/data", port: 4123, flags: [] });

  it("is left to the node's own configuration until something was chosen", () => {
    expect(argumentsOf({})).toEqual([
      "node",
      "--data-dir",
      "/data",
      "--stats-addr",
      "127.0.0.1:4123",
      "--log",
      "json",
      "--snapshots",
      "off",
    ]);
  });

  it("is what the person chose", () => {
    const chosen = { relayFeeUt: 0, heartbeatMinutes: 0, nodeRetain: "all", updateSource: "https://releases.example/latest" };
    expect(argumentsOf(chosen).slice(9)).toEqual([
      "--relay-fee",
      "0",
      "--heartbeat",
      "0",
      "--retain",
      "all",
      "--update-url",
      "https://releases.example/latest",
    ]);
  });
});

describe("the node's port", () => {
  const random = (): number => 0.5;

  async function listen(port: number): Promise<AsyncDisposable & { readonly port: number }> {
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    return {
      port: (server.address() as AddressInfo).port,
      [Symbol.asyncDispose]: async (): Promise<void> => {
        server.close();
        await once(server, "close");
      },
    };
  }

  it("is the one of the settings while it is free, else one above it, which the notice names", async () => {
    let wish = 0;
    {
      await using other = await listen(0);
      wish = other.port;
      const chosen = await choosePort({ preferred: wish, kept: 21_000, random });
      expect(chosen.taken).toBe(wish);
      expect(chosen.port).toBeGreaterThan(wish);
      expect(chosen.port).toBeLessThan(wish + 51);
    }
    expect(await choosePort({ preferred: wish, kept: 21_000, random })).toEqual({ port: wish, taken: null });
  });

  it("is the kept one without a wish, else the next free one above it, without a notice", async () => {
    await using other = await listen(0);
    const { port, taken } = await choosePort({ preferred: null, kept: other.port, random });
    expect(port).toBeGreaterThan(other.port);
    expect(taken).toBeNull();
    const first = await choosePort({ preferred: null, kept: null, random: () => 0.999_999 });
    expect(first.port).toBeGreaterThanOrEqual(20_000);
    expect(first.port).toBeLessThan(30_000);
    expect(await choosePort({ preferred: null, kept: first.port, random })).toEqual(first);
  });

  it("is any free one where none above the last can be had", async () => {
    await using other = await listen(65_535);
    const { port, taken } = await choosePort({ preferred: other.port, kept: null, random });
    expect(port).toBeGreaterThan(0);
    expect(taken).toBe(65_535);
  });

  it("is kept as a number in a file of the profile; anything else there is none", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "node-port");
    expect(readKeptPort(path)).toBeNull();
    keepPort(path, 21_234);
    expect(readKeptPort(path)).toBe(21_234);
    for (const text of ["", "0", "80", "1023", "65536", "99999", "21234 x", "0x5000", "-21234", "2.1e4", "[21234]"]) {
      writeFileSync(path, text);
      expect([text, readKeptPort(path)]).toEqual([text, null]);
    }
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
