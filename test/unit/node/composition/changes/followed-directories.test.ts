// What a running node says of keepers: each change of them once, and nothing from one epoch to the next without one.
import { expect, it } from "vitest";
import { followDirectories } from "#node/composition/changes/followed-directories.ts";
import type { BlockExecutor } from "#node/engine/execution/block-executor.ts";
import { beginEpoch } from "#node/ledger/records/directory-epochs.ts";
import { readKeeper, writeKeeper } from "#node/ledger/records/keeper-records.ts";
import { writeNodeCounters, writeRelay } from "#node/ledger/records/node-records.ts";
import { KEEPERS_VERSION } from "#shared/protocol/primitives/limits.ts";
import { alice, deviceKey, emptyState, START_MS } from "#test/support/worlds/ledger-world.ts";

const HOUR_MS = 3_600_000;
const BOND_UT = 50_000;

it("names changes of keepers, and is quiet after it has stopped", () => {
  const state = emptyState();
  const listeners = new Set<Parameters<BlockExecutor["onCommit"]>[0]>();
  const executor: Pick<BlockExecutor, "state" | "onCommit"> = {
    state,
    onCommit: (listener): (() => void) => {
      listeners.add(listener);
      return (): void => void listeners.delete(listener);
    },
  };
  const lines: unknown[] = [];
  const directories = followDirectories(executor, { info: (fields: unknown): void => void lines.push(fields) });
  const epochOf = (hour: number): number => START_MS / HOUR_MS + hour;
  const commit = (hour: number): void => {
    const timeMs = START_MS + hour * HOUR_MS;
    const params = { version: KEEPERS_VERSION, validator_bond_ut: 20 * BOND_UT };
    beginEpoch(state, { timeMs, parentTimeMs: timeMs - HOUR_MS, parentHash: "ab".repeat(32), params });
    const block = { header: { version: KEEPERS_VERSION, timeMs } };
    for (const listener of listeners) listener({ block } as Parameters<typeof listener>[0]);
  };
  commit(0);
  writeRelay(state, { publicKey: alice.pub, x25519Pub: deviceKey(1), feePerMessageUt: 0, multiaddr: "/ip4/81.2.69.1/tcp/1" });
  writeNodeCounters(state, alice.pub, { heartbeats: 1, lastHeartbeatAt: START_MS / 1_000, relayProofs: 0, slashCount: 0 });
  const standing = { is: "in", salt: "cd".repeat(32) } as const;
  writeKeeper(state, alice.pub, { ...readKeeper(state, alice.pub), bondUt: BOND_UT, standing });
  for (let hour = 1; hour <= 13; hour += 1) commit(hour);
  expect(lines).toEqual([
    { epoch: epochOf(1), keepers: 1, mode: "gossip" },
    { epoch: epochOf(12), keepers: 0, mode: "gossip" },
  ]);
  expect(directories.epochs()).toEqual([epochOf(13), epochOf(12)]);
  directories.stop();
  expect(listeners.size).toBe(0);
});
