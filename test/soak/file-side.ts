// One device of `npm run soak -- --files`, over its restarts, and what processes take of memory.
import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../support/nodes/run-program.ts";
import { endChild } from "./end-child.ts";
import type { FileOrder, FileReport } from "./file-device.ts";

type Progress = Extract<FileReport, { readonly type: "progress" }>;
type Verified = Extract<FileReport, { readonly type: "verified" }>;

/** The password of both vaults. */
export const PASSWORD = "correct horse battery staple";
/** Key of the linking, hex. */
const SESSION = "05".repeat(32);

/** One device, over its restarts. */
export class Side {
  readonly dir: string;
  endpointFile: string;
  devicePub = "";
  progress: Progress | undefined;
  verified: Verified | undefined;
  filled = 0;
  #role: string;
  #child: ChildProcess | undefined;

  constructor(dir: string, endpointFile: string, role: string) {
    this.dir = dir;
    this.endpointFile = endpointFile;
    this.#role = role;
  }

  /** Of the process that runs now. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const args = [this.dir, this.endpointFile, PASSWORD, SESSION, this.#role];
    const child = fork(join(projectRoot, "test/soak/file-device.ts"), args, { stdio: "inherit" });
    this.#child = child;
    this.#role = "again";
    const ready = Promise.withResolvers<void>();
    child.on("message", (report: FileReport) => {
      if (report.type === "ready") {
        this.devicePub = report.devicePub;
        ready.resolve();
      } else if (report.type === "filled") this.filled = report.files;
      else if (report.type === "verified") this.verified = report;
      else this.progress = report;
    });
    child.on("exit", (code) => ready.reject(new Error(`A device ended with ${code}`)));
    await ready.promise;
  }

  order(order: FileOrder): void {
    this.#child?.send(order);
  }

  end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    return endChild(this.#child, signal);
  }
}

/** Resident memory of processes in the course of time, as Linux tells it; elsewhere nothing is known. */
export class MemoryWatch {
  readonly #most = new Map<string, number[]>();

  /** Looks at a process. `part`: which part of the whole run it is, from 0. */
  look(name: string, pid: number | undefined, part: number): void {
    const megabytes = residentMegabytes(pid);
    const parts = this.#most.get(name) ?? [];
    parts[part] = Math.max(parts[part] ?? 0, megabytes);
    this.#most.set(name, parts);
  }

  /** The most of all processes, MB. */
  get most(): number {
    return Math.max(0, ...[...this.#most.values()].flat());
  }

  /** The most of each process in each part, MB. */
  get lines(): readonly string[] {
    return [...this.#most].map(([name, parts]) => `${name}: ${Array.from(parts, (most) => most ?? 0).join(" · ")}`);
  }
}

function residentMegabytes(pid: number | undefined): number {
  try {
    return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024);
  } catch {
    return 0;
  }
}
