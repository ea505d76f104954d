import { describe, expect, it } from "vitest";
import { flagsForNode, REFUSED_SWITCHES, refuseSwitches } from "#electron/main/security/program-arguments.ts";

const INJECTED = [
  "/opt/Parley/parley",
  "parley:pay?to=x",
  "--",
  "--stats-addr",
  "0.0.0.0",
  "--genesis",
  "http://evil.example/genesis.json",
];

describe("arguments of the program", () => {
  it.each([
    ["after a link", INJECTED],
    ["first", ["/opt/Parley/parley", "--", "--stats-addr", "0.0.0.0"]],
    ["twice", [...INJECTED, "--", "--p2p-port", "1"]],
  ])("give no flags to the node of a packaged app (%s)", (_, argv) => {
    expect(flagsForNode(argv, true)).toEqual([]);
  });

  it("give the node its flags when the sources are run", () => {
    expect(flagsForNode(INJECTED, false)).toEqual(["--stats-addr", "0.0.0.0", "--genesis", "http://evil.example/genesis.json"]);
    expect(flagsForNode(["electron", "main.mjs"], false)).toEqual([]);
  });

  it("open no debugger and put no program in front of a packaged app", () => {
    const removed: string[] = [];
    refuseSwitches({ removeSwitch: (name) => void removed.push(name) }, false);
    expect(removed).toEqual([]);
    refuseSwitches({ removeSwitch: (name) => void removed.push(name) }, true);
    expect(removed).toEqual([...REFUSED_SWITCHES]);
    for (const name of ["remote-debugging-port", "renderer-cmd-prefix", "browser-subprocess-path", "proxy-server", "js-flags"])
      expect(removed).toContain(name);
  });
});
