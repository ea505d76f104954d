// Pushes about a block come in their order, once the database has it, and no later than they may.
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { PushGate } from "#node/gateway/public/explorer/push-gate.ts";
import { HELD_PUSHES, PUSH_HOLD_MS, PUSH_LOOK_MS } from "#node/gateway/public/gateway-limits.ts";

interface World {
  readonly gate: PushGate;
  readonly pushed: string[];
  readonly shown: number[];
  height: number | undefined;
  /** The database does not answer. */
  isSilent: boolean;
  /** Lets time pass, and looks that are due happen. */
  pass(durationMs: number): Promise<void>;
}

function createWorld(): World {
  let nowMs = 0;
  let waiting: { readonly atMs: number; readonly run: () => void }[] = [];
  const shown: number[] = [];
  const world: World = {
    pushed: [],
    shown,
    height: 1,
    isSilent: false,
    gate: new PushGate({
      explorer: {
        currentHeight: () => (world.isSilent ? new Promise<undefined>(() => undefined) : Promise.resolve(world.height)),
        noteShown: (height) => void shown.push(height),
      },
      clock: { monotonicMs: () => nowMs },
      timers: {
        setTimer: (delayMs, run) => {
          const timer = { atMs: nowMs + delayMs, run };
          waiting.push(timer);
          return (): void => {
            waiting = waiting.filter((each) => each !== timer);
          };
        },
      },
    }),
    async pass(durationMs): Promise<void> {
      await setImmediate();
      nowMs += durationMs;
      const due = waiting.filter(({ atMs }) => atMs <= nowMs);
      waiting = waiting.filter(({ atMs }) => atMs > nowMs);
      for (const { run } of due) run();
      await setImmediate();
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
  world.isSilent = true;
  push(world, 4, "unknown");
  await world.pass(PUSH_HOLD_MS - 1);
  expect(world.pushed).toEqual(["away", "late"]);
  await world.pass(1);
  expect(world.pushed).toEqual(["away", "late", "unknown"]);
  for (let n = 0; n < HELD_PUSHES; n += 1) push(world, 5, "many");
  expect(world.pushed).toHaveLength(3);
  push(world, 5, "one more");
  expect(world.pushed).toHaveLength(HELD_PUSHES + 4);
  world.gate.close();
});
