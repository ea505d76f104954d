import { describe, expect, it } from "vitest";
import { parseOptions, SUITES } from "../../bench/options.ts";

describe("parseOptions", () => {
  it("runs everything once on a small chain by default, beside the peers", () => {
    expect(parseOptions([], "/p")).toEqual({
      suites: SUITES,
      withPeers: true,
      transactions: 40_000,
      accounts: 10_000,
      repeats: 1,
      cache: "/p/.cache/bench",
      isFresh: false,
    });
  });

  it("runs at full size when asked to, except for what is set otherwise", () => {
    expect(parseOptions(["--scale"], "/p")).toMatchObject({ transactions: 1_000_000, accounts: 100_000, repeats: 5 });
    expect(parseOptions(["--scale", "--repeats", "2"], "/p")).toMatchObject({ transactions: 1_000_000, accounts: 100_000, repeats: 2 });
  });

  it("runs the chosen suites in their own order", () => {
    expect(parseOptions(["--only", "transfers, start", "--no-peers"], "/p")).toMatchObject({
      suites: ["start", "transfers"],
      withPeers: false,
    });
  });

  it.each([
    [["--only", "nothing"], "nothing"],
    [["--transactions", "1e9x"], "--transactions"],
    [["--repeats", "0"], "--repeats"],
    [["--transactions", "100", "--accounts", "51"], "twice"],
    [["--unknown"], "unknown"],
  ])("refuses %j", (args, text) => {
    expect(() => parseOptions(args, "/p")).toThrow(text);
  });
});
