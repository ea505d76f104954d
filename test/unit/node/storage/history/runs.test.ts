// Runs: what plain maps say of the same entries, before and after merging, and no damage passes as an entry.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ACCOUNT_RUN, AccountRun, AccountRunBuilder, accountName, mergeAccountRuns } from "#node/storage/history/runs/account-run.ts";
import { ID_RUN, IdRun, IdRunBuilder, idKey, mergeIdRuns } from "#node/storage/history/runs/id-run.ts";
import { type NamedRun, RunFile, type RunKind, type RunRange, runName, type WrittenRun } from "#node/storage/history/runs/run-format.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { createRandom, type Random } from "#test/support/host/random.ts";
import { SimulatedFolder } from "#test/support/host/simulated-folder.ts";
import { spreadBelow } from "#test/support/host/test-extent.ts";

const GENESIS_HASH = "07".repeat(32);
const SEQS_PER_RUN = 100_000;

function rangeOf(at: number, count = 1): RunRange {
  return { first: at * 10, last: (at + count) * 10 - 1, genesisHash: GENESIS_HASH };
}

function named(folder: SimulatedFolder, kind: RunKind, range: RunRange, write: (name: string) => WrittenRun): NamedRun {
  const name = runName(range, kind);
  const { bytes, sha256 } = write(name);
  expect(folder.stat(name)).toBe(bytes);
  return { ...range, bytes, sha256 };
}

/** Entries of accounts over so many runs: numbers go on from run to run. */
function histories(
  random: Random,
  runs: number,
  perRun: number,
  accounts: number,
): readonly (readonly { name: Uint8Array; number: number; seq: number }[])[] {
  const names = Array.from({ length: accounts }, (_, at) => accountName(at.toString(16).padStart(64, "0")));
  const counts = names.map(() => 0);
  return Array.from({ length: runs }, (_, run) => {
    const entries: { name: Uint8Array; number: number; seq: number }[] = [];
    for (let at = 0; at < perRun; at += 1) {
      // Half of all entries are those of the first account.
      const account = random.chance(0.5) ? 0 : random.between(0, accounts - 1);
      const number = (counts[account] ?? 0) + 1;
      counts[account] = number;
      entries.push({ name: names[account] as Uint8Array, number, seq: run * SEQS_PER_RUN + at });
    }
    return entries;
  });
}

