// Contracts come to the same outcomes in the desktop's runtime as everywhere: on Electron's binary when it is tested, else on Node.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { ELECTRON } from "./electron-world.ts";
import { utilityProcess } from "./stand-in/utility-process.ts";

describe("the desktop's runtime", () => {
  it("comes to the recorded outcomes of contracts", () => {
    const digest = execFileSync(ELECTRON ?? process.execPath, [join(ROOT, "test/support/vm/vm-digest.ts")], {
      encoding: "utf8",
      env: { ELECTRON_RUN_AS_NODE: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(digest.trim()).toBe(readFileSync(join(ROOT, "test/vectors/contracts/outcomes.sha256"), "utf8").trim());
  });

  it("has the same compiler as every node in a utility process", async () => {
    const child = utilityProcess.fork(join(ROOT, "test/support/vm/warm-outcomes.ts"), [], { stdio: "pipe" });
    const [text] = (await once(child.stdout ?? child, "data")) as [Buffer];
    child.kill();
    expect(text.toString("utf8")).toBe("CONTRACT_STACK_OVERFLOW, CONTRACT_STACK_OVERFLOW");
  });
});
