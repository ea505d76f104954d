// At the start of a node: blocks of files that its chain does not know are taken up, before it votes and meets others.
import { systemClock } from "#node/config/system-clock.ts";
import type { BlockExecutor } from "#node/engine/execution/block-executor.ts";
import { takeUpBlocks } from "#node/engine/recovery/take-up-blocks.ts";
import type { Log } from "#node/observability/log.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import type { HistorySealer } from "#node/storage/chain/sealing/history-sealer.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Chain } from "../chain.ts";

interface TakenUpOptions {
  readonly database: Pick<ChainDatabase, "history" | "takenBack">;
  readonly executor: BlockExecutor;
  readonly sealer: Pick<HistorySealer, "room">;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
}

/** Time between two lines of the log about it, ms. */
const LOG_PAUSE_MS = 5_000;

/**
 * Says what it takes up, every few seconds how far it is, and which files it could not.
 * @throws CodedError of the storage, and UNAVAILABLE where `signal` ended it: what is here by then is durable
 */
export async function takeUpUnknownFiles({ database, executor, sealer, log, signal }: TakenUpOptions): Promise<void> {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  const count = await takeUpBlocks({
    ...{ history: database.history, takenBack: database.takenBack, executor, signal },
    room: () => sealer.room(),
    onProgress: (height) => {
      const nowMs = systemClock.monotonicMs();
      if (nowMs < saidAtMs + LOG_PAUSE_MS) return;
      saidAtMs = nowMs;
      log.info({ height }, "Taking up blocks of files that the chain does not know");
    },
    onProblem: (file, reason) => log.warn({ file, reason }, "A file of old blocks that the chain does not know is not taken up, and stays"),
  });
  if (count > 0) log.info({ blocks: count, height: executor.tip().height }, "Blocks of files that the chain did not know were taken up");
  if (signal?.aborted === true) throw new CodedError("UNAVAILABLE", "The node stops");
}

/** Starts the engine, for what follows the blocks that are here; `opened` ends it. */
export function startEngine({ engine }: Pick<Chain, "engine">, opened: AsyncDisposableStack): void {
  engine.start();
  opened.defer(() => engine.stop());
}
