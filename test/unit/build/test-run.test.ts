// What a run of tests leaves behind: no process and no file.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeFolder } from "#build/scripts/test/vitest.ts";
import { endWithTests } from "#test/support/host/end-with-tests.ts";

let child: ChildProcess;
let end: Promise<unknown[]>;

describe("a file of tests that starts a process and does not end it", async () => {
  await import("#test/support/host/end-processes.ts");

  it("has it while it runs", async () => {
    child = endWithTests(spawn(process.execPath, ["-e", "process.stdout.write('up'); setInterval(() => undefined, 1_000)"]));
    end = once(child, "exit");
    await once(child.stdout ?? child, "data");
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  });
});

it("leaves no process behind", async () => {
  expect(await end).toEqual([null, "SIGKILL"]);
});

it("has a folder of its own with a short name, which other users may write into", () => {
  const folder = makeFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect([tmpdir(), "/dev/shm"]).toContain(dirname(folder));
  expect(basename(folder)).toMatch(/^p-.{6}$/);
  if (process.platform !== "win32") expect(statSync(folder).mode & 0o7777).toBe(0o1777);
});
