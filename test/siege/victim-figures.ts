// What an attack does to its victim beside slowing it: memory, processor time, latency of its interface, server errors.
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { processorMs } from "../bench/measure/process-figures.ts";
import type { ProcessNetwork, ProcessNode } from "../support/nodes/process-network.ts";

/** Figures of a window of time. */
export interface Window {
  readonly seconds: number;
  /** 95th percentile of the time to respond to a status request, ms. */
  readonly statusP95Ms: number;
  /** Part of these responses that said that the node is not up to date, percent. */
  readonly behindPercent: number;
  /** Largest resident memory, MiB. */
  readonly memoryMiB: number;
  /** Processor time of the victim, percent of one core. */
  readonly processorPercent: number;
  /** Processor time of programs that have nothing to do with this one, percent of one core. */
  readonly othersPercent: number;
}

const SAMPLE_MS = 200;
const TICK_MS = 10;
const SERVER_ERROR = /^parley_http_request_duration_seconds_count\{[^}]*status="5\d\d"[^}]*\} (\d+)/gm;

/** Resident memory of a process, MiB; 0 for one that is gone. */
export function residentMiB(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

/** Responses of all nodes with a status of 500 or above. */
export async function serverErrors({ nodes }: ProcessNetwork): Promise<number> {
  const texts = await Promise.all(
    nodes
      .filter(({ isRunning, hasDied }) => isRunning && !hasDied)
      .map(async ({ baseUrl }) => await (await fetch(`${baseUrl}/metrics`)).text()),
  );
  return texts.flatMap((text) => [...text.matchAll(SERVER_ERROR)]).reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Watches the victim for a while; `own` are the processes of this program, the nodes included. */
export async function watchVictim(victim: ProcessNode, own: readonly number[], seconds: number): Promise<Window> {
  const latencies: number[] = [];
  let behind = 0;
  let memoryMiB = residentMiB(victim.pid);
  const [busyBefore, ownBefore, usedBefore] = [machineMs(), sumMs(own), usedMs(victim.pid)];
  const startedMs = performance.now();
  const endMs = startedMs + seconds * 1_000;
  while (performance.now() < endMs) {
    const askedMs = performance.now();
    const asking = victim.client.getStatus({}).catch(() => undefined);
    // One that does not respond counts with the time up to the end of the window.
    const status = await Promise.race([asking, delay(endMs - askedMs)]);
    if (status !== undefined && status.sync.state !== "live") behind += 1;
    latencies.push(performance.now() - askedMs);
    memoryMiB = Math.max(memoryMiB, residentMiB(victim.pid));
    await delay(Math.max(0, SAMPLE_MS - (performance.now() - askedMs)));
  }
  const passed = (performance.now() - startedMs) / 100;
  const ownPercent = (sumMs(own) - ownBefore) / passed;
  return {
    seconds: passed / 10,
    statusP95Ms: p95(latencies),
    behindPercent: (behind * 100) / latencies.length,
    memoryMiB,
    processorPercent: (usedMs(victim.pid) - usedBefore) / passed,
    othersPercent: Math.max(0, (machineMs() - busyBefore) / passed - ownPercent),
  };
}

function p95(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
}

/** Time in which the processors were not idle, ms. */
function machineMs(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] =
    readFileSync("/proc/stat", "utf8").split("\n")[0]?.split(/\s+/).map(Number) ?? [];
  return (user + nice + system + irq + softirq) * TICK_MS;
}

function usedMs(pid: number): number {
  try {
    return processorMs(pid);
  } catch {
    return 0;
  }
}

function sumMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + usedMs(pid), 0);
}
