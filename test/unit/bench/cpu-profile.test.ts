import { describe, expect, it } from "vitest";
import { type CpuProfile, type CpuProfileNode, summarizeProfile } from "../../bench/measure/cpu-profile.ts";

function node(id: number, functionName: string, url = "", children: readonly number[] = []): CpuProfileNode {
  return { id, callFrame: { functionName, url, lineNumber: 1 }, children };
}

const PROFILE: CpuProfile = {
  startTime: 1_000,
  nodes: [
    node(1, "(root)", "", [2, 3, 6, 9]),
    node(2, "(idle)"),
    node(3, "apply", "file:///home/me/parley/node/ledger/execute.ts", [4, 5]),
    node(4, "encodeCbor", "file:///home/me/parley/shared/protocol/cbor.ts"),
    node(5, "get", "file:///home/me/parley/node/storage/state-repository.ts"),
    node(6, "handle", "file:///home/me/parley/node_modules/fastify/lib/handle.js", [7]),
    node(7, "verify", "file:///home/me/parley/node/crypto/verify-signature.ts", [8]),
    node(8, "verifyOneShot", "node:internal/crypto/sig"),
    node(9, "(garbage collector)"),
  ],
  samples: [4, 4, 5, 8, 2, 9, 6],
  timeDeltas: [10, 20, 30, 40, 50, 60, 70],
};

describe("summarizeProfile", () => {
  it("gives helpers to their caller and idle time to none", () => {
    const { groups, busyUs, idleUs } = summarizeProfile(PROFILE, { from: 0, to: Number.MAX_VALUE });
    expect(groups).toEqual([
      { name: "JSON and HTTP", us: 70 },
      { name: "garbage collection", us: 60 },
      { name: "signatures", us: 40 },
      { name: "execution", us: 30 },
      { name: "SQLite", us: 30 },
    ]);
    expect([busyUs, idleUs]).toEqual([230, 50]);
  });

  it("names functions by their file in the project, and callers with what they call", () => {
    const { functions, calls } = summarizeProfile(PROFILE, { from: 0, to: Number.MAX_VALUE });
    expect(functions.slice(0, 2)).toEqual([
      { name: "node_modules/fastify/lib/handle.js handle", us: 70 },
      { name: " (garbage collector)", us: 60 },
    ]);
    expect(calls[0]).toEqual({ name: "node/ledger/execute.ts apply", us: 60 });
  });

  it("counts only what lies in the window", () => {
    const { groups } = summarizeProfile(PROFILE, { from: 1_011, to: 1_060 });
    expect(groups).toEqual([
      { name: "SQLite", us: 30 },
      { name: "execution", us: 20 },
    ]);
  });
});
