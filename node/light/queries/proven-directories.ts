// Reads, with a proof, which relays keep mail: the directory of each hour of the chain, and the one before.
import { readDirectory, readDirectoryHeads } from "#node/ledger/records/directory-epochs.ts";
import type { Log } from "#node/observability/log.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { epochOf } from "#shared/protocol/keepers/directory.ts";
import type { ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";
import { KEEPERS_VERSION } from "#shared/protocol/primitives/limits.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { ProvenReads } from "../reads/proven-reads.ts";

/** Time to another read after one that gave no newer directory, ms. */
export const DIRECTORY_RETRY_MS = 30_000;
/** After one that failed, as the first does where no peer is connected yet, ms: meanwhile mail goes by gossip. */
export const DIRECTORY_FAILED_MS = 1_000;

export interface ProvenDirectoriesDependencies {
  readonly reads: Pick<ProvenReads, "read" | "source">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly log: Pick<Log, "debug">;
  /** Takes over what is proven. */
  readonly take: (newest: ReadDirectory, before: ReadDirectory | undefined) => void;
}

/** Begins to read whenever a verified block may be of an hour whose directory is not known; returns the way to stop. */
export function followProvenDirectories({ reads, clock, log, take }: ProvenDirectoriesDependencies): () => void {
  let known = -1;
  let nextMs = clock.monotonicMs();
  let isStopped = false;
  const look = ({ header }: TrustedBlock): void => {
    const nowMs = clock.monotonicMs();
    if (header.version < KEEPERS_VERSION || nowMs < nextMs || epochOf(Math.floor(header.timeMs / 1_000)) <= known) return;
    nextMs = nowMs + DIRECTORY_RETRY_MS;
    reads
      .read(({ state }) => readDirectoryHeads(state).map(({ epoch }) => readDirectory(state, epoch)))
      .then(([newest, before]) => {
        if (isStopped || newest === undefined || newest.epoch <= known) return;
        known = newest.epoch;
        nextMs = clock.monotonicMs();
        take(newest, before);
      })
      .catch((error: unknown) => {
        nextMs = Math.min(nextMs, clock.monotonicMs() + DIRECTORY_FAILED_MS);
        log.debug({ err: error }, "Which relays keep mail could not be read");
      });
  };
  const stop = reads.source.onTip(look);
  look(reads.source.tip());
  return (): void => {
    isStopped = true;
    stop();
  };
}
