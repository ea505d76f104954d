// The same outcomes whatever the engine is started with: other compilers, eager compilation, small or large stacks.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { wholeUnless } from "#test/support/host/test-extent.ts";

const recorded = fileURLToPath(new URL("../../vectors/contracts/outcomes.sha256", import.meta.url));
const program = fileURLToPath(new URL("../../support/vm/vm-digest.ts", import.meta.url));

function digestUnder(flags: readonly string[], compiler: "baseline" | "none" | "any" = "baseline"): string {
  const args = [...flags, program, compiler];
  return execFileSync(process.execPath, args, { encoding: "utf8", env: {}, stdio: ["ignore", "pipe", "pipe"] }).trim();
}

describe("the engine", () => {
  const expected = readFileSync(recorded, "utf8").trim();

  it("comes to the outcomes that were recorded", () => {
    expect(digestUnder([])).toBe(expected);
  });

  for (const flag of ["--no-liftoff", "--no-wasm-lazy-compilation", "--stack-size=800", "--stack-size=3000"])
    it(`comes to the same outcomes with ${flag}`, wholeUnless(flag === "--no-liftoff"), () => {
      expect(digestUnder([flag])).toBe(expected);
    });

  for (const flag of ["--liftoff", "--no-liftoff", "--wasm-jitless"])
    it(`comes to the same outcomes with ${flag} and a compiler of its own choice`, wholeUnless(flag === "--wasm-jitless"), () => {
      expect(digestUnder([flag], "any")).toBe(expected);
    });

  it("comes to the same outcomes as an interpreter", () => {
    expect(digestUnder([], "none")).toBe(expected);
  });

  it("does not begin where its own stack is too small", () => {
    expect(() => digestUnder(["--stack-size=500"])).toThrow("The stack is too small to run contracts");
  });

  for (const stackSizeMb of [1, 4])
    it(`comes to the same outcomes in a thread with ${stackSizeMb} MiB of stack`, wholeUnless(stackSizeMb === 1), async () => {
      const worker = new Worker(program, { resourceLimits: { stackSizeMb }, execArgv: [] });
      const [digest] = (await once(worker, "message")) as [string];
      expect(digest).toBe(expected);
      await worker.terminate();
    });
});
