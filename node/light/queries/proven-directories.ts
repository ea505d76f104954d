// Reads, with a proof, which relays keep mail: the directory of each hour of the chain, and the one before. Heads are read of both each time,
// keepers only where the head names others than those that were read last.
import { readDirectory, readDirectoryHeads } from "#node/ledger/records/directory-epochs.ts";
import type { Log } from "#node/observability/log.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { epochOf } from "#shared/protocol/keepers/directory.ts";
import type { DirectoryHead, ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";
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

/** What was read of a directory. */
interface Held {
  readonly head: DirectoryHead;
  readonly directory: ReadDirectory | undefined;
}

/** Begins to read whenever a verified block may be of an hour whose directory is not known; returns the way to stop. */
export function followProvenDirectories({ reads, clock, log, take }: ProvenDirectoriesDependencies): () => void {
  let known = -1;
  let held: readonly Held[] = [];
  let nextMs = clock.monotonicMs();
  let isStopped = false;
  const look = ({ header }: TrustedBlock): void => {
    const nowMs = clock.monotonicMs();
    if (header.version < KEEPERS_VERSION || nowMs < nextMs || epochOf(Math.floor(header.timeMs / 1_000)) <= known) return;
    nextMs = nowMs + DIRECTORY_RETRY_MS;
    reads
      .read(({ state }) =>
        readDirectoryHeads(state).map((head): Held => ({ head, directory: heldOf(held, head) ?? readDirectory(state, head.epoch) })),
      )
      .then((read) => {
        const [newest, before] = read.map(({ directory }) => directory);
        if (isStopped || newest === undefined || newest.epoch <= known) return;
        known = newest.epoch;
        held = read;
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

/** The directory of a proven head whose keepers are held already: the head names them by a hash. */
function heldOf(held: readonly Held[], { count: _, partsHash, ...head }: DirectoryHead): ReadDirectory | undefined {
  const keepers = held.find((known) => known.head.partsHash === partsHash)?.directory?.keepers;
  return keepers && { ...head, keepers };
}
