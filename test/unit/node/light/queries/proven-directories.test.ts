// A light node reads the directory of each hour once, when a verified block may have written it, and again after a read that failed; keepers
// that it has read it does not read again.
import { expect, it } from "vitest";
import type { ChainReads } from "#node/explorer/chain-reads.ts";
import { beginEpoch } from "#node/ledger/records/directory-epochs.ts";
import { DIRECTORY_FAILED_MS, DIRECTORY_RETRY_MS, followProvenDirectories } from "#node/light/queries/proven-directories.ts";
import type { ProvenReads } from "#node/light/reads/proven-reads.ts";
import { createLog } from "#node/observability/log.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import { encodeDirectory, KEEPERS_PER_PART, type ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";
import { networkOfAddress } from "#shared/protocol/keepers/relay-network.ts";
import { KEEPERS_VERSION } from "#shared/protocol/primitives/limits.ts";
import { toHex } from "#shared/util/bytes.ts";
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

const keeperOf = (n: number): Keeper => {
  const [key, multiaddr] = [n.toString(16).padStart(64, "0"), `/ip4/81.2.${n}.142/tcp/4001`];
  return { key, x25519: key, multiaddr, network: networkOfAddress(multiaddr) ?? "", wallet: key, weight: 1, salt: key };
};

it("reads the keepers of an hour once, and none where the hour has those of before", async () => {
  const time = new VirtualTime();
  let records = new Map<string, Uint8Array>();
  let parts = 0;
  const state = {
    get: (_name: string, key: Uint8Array): Uint8Array | undefined => {
      if (key.length > 1) parts += 1;
      return records.get(toHex(key));
    },
  };
  let tip: (block: TrustedBlock) => void = () => undefined;
  const source = {
    tip: () => blockOf(0, KEEPERS_VERSION - 1),
    onTip: (listener: typeof tip) => {
      tip = listener;
      return (): void => undefined;
    },
  };
  const taken: (readonly [ReadDirectory, ReadDirectory | undefined])[] = [];
  followProvenDirectories({
    reads: { source: source as ProvenReads["source"], read: async (query) => await query({ state } as unknown as ChainReads) },
    clock: time.clock(0),
    log: createLog("json", { write: () => undefined }),
    take: (...directories) => taken.push(directories),
  });
  /** The state of an hour: its directory in one turn, that of the hour before in the other. */
  const hourOf = (hour: number, numbers: readonly number[]): ReadDirectory => {
    const beganS = (START_MS + hour * HOUR_MS) / 1_000;
    const seeds = { lastDay: Math.floor(beganS / 86_400), seeds: [hour.toString(16).padStart(64, "0")] };
    return { epoch: EPOCH + hour, beganS, keepers: numbers.map(keeperOf), mode: { is: "keepers", tooFew: hour }, seeds };
  };
  const see = async (hour: number, directory: ReadDirectory): Promise<number> => {
    const { head, parts: bytes } = encodeDirectory(directory);
    const others = [...records].filter(([key]) => !key.startsWith(`0${hour % 2}`));
    const own = [head, ...bytes].map(
      (record, n) => [n === 0 ? `0${hour % 2}` : `0${hour % 2}${(n - 1).toString(16).padStart(4, "0")}`, record] as const,
    );
    records = new Map([...others, ...own]);
    parts = 0;
    tip(blockOf(hour));
    await new Promise(setImmediate);
    return parts;
  };
  const few = [1, 2, 3];
  const many = Array.from({ length: KEEPERS_PER_PART + 6 }, (_, n) => n + 1);
  const hours = [few, many, many, few, [1, 2, 4]].map((numbers, hour) => hourOf(hour, numbers));
  const read: number[] = [];
  for (const [hour, directory] of hours.entries()) read.push(await see(hour, directory));
  expect(read).toEqual([1, 2, 0, 1, 1]);
  expect(taken).toEqual(hours.map((directory, hour) => [directory, hours[hour - 1]]));
});
