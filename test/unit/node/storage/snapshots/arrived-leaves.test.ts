// Records of a state that is fetched: all come to their place, a bounded number at once, whatever their keys begin with.
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ChunkLeaf } from "#node/state/state-chunk.ts";
import { ArrivedLeaves } from "#node/storage/snapshots/arrived-leaves.ts";

function emptyState(): Database.Database {
  const database = new Database(":memory:");
  onTestFinished(() => void database.close());
  database.exec("CREATE TABLE state (namespace TEXT, key BLOB, value BLOB, PRIMARY KEY (namespace, key)) STRICT, WITHOUT ROWID");
  return database;
}

/** A record of a contract, whose keys all begin alike. */
function leaf(n: number): ChunkLeaf {
  const key = Uint8Array.of(0x41, n);
  return { namespace: "contract_state", key, value: Uint8Array.of(n), path: key, valueHash: key };
}

const keysIn = (database: Database.Database): readonly number[] =>
  database
    .prepare<[], Uint8Array>("SELECT key FROM state ORDER BY key")
    .pluck()
    .all()
    .map((key) => key[1] ?? 0);

describe("records that arrived", () => {
  it("come to their place so many at once, also where all of them are one contract's", () => {
    const database = emptyState();
    const arrived = new ArrivedLeaves(database, 4);
    arrived.add([9, 2, 7, 5, 1, 8, 3, 6, 4, 0].map(leaf));
    const counts: number[] = [];
    while (arrived.moveOne()) counts.push(keysIn(database).length);
    expect(counts).toEqual([4, 8, 10]);
    expect(keysIn(database)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("go on behind those that wait, also when a part of these is in its place already", () => {
    const database = emptyState();
    const before = new ArrivedLeaves(database, 2);
    before.add([1, 2, 3].map(leaf));
    before.moveOne();
    const after = new ArrivedLeaves(database, 2);
    after.add([4, 5].map(leaf));
    while (after.moveOne());
    expect(keysIn(database)).toEqual([1, 2, 3, 4, 5]);
    after.drop();
    expect(database.prepare("SELECT name FROM sqlite_master").pluck().all()).toEqual(["state"]);
  });
});
