// Reads of the explorer while the database is away, or asked too much.
import { expect, it } from "vitest";
import { DatabaseExplorer } from "#node/gateway/public/explorer/database-explorer.ts";
import { ElsewhereError } from "#node/gateway/public/explorer/elsewhere-error.ts";
import { GuardedReads } from "#node/gateway/public/explorer/guarded-reads.ts";
import { EXPLORER_PAUSE_MS, EXPLORER_READS } from "#node/gateway/public/gateway-limits.ts";
import { ExplorerReads } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-reads.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

interface World {
  readonly explorer: DatabaseExplorer;
  readonly errors: unknown[];
  asked: number;
  nowMs: number;
}

/** An explorer over a database of which each statement ends as it is said here. */
function createWorld(outcome: () => Promise<never>): World {
  const errors: unknown[] = [];
  const run = (): Promise<never> => {
    world.asked += 1;
    return outcome();
  };
  const reads = new ExplorerReads({ run });
  const world: World = {
    errors,
    asked: 0,
    nowMs: 0,
    explorer: new DatabaseExplorer({
      reads,
      states: async () => [await reads.state()],
      guard: new GuardedReads({ clock: { monotonicMs: () => world.nowMs }, onError: (error): void => void errors.push(error) }),
    }),
  };
  return world;
}

it("are left to the node while the database is away, which is looked for now and again", async () => {
  const world = createWorld(() => Promise.reject(new CodedError("UNAVAILABLE", "away")));
  const { explorer, errors } = world;
  for (let n = 0; n < 3; n += 1) await expect(explorer.getBlock(1)).rejects.toThrow(ElsewhereError);
  expect([world.asked, errors.length]).toEqual([1, 1]);
  world.nowMs += EXPLORER_PAUSE_MS;
  await expect(explorer.netStats()).rejects.toThrow(ElsewhereError);
  expect(world.asked).toBe(2);
  expect(await explorer.currentHeight()).toBeUndefined();
});

it("are refused where too many wait, and a failure of another kind is none of the node", async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  const { explorer } = createWorld(() => promise);
  const waiting = Array.from({ length: EXPLORER_READS }, () => explorer.getBlock(1));
  await expect(explorer.getBlock(1)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  reject(new TypeError("A fault of the program"));
  const reasons = (await Promise.allSettled(waiting)).map((outcome) => (outcome.status === "rejected" ? outcome.reason : undefined));
  expect(reasons.every((reason) => reason instanceof TypeError)).toBe(true);
});
