// A data folder of an older version is brought up to date before its node serves.
import { join } from "node:path";
import { systemClock } from "#node/config/system-clock.ts";
import type { Log } from "#node/observability/log.ts";
import { CHAIN_FILE, type ChainDatabase, openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { migrateChain } from "#node/storage/chain/migration/migration-thread.ts";
import type { ChainIdentity } from "#node/storage/network-identity.ts";

/** Who watches it. */
export interface UpdateWatch {
  readonly log: Log;
  /** Ends it soon. */
  readonly signal?: AbortSignal | undefined;
  /** So many of the blocks are done. */
  readonly onUpdating?: ((done: number, total: number) => void) | undefined;
}

/** Time between two lines of the log about it, ms. */
const LOG_PAUSE_MS = 5_000;
/** Time between two reports to who waits, ms. */
const REPORT_PAUSE_MS = 250;

/**
 * Opens the chain; one of an older version is brought up to date before, and the log says every few seconds how far that is.
 * @throws CodedError as its opening, also when it was stopped
 */
export async function openUpToDate(
  dataDir: string,
  identity: ChainIdentity,
  { log, signal, onUpdating }: UpdateWatch,
): Promise<ChainDatabase> {
  const words = "Bringing the data folder of an older version up to date";
  const mayLog = pace(LOG_PAUSE_MS);
  const mayReport = pace(REPORT_PAUSE_MS);
  const onProgress = (done: number, total: number): void => {
    if (mayReport(done === total)) onUpdating?.(done, total);
    if (mayLog(done === total)) log.info({ blocks: done, total }, words);
  };
  await migrateChain(join(dataDir, CHAIN_FILE), { onProgress, signal });
  return openChainDatabase(dataDir, identity);
}

/** True at first, in the end, and at most once in a pause between. */
function pace(pauseMs: number): (isEnd: boolean) => boolean {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  return (isEnd) => {
    const nowMs = systemClock.monotonicMs();
    if (!isEnd && nowMs < saidAtMs + pauseMs) return false;
    saidAtMs = nowMs;
    return true;
  };
}
