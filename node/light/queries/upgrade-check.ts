// Reads once a day, with a proof, which change of the network is approved and waits: each waits for a day at least.
import { type PendingUpgrade, readPendingUpgrade } from "#node/ledger/records/params-records.ts";
import type { Log } from "#node/observability/log.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { ProvenReads } from "../reads/proven-reads.ts";

/** Pace of the reads, and of another try after one that failed, ms. Two fit between approval and change. */
export const UPGRADE_CHECK_MS = 43_200_000;
export const UPGRADE_RETRY_MS = 600_000;

export interface UpgradeCheckDependencies {
  readonly reads: Pick<ProvenReads, "read" | "source">;
  readonly clock: Clock;
  readonly log: Pick<Log, "debug">;
  /** Takes over what is proven. */
  readonly look: (pending: PendingUpgrade | undefined) => void;
}

/** Begins to look whenever a new block is verified and the last look is long ago; returns the way to stop. */
export function checkUpgrades({ reads, clock, log, look }: UpgradeCheckDependencies): () => void {
  let nextMs = clock.monotonicMs();
  return reads.source.onTip(() => {
    const nowMs = clock.monotonicMs();
    if (nowMs < nextMs) return;
    nextMs = nowMs + UPGRADE_CHECK_MS;
    reads
      .read(({ state }) => readPendingUpgrade(state))
      .then(look, (error: unknown) => {
        nextMs = nowMs + UPGRADE_RETRY_MS;
        log.debug({ err: error }, "Whether a change of the network waits could not be read");
      });
  });
}
