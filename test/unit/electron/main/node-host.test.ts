import { fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HostedProcess, NodeHost, type NodeHostState } from "#electron/main/node-host/node-host.ts";

const ORDERLY = `process.on("message", (m) => { if (m.type === "stop") process.exit(0); }); process.send({ type: "ready", port: 4123 });`;
const DEAF = `process.on("message", () => {}); process.send({ type: "ready", port: 4124 });`;
const CRASHING = "process.exit(7);";

describe("NodeHost over real processes", () => {
  let folder = "";
  let states: NodeHostState[] = [];
  let timers: { callback: () => void; delayMs: number }[] = [];
  let waiting: (() => void)[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-node-host-"));
    states = [];
    timers = [];
    waiting = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function host(program: string): NodeHost {
    const file = join(folder, "node.mjs");
    writeFileSync(file, program);
    return new NodeHost({
      start: (): HostedProcess => {
        const child = fork(file);
        return {
          onMessage: (listener) => void child.on("message", listener),
          onExit: (listener) => void child.on("exit", listener),
          postMessage: (message) => void child.send(message as object),
          kill: () => void child.kill("SIGKILL"),
        };
      },
      onState: (state) => {
        states.push(state);
        for (const wake of waiting.splice(0)) wake();
      },
      setTimer: (callback, delayMs) => {
        const timer = { callback, delayMs };
        timers.push(timer);
        return () => {
          timers = timers.filter((other) => other !== timer);
        };
      },
    });
  }

  async function until(kind: NodeHostState["kind"]): Promise<NodeHostState> {
    for (;;) {
      const state = states.at(-1);
      if (state?.kind === kind) return state;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }

  it("reports the port and stops in order", async () => {
    const nodeHost = host(ORDERLY);
    nodeHost.start();
    expect(await until("ready")).toEqual({ kind: "ready", port: 4123 });
    await nodeHost.stop();
    expect(states.at(-1)).toEqual({ kind: "stopped", exitCode: 0 });
    expect(timers).toEqual([]);
  });

  it("kills a node that does not stop", async () => {
    const nodeHost = host(DEAF);
    nodeHost.start();
    await until("ready");
    const stopped = nodeHost.stop();
    expect(timers.map((timer) => timer.delayMs)).toEqual([10_000]);
    timers[0]?.callback();
    await stopped;
    expect(states.at(-1)?.kind).toBe("stopped");
  });

  it("restarts a crashed node with growing pauses", async () => {
    const nodeHost = host(CRASHING);
    nodeHost.start();
    expect(await until("crashed")).toEqual({ kind: "crashed", exitCode: 7, restartInMs: 500 });
    timers.at(-1)?.callback();
    expect(await until("crashed")).toEqual({ kind: "crashed", exitCode: 7, restartInMs: 1000 });
    await nodeHost.stop();
  });
});
