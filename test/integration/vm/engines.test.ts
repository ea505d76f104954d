// The same outcomes whatever the engine does: one of its compilers alone, an interpreter, eager compilation, small or large stacks.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";

const recorded = fileURLToPath(new URL("../../vectors/contracts/outcomes.sha256", import.meta.url));
const program = fileURLToPath(new URL("../../support/vm/vm-digest.ts", import.meta.url));

function digestUnder(...flags: readonly string[]): string {
  return execFileSync(process.execPath, [...flags, program], { encoding: "utf8", env: {}, stdio: ["ignore", "pipe", "pipe"] }).trim();
}

describe("the engine", () => {
  const expected = readFileSync(recorded, "utf8").trim();

  it("comes to the outcomes that were recorded", () => {
    expect(digestUnder()).toBe(expected);
  });

  it.each(["--liftoff-only", "--no-liftoff", "--wasm-jitless", "--no-wasm-lazy-compilation", "--stack-size=800", "--stack-size=3000"])(
    "comes to the same outcomes with %s",
    (flags) => {
      expect(digestUnder(...flags.split(" "))).toBe(expected);
    },
  );

  it("stops, rather than decide anything, where its own stack is too small", () => {
    expect(() => digestUnder("--stack-size=200")).toThrow("Maximum call stack size exceeded");
  });

  it.each([1, 4])("comes to the same outcomes in a thread with %i MiB of stack", async (stackSizeMb) => {
    const worker = new Worker(program, { resourceLimits: { stackSizeMb }, execArgv: [] });
    const [digest] = (await once(worker, "message")) as [string];
    expect(digest).toBe(expected);
    await worker.terminate();
  });
});
