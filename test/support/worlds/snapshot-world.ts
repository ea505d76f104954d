// States of any size in memory, and peers that serve them in chunks: honestly, or in any other way.
import type { StateChange } from "#node/ledger/state-view.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { type ChunkRecord, type LeafSource, readChunk } from "#node/state/state-chunk.ts";
import { leafChanges, stateRoot, updateStateTree } from "#node/state/state-tree.ts";
import type { SnapshotRequest, SnapshotResponse } from "#node/sync/snapshots/wire/snapshot-messages.ts";
import { statePath } from "#shared/protocol/chain/state-proof.ts";
import { compareBytes, utf8 } from "#shared/util/bytes.ts";

/** A state with its root. */
export interface TestState extends LeafSource {
  readonly root: Uint8Array;
  readonly records: readonly ChunkRecord[];
}

/** Records that differ in everything. */
export function testRecords(count: number, valueBytes = 4): readonly ChunkRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    namespace: index % 3 === 0 ? ("contact" as const) : ("account" as const),
    key: utf8(`key ${index}`),
    value: new Uint8Array(valueBytes).fill(index & 0xff),
  }));
}

/** The state of some records. */
export function testState(records: readonly ChunkRecord[]): TestState {
  const store = new MemoryStateStore();
  const changes: readonly StateChange[] = records;
  store.apply(changes, updateStateTree(store, leafChanges(changes)).pages);
  const leaves = records
    .map((record) => ({ ...record, path: statePath(record.namespace, record.key, nativeSha256) }))
    .sort((a, b) => compareBytes(a.path, b.path));
  return {
    root: stateRoot(store),
    records,
    getPage: (prefix) => store.getPage(prefix),
    leaves: ({ first, last }) => leaves.filter(({ path }) => compareBytes(path, first) >= 0 && compareBytes(path, last) <= 0),
  };
}

/** What an honest node answers to a request for a chunk. */
export function honestResponse(state: LeafSource, request: SnapshotRequest): SnapshotResponse {
  if (request.kind !== "chunk") return { kind: "unknown" };
  const chunk = readChunk(state, request.place);
  return "levels" in chunk ? { kind: "split", levels: chunk.levels } : { kind: "chunk", ...chunk };
}
