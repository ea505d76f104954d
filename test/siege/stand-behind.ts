// Keeps an attacker to one processor, on which it has the lowest priority: victims and honest programs, which may use all of them, find another
// one free of it, so that what the attacker itself spends takes next to nothing from them.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";

const LOWEST_PRIORITY = 19;

/** Puts an attacker behind all others. With one processor, or without `taskset` (a part of util-linux), it shares what there is. @throws Error */
export function standBehind(pid: number): void {
  setPriority(pid, LOWEST_PRIORITY);
  const allowed = allowedProcessors();
  const last = allowed.at(-1);
  if (last !== undefined && allowed.length > 1 && spawnSync("taskset", ["--version"]).status === 0) pinProcess(pid, last);
}

/** Moves a process with all its threads; what it starts later stays there too. */
function pinProcess(pid: number, processor: number): void {
  const { status, stderr } = spawnSync("taskset", ["--all-tasks", "--pid", "--cpu-list", String(processor), String(pid)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`Process ${pid} cannot be given processor ${processor}: ${stderr}`);
}

function allowedProcessors(): readonly number[] {
  try {
    const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "";
    return list.split(",").flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, n) => first + n);
    });
  } catch {
    return [];
  }
}
