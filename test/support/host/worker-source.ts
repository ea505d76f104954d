// Worker threads of a few lines, without a file to remove.

/** Address of a module that a worker can run; it may import what the runtime has. */
export function workerOf(source: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort, workerData } from "node:worker_threads";\n${source}`)}`);
}