describe("runs of ids", () => {
  it("find what a map finds, alone and merged", () => {
    const ids = fc.array(fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom("a", "b", "c") }), { maxLength: 400 });
    fc.assert(
      fc.property(fc.array(ids, { minLength: 1, maxLength: 8 }), (lists) => {
        const folder = new SimulatedFolder();
        const all = new Map<string, number[]>();
        const runs = lists.map((list, at) => {
          const builder = new IdRunBuilder();
          for (const [index, id] of list.entries()) {
            const seq = at * SEQS_PER_RUN + index;
            builder.add(idKey(id), seq);
            all.set(id, [...(all.get(id) ?? []), seq]);
          }
          const run = new IdRun(
            folder,
            named(folder, ID_RUN, rangeOf(at), (name) => builder.write(folder, name, rangeOf(at))),
          );
          run.file.verify();
          expect(run.file.entries).toBe(list.length);
          return run;
        });
        for (const [id, seqs] of all) expect(runs.flatMap((run) => run.places(idKey(id)))).toEqual(seqs);
        const range = rangeOf(0, lists.length + 1);
        const merged = new IdRun(
          folder,
          named(folder, ID_RUN, range, (name) => mergeIdRuns(folder, name, range, runs)),
        );
        merged.file.verify();
        for (const [id, seqs] of all) expect(merged.places(idKey(id))).toEqual(seqs);
        expect(merged.places(idKey("no such id"))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it("find every one of many ids, over many buckets", () => {
    const folder = new SimulatedFolder();
    const builder = new IdRunBuilder();
    for (let seq = 0; seq < 20_000; seq += 1) builder.add(idKey(`tx${seq}`), seq);
    const run = new IdRun(
      folder,
      named(folder, ID_RUN, rangeOf(0), (name) => builder.write(folder, name, rangeOf(0))),
    );
    expect(run.file.buckets).toBe(79);
    for (let seq = 0; seq < 20_000; seq += 7) expect(run.places(idKey(`tx${seq}`))).toEqual([seq]);
    for (let other = 20_000; other < 22_000; other += 1) expect(run.places(idKey(`tx${other}`))).toEqual([]);
  });

  it("find one id at more places than a bucket has", () => {
    const folder = new SimulatedFolder();
    const builder = new IdRunBuilder();
    for (let seq = 0; seq < 1_000; seq += 1) builder.add(idKey(seq % 3 === 0 ? "a" : `tx${seq}`), seq);
    const run = new IdRun(
      folder,
      named(folder, ID_RUN, rangeOf(0), (name) => builder.write(folder, name, rangeOf(0))),
    );
    expect(run.places(idKey("a"))).toEqual(Array.from({ length: 334 }, (_, at) => at * 3));
  });
});

describe("runs of histories", () => {
  it("find what a map finds, alone and merged eight into one", () => {
    for (const [seed, accounts] of [
      [1, 1],
      [2, 5],
      [3, 400],
    ] as const) {
      const folder = new SimulatedFolder();
      const lists = histories(createRandom(seed), 8, 900, accounts);
      const runs = lists.map((list, at) => {
        const builder = new AccountRunBuilder();
        for (const { name, number, seq } of list) builder.add(name, number, seq);
        return new AccountRun(
          folder,
          named(folder, ACCOUNT_RUN, rangeOf(at), (name) => builder.write(folder, name, rangeOf(at))),
        );
      });
      const range = rangeOf(0, 8);
      const merged = new AccountRun(
        folder,
        named(folder, ACCOUNT_RUN, range, (name) => mergeAccountRuns(folder, name, range, runs)),
      );
      merged.file.verify();
      expect(merged.file.entries).toBe(8 * 900);
      // A busy account costs little more than its places.
      if (accounts === 1) expect(folder.content(runName(range, ACCOUNT_RUN)).length).toBeLessThan(8 * 900 * 6.2);
      const all = new Map(Map.groupBy(lists.flat(), ({ name }) => Buffer.from(name).toString("hex")));
      for (const entries of all.values()) {
        const { name } = entries[0] as (typeof entries)[0];
        const last = entries.at(-1);
        expect(merged.newest(name)).toEqual({ number: last?.number, seq: last?.seq });
        const random = createRandom(seed);
        for (let left = 5; left > 0; left -= 1) {
          const first = random.between(0, entries.length + 1);
          const end = first + random.between(0, 600);
          const expected = entries.filter(({ number }) => number >= first && number <= end).map(({ number, seq }) => [number, seq]);
          expect([...merged.places(name, first, end)]).toEqual(expected);
          expect(runs.flatMap((run) => [...run.places(name, first, end)])).toEqual(expected);
        }
      }
      const stranger = accountName("ff".repeat(32));
      expect([merged.newest(stranger), merged.places(stranger, 1, 99).size]).toEqual([undefined, 0]);
    }
  });

  it("of nothing are empty", () => {
    const folder = new SimulatedFolder();
    const builder = new AccountRunBuilder();
    const run = new AccountRun(
      folder,
      named(folder, ACCOUNT_RUN, rangeOf(0), (name) => builder.write(folder, name, rangeOf(0))),
    );
    run.file.verify();
    expect([run.newest(accountName("00".repeat(32))), [...run.entries()]]).toEqual([undefined, []]);
  });
});

describe("a damaged run", () => {
  const folder = new SimulatedFolder();
  const builder = new IdRunBuilder();
  const ids = Array.from({ length: 300 }, (_, at) => `tx${at}`);
  for (const [seq, id] of ids.entries()) builder.add(idKey(id), seq);
  const run = named(folder, ID_RUN, rangeOf(0), (name) => builder.write(folder, name, rangeOf(0)));
  const name = runName(run, ID_RUN);
  const bytes = Uint8Array.from(folder.content(name));

  it("shows every single bit that is flipped, and finds nothing wrong", () => {
    // In part: one of each byte.
    for (const bit of spreadBelow(bytes.length * 8, bytes.length)) {
      const flipped = Uint8Array.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      folder.replace(name, flipped);
      const damage = failure(() => new RunFile(folder, ID_RUN, run).verify());
      expect(damage).toMatchObject({ code: "STORAGE_CORRUPT", details: { file: `history/${name}` } });
      if (bit % 37 !== 0 || failure(() => new IdRun(folder, run)) !== undefined) continue;
      const opened = new IdRun(folder, run);
      for (const seq of [0, 131, 299])
        expect(failure(() => expect(opened.places(idKey(`tx${seq}`))).toEqual([seq])) ?? damage).toMatchObject({ code: "STORAGE_CORRUPT" });
    }
  });

  it("is found cut off at every length", () => {
    for (let length = 0; length < bytes.length; length += 1) {
      folder.replace(name, bytes.slice(0, length));
      for (const claimed of [run, { ...run, bytes: length }])
        expect(failure(() => new RunFile(folder, ID_RUN, claimed))).toMatchObject({ code: "STORAGE_CORRUPT" });
    }
  });

  it("is refused in the place of another one", () => {
    folder.replace(name, bytes);
    expect(failure(() => new RunFile(folder, ID_RUN, { ...run, sha256: "00".repeat(32) }))).toMatchObject({ code: "STORAGE_CORRUPT" });
    expect(failure(() => new RunFile(folder, ID_RUN, { ...run, genesisHash: "00".repeat(32) }))).toMatchObject({ code: "STORAGE_CORRUPT" });
    folder.replace(runName(run, ACCOUNT_RUN), bytes);
    expect(failure(() => new RunFile(folder, ACCOUNT_RUN, run))).toMatchObject({ code: "STORAGE_CORRUPT" });
    folder.unlink(name);
    expect(failure(() => new RunFile(folder, ID_RUN, run))?.message).toContain("it is missing");
  });
});

/** What work throws of the storage; undefined when it does not. */
function failure(work: () => unknown): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return error;
  }
}
