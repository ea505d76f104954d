import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { descendants, listProcesses } from "../../bench/measure/process-tree.ts";

describe("descendants", () => {
  it("are all that a process started, and what those started, without it and its neighbours", () => {
    const processes = [
      { pid: 1, parent: 0 },
      { pid: 10, parent: 1 },
      { pid: 11, parent: 10 },
      { pid: 12, parent: 11 },
      { pid: 20, parent: 1 },
    ];
    expect(descendants(processes, 10)).toEqual([11, 12]);
    expect(descendants(processes, 12)).toEqual([]);
  });
});

describe("listProcesses", () => {
  it("knows a process that was just started", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await once(child, "spawn");
    expect(listProcesses()).toContainEqual({ pid: child.pid, parent: process.pid });
    child.kill();
    await once(child, "exit");
  });
});
