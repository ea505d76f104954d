// The desktop app from cold and at rest. It runs on the stand-in for Electron: shell, node and keyring are the real programs, but in Node's
// processes instead of Electron's, and Chromium is a browser of its own. These are no figures of Electron, and the table says so.
import { setTimeout as delay } from "node:timers/promises";
import { buildStaleDesktop } from "#build/scripts/build/build-desktop.ts";
import { buildStaleRenderer } from "#build/scripts/build/build-renderer.ts";
import { createIdentity } from "../../e2e/support/person.ts";
import { createProfile, type DesktopWorld, startDesktop } from "../../electron/desktop-world.ts";
import { memoryMiB, processorMs } from "../measure/process-figures.ts";
import { descendants, listProcesses } from "../measure/process-tree.ts";
import { median, round, table } from "../measure/statistics.ts";
import type { Bench } from "./bench.ts";

const SETTLE_MS = 10_000;
const IDLE_MS = 20_000;
const LEAST_STARTS = 3;

/** Window visible from cold, idle memory of each process, processor time when idle. */
export async function desktopSuite(bench: Bench): Promise<void> {
  await buildStaleRenderer();
  await buildStaleDesktop();
  const profile = await createProfile();
  try {
    let world = await startDesktop(profile);
    await untilReady(world);
    await createIdentity(world.page, new URL("/", world.page.url()).href, "Bench");
    const shownMs: number[] = [];
    for (let start = 0; start < Math.max(LEAST_STARTS, bench.options.repeats); start += 1) {
      await world.quit();
      world = await startDesktop(profile);
      const { shownAfterMs } = await world.until((state) => state.shownAfterMs !== null, "the window");
      shownMs.push(shownAfterMs ?? 0);
      await untilReady(world);
    }
    await delay(SETTLE_MS);
    const rows = await figuresAtRest(world);
    await world.quit();
    bench.print(
      table(
        `Desktop app on the stand-in for Electron, not on Electron (window shown ${round(median(shownMs))} ms after the start, median of ${shownMs.length})`,
        ["process", "MiB at rest (PSS)", `processor ms in ${IDLE_MS / 1_000} s at rest`],
        rows,
      ),
    );
  } finally {
    profile.remove();
  }
}

async function untilReady(world: DesktopWorld): Promise<void> {
  await world.until(({ trayLabels }) => trayLabels.includes("Node is running"), "the node");
}

async function figuresAtRest(world: DesktopWorld): Promise<readonly (readonly string[])[]> {
  const { mainPid, processes } = await world.state();
  const named = processes.map(({ name, pid = 0 }) => ({ name: name.replace("Parley ", ""), pids: [pid] }));
  const own = new Set(named.flatMap(({ pids }) => pids));
  const chromium = descendants(listProcesses(), mainPid).filter((pid) => !own.has(pid));
  const groups = [{ name: "main", pids: [mainPid] }, ...named, { name: "Chromium, all its processes", pids: chromium }];
  const before = groups.map(({ pids }) => sum(pids, processorMs));
  await delay(IDLE_MS);
  return groups.map(({ name, pids }, index) => [
    name,
    round(sum(pids, memoryMiB)),
    String(Math.round(sum(pids, processorMs) - (before[index] ?? 0))),
  ]);
}

function sum(pids: readonly number[], figure: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + figure(pid), 0);
}
