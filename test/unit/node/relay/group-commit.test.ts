import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { GroupCommit } from "#node/relay/group-commit.ts";

/** How long a commit takes, ms. */
let tookMs = 0;
let batches: (readonly number[])[] = [];
let commits: GroupCommit<number, number>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate", "performance"] });
  [tookMs, batches] = [0, []];
  commits = new GroupCommit((items) => {
    batches.push(items);
    vi.setSystemTime(Date.now());
    vi.advanceTimersByTime(tookMs);
    return items.map((value) => ({ value }));
  }, 4);
});

afterEach(() => void vi.useRealTimers());

/** A commit that took so long, with nothing waiting after it. */
async function commitOf(ms: number): Promise<void> {
  tookMs = ms;
  const done = commits.add(0);
  vi.advanceTimersByTime(0);
  await done;
  [tookMs, batches] = [0, []];
}

it("commits what comes in one turn together, at once", async () => {
  const done = Promise.all([commits.add(1), commits.add(2, false)]);
  vi.advanceTimersByTime(0);
  expect(await done).toEqual([1, 2]);
  expect(batches).toEqual([[1, 2]]);
});

it("lets what is in no hurry wait as long for more as the last commit took, and no longer than 10 ms", async () => {
  for (const [ms, waitMs] of [
    [6, 6],
    [500, 10],
  ] as const) {
    await commitOf(ms);
    const first = commits.add(1, false);
    vi.advanceTimersByTime(waitMs - 1);
    const second = commits.add(2, false);
    expect(batches).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await Promise.all([first, second])).toEqual([1, 2]);
    expect(batches).toEqual([[1, 2]]);
  }
});

it("takes what waits along with what is in a hurry, or at the end", async () => {
  await commitOf(6);
  const patient = commits.add(1, false);
  const hurried = commits.add(2);
  vi.advanceTimersByTime(0);
  expect(await Promise.all([patient, hurried])).toEqual([1, 2]);
  const last = commits.add(3, false);
  commits.flush();
  expect(await last).toBe(3);
  expect(batches).toEqual([[1, 2], [3]]);
});
