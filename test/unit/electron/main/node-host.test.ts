import { fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NodeHost, type NodeHostState, type ServingNode } from "#electron/main/processes/node-host.ts";
import type { HostedProcess } from "#electron/main/processes/process-host.ts";

const ORDERLY = `process.on("message", (m) => { if (m.type === "stop") process.exit(0); }); process.send({ type: "ready", port: 4123 });`;
const DEAF = `process.on("message", () => {}); process.send({ type: "ready", port: 4124 });`;
const CRASHING = "process.exit(7);";
const OWN = { url: "http://127.0.0.1:4126", chain_id: "test", secret: "s" };
const WITH_SECRET = `process.on("message", () => process.exit(0)); process.send(${JSON.stringify({ type: "ready", port: 4126, ...OWN })});`;
const SERVING_THEN_CRASHING = `process.send({ type: "ready", port: 4125 }, () => setTimeout(() => process.exit(8), 50));`;

describe("NodeHost over real processes", () => {
  let folder = "";
  let states: NodeHostState[] = [];
  let serving: (ServingNode | undefined)[] = [];
  let timers: { callback: () => void; delayMs: number }[] = [];
  let waiting: (() => void)[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-node-host-"));
    states = [];
    serving = [];
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
          stderrTail: () => "its last line",
        };
      },
      onServing: (node) => void serving.push(node),
      onState: (state) => {
        states.push(state);
        for (const wake of waiting.splice(0)) wake();
      },
      timers: {
        setTimer: (delayMs, callback) => {
          const timer = { callback, delayMs };
          timers.push(timer);
          return () => {
            timers = timers.filter((other) => other !== timer);
          };
        },
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

  async function untilPort(port: number): Promise<void> {
    while (!states.some((state) => state.kind === "ready" && state.port === port))
      await new Promise<void>((resolve) => waiting.push(resolve));
  }

  it("reports the port and stops in order", async () => {
    const nodeHost = host(ORDERLY);
    nodeHost.start();
    expect(await until("ready")).toEqual({ kind: "ready", port: 4123 });
    await nodeHost.stop();
    expect(states.at(-1)).toEqual({ kind: "stopped", exitCode: 0 });
    expect(timers).toEqual([]);
  });

  it("says how far a node is with its folder before it serves, and takes nothing else for that", async () => {
    const updates = [
      { done: 0, total: 7 },
      { done: 3, total: 7 },
      { done: "4", total: 7 },
      { done: 8, total: 7 },
      { done: -1, total: 7 },
      { total: 7 },
    ].map((update) => ({ type: "updating", ...update }));
    const late = { type: "updating", done: 7, total: 7 };
    const messages = JSON.stringify([...updates, { type: "ready", port: 4127 }, late]);
    const nodeHost = host(`process.on("message", () => process.exit(0)); for (const m of ${messages}) process.send(m);`);
    nodeHost.start();
    await until("ready");
    await nodeHost.stop();
    expect(states).toEqual([
      { kind: "starting" },
      { kind: "starting", updating: { done: 0, total: 7 } },
      { kind: "starting", updating: { done: 3, total: 7 } },
      { kind: "ready", port: 4127 },
      { kind: "stopped", exitCode: 0 },
    ]);
  });

  it("stops once for several callers, and starts again afterwards", async () => {
    const nodeHost = host(ORDERLY);
    nodeHost.start();
    await until("ready");
    await Promise.all([nodeHost.stop(), nodeHost.stop(), nodeHost.restart()]);
    expect(await until("ready")).toEqual({ kind: "ready", port: 4123 });
    await nodeHost.stop();
    expect(states.filter(({ kind }) => kind === "stopped")).toHaveLength(2);
  });

  it("names the person's accounts to each start that serves, and again when they change", async () => {
    const heard = join(folder, "heard");
    const nodeHost = host(
      `import { appendFileSync } from "node:fs";
      process.on("message", (m) => {
        appendFileSync(${JSON.stringify(heard)}, JSON.stringify(m) + "\\n");
        if (m.type === "stop") process.exit(0);
        if (m.accounts.length === 2) process.send({ type: "ready", port: 4130, ...${JSON.stringify(OWN)} });
      });
      process.send({ type: "ready", port: 4129, ...${JSON.stringify(OWN)} });`,
    );
    nodeHost.setAccounts(["aa"]);
    nodeHost.start();
    await until("ready");
    nodeHost.setAccounts(["aa", "bb"]);
    await untilPort(4_130);
    await nodeHost.stop();
    nodeHost.setAccounts(["cc"]);
    const messages = readFileSync(heard, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const own = (accounts: readonly string[]): object => ({ type: "own", accounts });
    // It serves twice here: what is known is named with each.
    expect(messages).toEqual([own(["aa"]), own(["aa", "bb"]), own(["aa", "bb"]), { type: "stop" }]);
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

  it("restarts a crashed node with growing pauses, and gives up when it never serves", async () => {
    const nodeHost = host(CRASHING);
    nodeHost.start();
    for (const restartInMs of [500, 1000, 2000, 4000]) {
      expect(await until("crashed")).toEqual({ kind: "crashed", exitCode: 7, restartInMs, reason: "its last line" });
      expect(timers.map(({ delayMs }) => delayMs)).toEqual([restartInMs]);
      timers.pop()?.callback();
    }
    expect(await until("failed")).toEqual({ kind: "failed", exitCode: 7, reason: "its last line" });
    expect(timers).toEqual([]);
    expect(nodeHost.restarts).toBe(4);
  });

  it("restarts the count of pauses only after the node has served for a while", async () => {
    const nodeHost = host(SERVING_THEN_CRASHING);
    nodeHost.start();
    expect(await until("crashed")).toMatchObject({ restartInMs: 500 });
    timers.pop()?.callback();
    expect(await until("crashed")).toMatchObject({ restartInMs: 1000 });
    timers.pop()?.callback();
    await until("ready");
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([60_000]);
    timers[0]?.callback();
    expect(await until("crashed")).toMatchObject({ restartInMs: 500 });
    await nodeHost.stop();
  });

  it("reports where the node serves with which secret, until it ends, and shows the interface the port alone", async () => {
    const nodeHost = host(WITH_SECRET);
    nodeHost.start();
    expect(await until("ready")).toEqual({ kind: "ready", port: 4126 });
    const { chain_id: chainId, ...rest } = OWN;
    expect(serving).toEqual([{ ...rest, chainId }]);
    await nodeHost.stop();
    expect(serving).toEqual([{ ...rest, chainId }, undefined]);
    expect(JSON.stringify(states)).not.toContain("secret");
  });
});
