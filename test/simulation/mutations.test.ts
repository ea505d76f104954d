// Shows that the simulation finds bugs: each is planted in a process of its own and must end a bounded run with its violation.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { wholeUnless } from "#test/support/host/test-extent.ts";
import { MUTATIONS, type SimulatedMutation } from "./mutations.ts";
import { mutated } from "./plant-mutation.ts";

const SEEDS = 2_000;
const MAIN = fileURLToPath(new URL("./mutated-main.ts", import.meta.url));

function runMutated(name: string, { options = [] }: SimulatedMutation): Promise<{ readonly code: number | null; readonly words: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, name, "--seeds", String(SEEDS), ...options], { stdio: ["ignore", "ignore", "pipe"] });
    let words = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      words += text;
    });
    child.on("error", reject).on("close", (code) => resolve({ code, words }));
  });
}

describe("a planted bug", () => {
  for (const [index, [name, mutation]] of Object.entries(MUTATIONS).entries())
    it(`is found: ${name}`, { ...wholeUnless(index % 3 === 0), timeout: 600_000 }, async () => {
      const { code, words } = await runMutated(name, mutation);
      expect(code).toBe(1);
      expect(words).toMatch(mutation.foundBy);
      expect(words).toMatch(/Again: npm run sim -- --seed \d+/u);
    });

  it("is refused when its text is nowhere", () => {
    expect(() => mutated("no such bug")).toThrow("There is no mutation");
    for (const name of Object.keys(MUTATIONS)) expect(mutated(name).source.length).toBeGreaterThan(0);
  });
});
