// Which processes belong to a program, as /proc tells it.
import { readdirSync, readFileSync } from "node:fs";

/** A process and who started it. */
export interface ProcessParent {
  readonly pid: number;
  readonly parent: number;
}

/** All processes of this machine; those that end meanwhile are left out. */
export function listProcesses(): readonly ProcessParent[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
        return [{ pid: Number(name), parent: Number(fields[1]) }];
      } catch {
        return [];
      }
    });
}

/** Processes that descend from one, without it. */
export function descendants(processes: readonly ProcessParent[], root: number): readonly number[] {
  const children = processes.filter(({ parent }) => parent === root).map(({ pid }) => pid);
  return children.flatMap((pid) => [pid, ...descendants(processes, pid)]);
}
