// The thread that fills old blocks, as the main thread calls it: one call after the other. It starts with the first call, and ends when it is
// asked to, or by itself when something inside is wrong; then the next call starts another one.
import { Worker } from "node:worker_threads";
import { CodedError } from "#shared/errors/coded-error.ts";
import { errorOfThread, type ThreadFailure } from "#shared/errors/thread-failure.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import type { BackfillWork } from "./backfill-work.ts";

/** What the thread is started with. */
export interface BackfillSetting {
  /** The data folder. */
  readonly directory: string;
  /** Parameters of the network's first block. */
  readonly first: NetworkParams;
}

/** What the thread can be asked for. */
export type BackfillMethod = Exclude<keyof BackfillWork, symbol>;

type Arguments<M extends BackfillMethod> = Parameters<BackfillWork[M]>;
type Result<M extends BackfillMethod> = ReturnType<BackfillWork[M]>;

/** A call; undefined ends the thread. */
export type BackfillCall = { readonly method: BackfillMethod; readonly input: readonly unknown[] } | undefined;

/** What it says to a call. */
export type BackfillAnswer = { readonly value: unknown } | ThreadFailure;

/** The work of another thread. */
export interface BackfillThread {
  /** @throws what the call throws there; CodedError UNAVAILABLE where the thread ended */
  call<M extends BackfillMethod>(method: M, ...input: Arguments<M>): Promise<Result<M>>;
  /** Ends it for good behind the calls that are under way; what was not published is given up. */
  stop(): Promise<void>;
}

/** A thread that starts with the first call. */
export function createBackfillThread(setting: BackfillSetting, workerFile: URL = ownWorkerFile()): BackfillThread {
  let worker: Worker | undefined;
  let waiting: PromiseWithResolvers<unknown> | undefined;
  let ended: Promise<void> = Promise.resolve();
  let calls: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  const start = (): Worker => {
    const started = new Worker(workerFile, { name: "backfill", workerData: setting });
    const exited = Promise.withResolvers<void>();
    ended = exited.promise;
    const fail = (cause: unknown): void => {
      waiting?.reject(new CodedError("UNAVAILABLE", "The thread that stores old blocks ended", { cause }));
      waiting = undefined;
    };
    started.on("message", (answer: BackfillAnswer) => {
      const call = waiting;
      waiting = undefined;
      if ("value" in answer) call?.resolve(answer.value);
      else call?.reject(errorOfThread(answer));
    });
    started.on("error", fail);
    started.on("exit", (code) => {
      if (worker === started) worker = undefined;
      fail(new Error(`exit code ${code}`));
      exited.resolve();
    });
    // What it writes is worth nothing before it is named: a process that has nothing else to do ends.
    started.unref();
    return started;
  };

  const run = (call: BackfillCall): Promise<unknown> => {
    if (isStopped) return Promise.reject(new CodedError("UNAVAILABLE", "The thread that stores old blocks was stopped"));
    waiting = Promise.withResolvers();
    worker ??= start();
    worker.postMessage(call);
    return waiting.promise;
  };

  return {
    call: async <M extends BackfillMethod>(method: M, ...input: Arguments<M>): Promise<Result<M>> => {
      const result = calls.then(() => run({ method, input }));
      calls = result.catch(() => undefined);
      return (await result) as Result<M>;
    },
    stop: async (): Promise<void> => {
      await calls;
      isStopped = true;
      worker?.ref();
      worker?.postMessage(undefined satisfies BackfillCall);
      await ended;
    },
  };
}

/** The worker beside this module: its source, or what a bundle made of it. */
function ownWorkerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./backfill-worker.ts" : "./backfill-worker.mjs", import.meta.url);
}
