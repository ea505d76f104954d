// Which runs an id is looked for in, over the tables of a real chain.
import { describe, expect, it } from "vitest";
import { CHAIN_DATABASE, SEQ_PER_BLOCK } from "#node/storage/chain-schema.ts";
import { AccountRunBuilder, accountName } from "#node/storage/history/runs/account-run.ts";
import { IdRunBuilder, idKey } from "#node/storage/history/runs/id-run.ts";
import { type IndexSource, mergeOldest, rebuildRun } from "#node/storage/history/sealing/index-segments.ts";
import { removeUnnamed } from "#node/storage/history/sealing/seal-segment.ts";
import { closeHistory, type SealedHistory, sealedHistory } from "#node/storage/history/sealing/sealed-history.ts";
import { type StoredRun, storedRunName } from "#node/storage/history/sealing/sealed-runs.ts";
import { openSqliteReader, type SqliteDatabase } from "#node/storage/sqlite-database.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

/** Further ids of each run, by the height of its one block. */
const FURTHER = [40, 0, 4];
const PLACES_OF_RUN = 100;

describe("sealed runs", () => {
  it("look for ids that stand in one block at most in the largest run first, and for others in the newest", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path);
    const { files, runs, genesisHash } = chain.database.history;
    for (const [height, further] of FURTHER.entries()) {
      const range = { first: height, last: height, genesisHash };
      const builder = new IdRunBuilder();
      const ids = ["tx1shared", "shared", ...Array.from({ length: further }, (_, at) => `other ${at}`)];
      for (const [position, id] of ids.entries()) builder.add(idKey(id), height * PLACES_OF_RUN + position);
      const name = storedRunName({ kind: "ids", level: 0, ...range, bytes: 0, sha256: "" });
      runs.nameRuns([{ kind: "ids", level: 0, ...range, ...builder.write(files, name, range) }], []);
    }
    const heightsOf = (places: Iterable<number>): readonly number[] => [...places].map((seq) => Math.floor(seq / PLACES_OF_RUN));
    expect(heightsOf(runs.idPlaces("tx1shared"))).toEqual([0, 2, 1]);
    expect(heightsOf(runs.idPlaces("shared"))).toEqual([2, 1, 0]);
    expect(heightsOf(runs.keyPlaces(idKey("tx1shared")))).toEqual([0, 1, 2]);
  });

  it("are listed anew where the number of a dropped one, made last and below all others, was given again", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path);
    const { files, runs, genesisHash } = chain.database.history;
    const runOf = (height: number): StoredRun => {
      const range = { first: height, last: height, genesisHash };
      const builder = new IdRunBuilder();
      builder.add(idKey(`at ${height}`), height * PLACES_OF_RUN);
      const name = storedRunName({ kind: "ids", level: 0, ...range, bytes: 0, sha256: "" });
      return { kind: "ids", level: 0, ...range, ...builder.write(files, name, range) };
    };
    const below = runOf(4);
    for (const run of [runOf(5), runOf(6), below]) runs.nameRuns([run], []);
    expect([...runs.idPlaces("at 4")]).toEqual([4 * PLACES_OF_RUN]);
    // As the thread that drops old blocks does: this connection looks for nothing in between.
    runs.nameRuns([], [below]);
    runs.nameRuns([runOf(7)], []);
    expect([...runs.idPlaces("at 7")]).toEqual([7 * PLACES_OF_RUN]);
    expect([...runs.idPlaces("at 4")]).toEqual([]);
  });

  it("give what merged ones held to who reads the tables of before, out of the file that they became", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path);
    const { history } = chain.database;
    for (const height of [2, 3, 4, 5]) addRuns(history, height);
    using before = openBefore(chain.database.file);
    // Below and above what that reader knows of.
    for (const height of [1, 6]) addRuns(history, height);
    mergeOldest(history.files, { list: history.runs, mergedRuns: 6 });
    removeUnnamed(history.files, history, history.runs);
    expect(history.files.list().toSorted()).toEqual(["1-6.acc", "1-6.ids"]);
    expectHeights(before.runs, [2, 3, 4, 5]);
    expect(before.runs.damaged()).toEqual([]);
    before.end();
    expectHeights(before.runs, [1, 2, 3, 4, 5, 6]);
  });

  it("that were made once more are read by who knows the file of before, and damage in them is theirs", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path);
    const { history } = chain.database;
    for (const height of [2, 3]) addRuns(history, height);
    using before = openBefore(chain.database.file);
    for (const kind of ["ids", "acc"] as const)
      for (const run of history.runs.runs(kind)) rebuildRun(history.files, history.runs, { run, source: SOURCE });
    expectHeights(before.runs, [2, 3]);
    expect(before.runs.damaged()).toEqual([]);
    before.end();
    history.files.unlink("3-3.ids");
    expect(() => [...before.runs.idPlaces("tx1shared")]).toThrow("3-3.ids");
    expect(before.runs.damaged()).toEqual(["3-3.ids"]);
  });
});

const OWNER = "07".repeat(32);

/** The index of blocks with one transaction each, of one account. */
const SOURCE: IndexSource = {
  *ids(first, last): Generator<{ readonly key: number; readonly seq: number }> {
    for (let height = first; height <= last; height += 1) yield { key: idKey("tx1shared"), seq: height * SEQ_PER_BLOCK };
  },
  *entries(first, last): Generator<{ readonly name: Uint8Array; readonly number: number; readonly seq: number }> {
    for (let height = first; height <= last; height += 1) yield { name: accountName(OWNER), number: height, seq: height * SEQ_PER_BLOCK };
  },
};

/** The runs of one block. */
function addRuns({ files, runs, genesisHash }: SealedHistory, height: number): void {
  const range = { first: height, last: height, genesisHash };
  const ids = new IdRunBuilder();
  for (const { key, seq } of SOURCE.ids(height, height)) ids.add(key, seq);
  const accounts = new AccountRunBuilder();
  for (const { name, number, seq } of SOURCE.entries(height, height)) accounts.add(name, number, seq);
  const written = { ids, acc: accounts };
  for (const kind of ["ids", "acc"] as const) {
    const name = storedRunName({ kind, level: 0, ...range, bytes: 0, sha256: "" });
    runs.nameRuns([{ kind, level: 0, ...range, ...written[kind].write(files, name, range) }], []);
  }
}

/** A reader of the tables as they are now, until its end. */
function openBefore(file: string): Disposable & { readonly runs: SealedHistory["runs"]; end(): void } {
  const database: SqliteDatabase = openSqliteReader(file, CHAIN_DATABASE);
  database.exec("BEGIN");
  const { runs } = sealedHistory(database);
  expect(runs.coveredTo()).toBeGreaterThan(0);
  const close = (): void => {
    closeHistory(database);
    database.close();
  };
  return { runs, end: () => void database.exec("COMMIT"), [Symbol.dispose]: close };
}

/** What is found is of these blocks. */
function expectHeights(runs: SealedHistory["runs"], heights: readonly number[]): void {
  const places = heights.map((height) => height * SEQ_PER_BLOCK);
  expect([...runs.idPlaces("tx1shared")].toSorted((a, b) => a - b)).toEqual(places);
  expect(runs.keyPlaces(idKey("tx1shared")).toSorted((a, b) => a - b)).toEqual(places);
  expect([...runs.entryPlaces(OWNER, 1, 99)]).toEqual(heights.map((height, at) => [height, places[at]]));
  expect(runs.oldestNumber(OWNER)).toBe(heights[0]);
}
