// Start-up time and memory of the node's process, and what this machine can do at all.
import { generateKeyPairSync, sign, verify } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { descendants, listProcesses } from "./process-tree.ts";

/** Clock ticks of /proc on Linux, on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Proportional set size of a process, MiB; resident size where the system does not tell it. */
export function memoryMiB(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
}

/** Processor time that a process has used, ms: user and system, all threads. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * (1_000 / TICKS_PER_SECOND);
}

/** Processor time of a process, of those that it has started, and of those of them that have ended, ms. */
export function processorTreeMs(pid: number): number {
  const ended = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const running = descendants(listProcesses(), pid).reduce((sum, child) => sum + processorMsOrEnded(child), processorMs(pid));
  return running + (Number(ended[13]) + Number(ended[14])) * (1_000 / TICKS_PER_SECOND);
}

/** What ended since it was listed counts with its parent. */
function processorMsOrEnded(pid: number): number {
  try {
    return processorMs(pid);
  } catch {
    return 0;
  }
}

/** Processor time of all processes that this one has started and that have ended, with those that they started, ms. */
export function childrenMs(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) * (1_000 / TICKS_PER_SECOND);
}

/** Native Ed25519 verifications a second on one thread: the yardstick of the ratios. */
export function verificationsPerSecond(): number {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const message = Buffer.alloc(400, 7);
  const signature = sign(null, message, privateKey);
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < 500) {
    for (let i = 0; i < 100; i += 1) verify(null, message, publicKey, signature);
    count += 100;
  }
  return (count / (performance.now() - started)) * 1000;
}

/** Median time of appending 4 KiB and fsync, ms. */
export function fsyncMs(): number {
  const path = join(tmpdir(), `parley-fsync-${process.pid}`);
  const file = openSync(path, "w");
  const samples: number[] = [];
  for (let i = 0; i < 200; i += 1) {
    const started = performance.now();
    writeSync(file, Buffer.alloc(4096));
    fsyncSync(file);
    samples.push(performance.now() - started);
  }
  closeSync(file);
  rmSync(path);
  return samples.sort((a, b) => a - b)[100] ?? 0;
}
