// A light node reads the directory of each hour once, when a verified block may have written it, and again after a read that failed.
import { expect, it } from "vitest";
import type { ChainReads } from "#node/explorer/chain-reads.ts";
import { beginEpoch } from "#node/ledger/records/directory-epochs.ts";
import { DIRECTORY_FAILED_MS, DIRECTORY_RETRY_MS, followProvenDirectories } from "#node/light/queries/proven-directories.ts";
import type { ProvenReads } from "#node/light/reads/proven-reads.ts";
import { createLog } from "#node/observability/log.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { KEEPERS_VERSION } from "#shared/protocol/primitives/limits.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { emptyState, START_MS } from "#test/support/worlds/ledger-world.ts";

const HOUR_MS = 3_600_000;
const EPOCH = START_MS / HOUR_MS;
const blockOf = (hour: number, version = KEEPERS_VERSION): TrustedBlock =>
  ({ header: { version, timeMs: START_MS + hour * HOUR_MS } }) as TrustedBlock;

it("reads each directory once", async () => {
  const state = emptyState();
  const time = new VirtualTime();
  let tip: (block: TrustedBlock) => void = () => undefined;
  let [count, isAway, isStopped] = [0, false, false];
  const reads: Pick<ProvenReads, "read" | "source"> = {
    source: {
      tip: () => blockOf(0, KEEPERS_VERSION - 1),
      onTip: (listener: typeof tip) => {
        tip = listener;
        return (): void => {
          isStopped = true;
        };
      },
    } as ProvenReads["source"],
    read: async (query) => {
      count += 1;
      if (isAway) throw new CodedError("UPSTREAM_FAILED", "no peer");
      return await query({ state } as unknown as ChainReads);
    },
  };
  const taken: string[] = [];
  const stop = followProvenDirectories({
    reads,
    clock: time.clock(0),
    log: createLog("json", { write: () => undefined }),
    take: (newest, before) => {
      taken.push(`${newest.epoch - EPOCH} ${before === undefined ? "-" : before.epoch - EPOCH}`);
      // What fails there ends neither the reads nor, as an unhandled rejection, the process.
      throw new Error("The disk is full");
    },
  });
  const see = async (hour: number, isWritten = true): Promise<void> => {
    const timeMs = START_MS + hour * HOUR_MS;
    const params = { version: KEEPERS_VERSION, validator_bond_ut: 1 };
    if (isWritten) beginEpoch(state, { timeMs, parentTimeMs: timeMs - HOUR_MS, parentHash: "ab".repeat(32), params });
    tip(blockOf(hour));
    await new Promise(setImmediate);
  };
  await see(0);
  await see(0, false);
  await see(1);
  expect([taken, count]).toEqual([["0 -", "1 0"], 2]);
  // The state that was read is of the block before: once more, a while later.
  await see(2, false);
  await see(2);
  expect([taken.length, count]).toEqual([2, 3]);
  time.advance(DIRECTORY_RETRY_MS);
  await see(2, false);
  isAway = true;
  await see(3);
  isAway = false;
  // Soon after a read that failed: at a start no peer is connected yet.
  time.advance(DIRECTORY_FAILED_MS - 1);
  await see(3, false);
  expect([taken.length, count]).toEqual([3, 5]);
  time.advance(1);
  await see(3, false);
  expect([taken.slice(2), count]).toEqual([["2 1", "3 2"], 6]);
  stop();
  expect(isStopped).toBe(true);
});
