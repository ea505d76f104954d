// Pushes about a block come in their order, once the database has it, and no later than they may.
import { expect, it } from "vitest";
import { PushGate } from "#node/gateway/public/explorer/push-gate.ts";
import { HELD_PUSHES, PUSH_HOLD_MS, PUSH_LOOK_MS } from "#node/gateway/public/gateway-limits.ts";

interface World {
  readonly gate: PushGate;
  readonly pushed: string[];
  readonly shown: number[];
  height: number | undefined;
  /** Lets time pass, and looks that are due happen. */
  pass(durationMs: number): Promise<void>;
}

function createWorld(): World {
  let nowMs = 0;
  let due: (() => void) | undefined;
  const shown: number[] = [];
  const world: World = {
    pushed: [],
    shown,
    height: 1,
    gate: new PushGate({
      explorer: { currentHeight: () => Promise.resolve(world.height), noteShown: (height) => void shown.push(height) },
      clock: { monotonicMs: () => nowMs },
      timers: {
        setTimer: (_delayMs, run) => {
          due = run;
          return (): void => {
            due = undefined;
          };
        },
      },
    }),
    async pass(durationMs): Promise<void> {
      nowMs += durationMs;
      const run = due;
      due = undefined;
      run?.();
      await Promise.resolve();
      await Promise.resolve();
    },
  };
  return world;
}

const push = ({ gate, pushed }: World, height: number, name: string): void => gate.pass(height, () => void pushed.push(name));

it("holds pushes until their block is in the database, in order, and those of later blocks behind them", async () => {
  const world = createWorld();
  push(world, 2, "block 2");
  push(world, 2, "tx of 2");
  push(world, 3, "block 3");
  await world.pass(0);
  expect(world.pushed).toEqual([]);
  world.height = 2;
  await world.pass(PUSH_LOOK_MS);
  expect(world.pushed).toEqual(["block 2", "tx of 2"]);
  push(world, 2, "late tx of 2");
  world.height = 3;
  await world.pass(PUSH_LOOK_MS);
  expect(world.pushed).toEqual(["block 2", "tx of 2", "block 3", "late tx of 2"]);
  push(world, 3, "tx of 3");
  expect(world.pushed.at(-1)).toBe("tx of 3");
  expect(world.shown.at(-1)).toBe(2);
});

it("holds none while the database is behind or away, none for too long, and not too many", async () => {
  const world = createWorld();
  world.height = undefined;
  push(world, 2, "away");
  await world.pass(0);
  expect(world.pushed).toEqual(["away"]);
  expect(world.shown).toEqual([2]);
  world.height = 2;
  push(world, 3, "late");
  await world.pass(PUSH_HOLD_MS);
  expect(world.pushed).toEqual(["away"]);
  await world.pass(PUSH_LOOK_MS);
  expect(world.pushed).toEqual(["away", "late"]);
  for (let n = 0; n < HELD_PUSHES; n += 1) push(world, 4, "many");
  expect(world.pushed).toHaveLength(2);
  push(world, 4, "one more");
  expect(world.pushed).toHaveLength(HELD_PUSHES + 3);
  world.gate.close();
});
