// One node in this process, from its start to an orderly end: signals, the parent's wishes, failures not caught anywhere else.

import { EXIT_CODES, exitCodeOf } from "#node/cli/session/exit-codes.ts";
import type { NodeConfig } from "#node/config/node-config.ts";
import { keepHeapSmall } from "#node/config/small-heap.ts";
import { systemClock } from "#node/config/system-clock.ts";
import { createLog, type Log, standardErrorSink } from "#node/observability/log.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { type NamedAccounts, namedAccounts } from "./history/own-accounts.ts";
import { createNode } from "./node.ts";
import { openParentChannel } from "./parent-channel.ts";

const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const SIGNAL_EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
/** Ctrl C reaches a launcher and the node, and the launcher passes it on: within this time it is the same wish. */
const SAME_SIGNAL_MS = 500;

/** What the surroundings say. */
export interface RunNodeOptions {
  /** True when the node is to end with the process that started it. */
  readonly stopsWithParent: boolean;
}

/** Runs a node until it is asked to stop or fails, and gives the exit code. @throws CodedError when it cannot start. */
export async function runNode(config: NodeConfig, { stopsWithParent }: RunNodeOptions): Promise<number> {
  const log = createLog(config.log, standardErrorSink());
  const ending = openEnding();
  const release = listenForEnd(log, ending.resolve);
  const channel = openParentChannel(stopsWithParent);
  channel?.onStop(() => ending.resolve(EXIT_CODES.ok));
  const accounts = namedAccounts();
  channel?.onMessage(accounts.receive);
  const named = config.awaitsOwn ? accounts : undefined;
  for (const warning of config.warnings) log.warn({}, warning);
  try {
    for (;;) {
      const outcome = await runOnce(config, { log, ending, channel, named });
      if (outcome !== "again") return outcome;
    }
  } finally {
    channel?.close();
    release();
  }
}

/** The end of the process, as it was asked for first. */
interface Ending extends Pick<PromiseWithResolvers<number>, "promise"> {
  resolve(exitCode: number): void;
  /** Aborts a start that takes long. */
  readonly signal: AbortSignal;
}

function openEnding(): Ending {
  const ending = Promise.withResolvers<number>();
  const controller = new AbortController();
  const resolve = (exitCode: number): void => {
    ending.resolve(exitCode);
    controller.abort();
  };
  return { promise: ending.promise, resolve, signal: controller.signal };
}

interface RunDependencies {
  readonly log: Log;
  readonly ending: Ending;
  readonly channel: ReturnType<typeof openParentChannel>;
  readonly named: NamedAccounts | undefined;
}

/** Runs a node until its end, or until its validator has another key: then the same configuration votes with that one. */
async function runOnce(config: NodeConfig, { log, ending, channel, named }: RunDependencies): Promise<number | "again"> {
  const again = Promise.withResolvers<"again">();
  const node = createNode(config, {
    log,
    named,
    signal: ending.signal,
    onUpdating: (done, total) => channel?.updating({ type: "updating", done, total }),
    onFatal: (error) => {
      logFailure(log, error);
      ending.resolve(exitCodeOf(error));
    },
    // What a parent was told of address and secret holds for one start: it starts the process again.
    onKeyReplaced: () => (channel === undefined ? again.resolve("again") : ending.resolve(EXIT_CODES.failure)),
  });
  try {
    const { chainId, mode, port, url, secret } = await node.start();
    log.info({ chain_id: chainId, mode, data_dir: config.dataDir }, `Ready at ${url}`);
    channel?.ready({ type: "ready", port, url, chain_id: chainId, secret });
    using _smallHeap = mode === "light" ? keepHeapSmall() : undefined;
    const outcome = await Promise.race([ending.promise, again.promise]);
    log.info({}, "Stopping");
    await node.stop();
    log.info({}, "Stopped");
    return outcome;
  } catch (error) {
    if (!ending.signal.aborted) throw error;
    log.info({}, "Stopped before it served");
    return await ending.promise;
  } finally {
    await node.stop();
  }
}

/** What was to be expected is reported in its own sentence; only a defect shows where it happened. */
function logFailure(log: Log, error: unknown): void {
  const isExpected = isCodedError(error) && error.code !== "INVARIANT" && error.code !== "INTERNAL";
  if (isExpected) log.error({ code: error.code }, `The node stops: ${error.message}`);
  else log.error({ err: error }, "The node stops: it cannot continue");
}

/** Resolves on the first signal; a later one ends the process at once. */
function listenForEnd(log: Log, end: (exitCode: number) => void): () => void {
  let endingSinceMs: number | undefined;
  const onSignal = (signal: (typeof STOP_SIGNALS)[number]): void => {
    const nowMs = systemClock.monotonicMs();
    endingSinceMs ??= nowMs;
    end(EXIT_CODES.ok);
    // biome-ignore lint/nursery/noProcessExit: the person insists, and the data folder survives a kill at any moment
    if (nowMs - endingSinceMs > SAME_SIGNAL_MS) process.exit(SIGNAL_EXIT_CODES[signal]);
  };
  const onUncaught = (error: unknown): void => {
    log.error({ err: error }, "Unexpected failure: the node stops");
    // biome-ignore lint/nursery/noProcessExit: after an unexpected error no state in memory can be trusted
    process.exit(EXIT_CODES.failure);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  process.on("uncaughtException", onUncaught);
  process.on("unhandledRejection", onUncaught);
  return (): void => {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, onSignal);
    process.removeListener("uncaughtException", onUncaught);
    process.removeListener("unhandledRejection", onUncaught);
  };
}
