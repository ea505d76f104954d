// Where the output goes: a reader that goes away, a disk that is full, an error stream that is closed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { endWithTests } from "#test/support/host/end-with-tests.ts";
import { projectRoot } from "#test/support/nodes/run-program.ts";

/** Runs a shell line in which PARLEY stands for the program. */
async function shell(line: string): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const program = `'${process.execPath}' node/main.ts`;
  const child = spawn("bash", ["-c", `set -o pipefail; ${line.replaceAll("PARLEY", program)}`], { cwd: projectRoot, stdio: "pipe" });
  endWithTests(child);
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...texts };
}

it.skipIf(process.platform === "win32")("a reader that goes away is no failure", async () => {
  const { code, stdout, stderr } = await shell("PARLEY completion fish | head -1");
  expect([code, stdout, stderr]).toEqual([0, expect.stringContaining("# fish completion of parley"), ""]);
});

it("an error stream whose reader went away takes nothing from the exit code", async () => {
  const child = spawn(process.execPath, ["node/main.ts", "trnsfer"], { cwd: projectRoot, stdio: ["ignore", "ignore", "pipe"] });
  endWithTests(child);
  child.stderr.destroy();
  expect(await once(child, "close")).toEqual([2, null]);
});

it.runIf(existsSync("/dev/full"))("a full disk is one sentence and a failure", async () => {
  const { code, stderr } = await shell("PARLEY completion fish > /dev/full");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The output cannot be written: ENOSPC: [^\n]*\n$/);
});
