// Which runs an id is looked for in, over the tables of a real chain.
import { describe, expect, it } from "vitest";
import { IdRunBuilder, idKey } from "#node/storage/history/runs/id-run.ts";
import { type StoredRun, storedRunName } from "#node/storage/history/sealing/sealed-runs.ts";
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
});
