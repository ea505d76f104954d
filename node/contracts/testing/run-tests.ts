// Runs the tests of a contract under Node's own test runner, in a process of its own, and collects what they recorded of gas.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContractRecord } from "./gas-record.ts";

/** What came of the tests. */
export interface TestRun {
  readonly output: string;
  readonly isPassed: boolean;
  readonly records: readonly ContractRecord[];
}

/** Runs a file of tests. */
export async function runContractTests(path: string, isProfile: boolean): Promise<TestRun> {
  const folder = mkdtempSync(join(tmpdir(), "parley-gas-"));
  try {
    const hooks = new URL(import.meta.url.includes(".mjs") ? "./resolve-hooks.mjs" : "./resolve-hooks.ts", import.meta.url);
    hooks.searchParams.set("record", join(folder, "gas"));
    if (isProfile) hooks.searchParams.set("profile", "");
    const outcome = await run(["--import", hooks.href, "--test", "--test-reporter=spec", path]);
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    return { ...outcome, records: files.flatMap((text) => JSON.parse(text) as readonly ContractRecord[]) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(args: readonly string[]): Promise<Pick<TestRun, "output" | "isPassed">> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => void chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => void chunks.push(chunk));
    child.on("error", fail);
    child.on("close", (code) => done({ output: Buffer.concat(chunks).toString("utf8"), isPassed: code === 0 }));
  });
}
