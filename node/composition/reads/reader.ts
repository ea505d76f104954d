// What answers reads beside the main thread: a thread of this process, or a process of its own.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { bareEnvironment } from "#node/config/environment.ts";
import type { ReadRequest, ReadResponse } from "./read-messages.ts";

/** Asks a process to end: nothing cannot be sent. */
export const END = "end";

/** A running one. */
export interface Reader {
  post(request: ReadRequest): void;
  onResponse(listener: (response: ReadResponse) => void): void;
  /** It has ended, by itself or because it was asked to. */
  onEnd(listener: (error: unknown) => void): void;
  /** Whether it keeps this process alive. */
  holdProcess(isHeld: boolean): void;
  /** Ends a process at once. A thread cannot be ended: it holds a connection. */
  kill?(signal?: NodeJS.Signals): void;
}

/** The thread holds one page of responses and a small cache of the database. */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };
/** The same for a process. Memories of contracts are beside it, bounded by how many instances are kept. */
const PROCESS_FLAGS = ["--max-old-space-size=256", "--max-semi-space-size=16"] as const;

/** A thread that runs a file, which gets the folder as its data. */
export function startReadWorker(file: URL, directory: string): Reader {
  const worker = new Worker(file, { name: "reads", workerData: directory, resourceLimits: THREAD_MEMORY });
  return {
    post: (request) => worker.postMessage(request),
    onResponse: (listener) => void worker.on("message", listener),
    onEnd(listener): void {
      let failure: unknown;
      worker.on("error", (error) => {
        failure = error;
      });
      worker.on("exit", (code) => listener(failure ?? new Error(`The thread for reads ended on its own, exit code ${code}`)));
    },
    holdProcess: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
  };
}

/** A process that runs a file, which gets `start` as its first message. */
export function startReadProcess(file: URL, start: object): Reader {
  const child = fork(fileURLToPath(file), [], {
    serialization: "advanced",
    execArgv: [...PROCESS_FLAGS],
    env: bareEnvironment(),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  // What cannot be sent went to a process that ends, or that could not be started: each says so itself.
  const send = (message: object | string): void => {
    if (child.connected) child.send(message, () => undefined);
  };
  send(start);
  return {
    post: (request) => send(request ?? END),
    onResponse: (listener) => void child.on("message", (message) => listener(message as ReadResponse)),
    onEnd(listener): void {
      // One that could not be started has no exit.
      child.on("error", (error) => (child.pid === undefined ? listener(error) : undefined));
      child.on("exit", (code, signal) =>
        listener(new Error(`The process for contracts ended on its own: ${signal ?? `exit code ${code}`}`)),
      );
    },
    holdProcess(isHeld): void {
      if (isHeld) child.ref();
      else child.unref();
      if (isHeld) child.channel?.ref();
      else child.channel?.unref();
    },
    kill: (signal = "SIGKILL") => void child.kill(signal),
  };
}
