// When day keys are looked at, over a store that says which there are.
import { expect, it } from "vitest";
import type { OwnAndChain } from "#shared/messenger/model/progress/message-time.ts";
import { ExpiryScheduler } from "#shared/messenger/sending/expiry-scheduler.ts";
import type { EngineContext } from "#shared/messenger/state/engine-context.ts";
import type { NamedDayKey } from "#shared/messenger/store/day-keys/day-key-ring.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { ManualTime } from "#test/support/worlds/keyring-world.ts";

const HOUR_MS = 3_600_000;
const KEY: NamedDayKey = { id: "01", until: 0 };

/** A store without messages: a key is used when it is looked at first, and gone then. */
function world(): { readonly context: EngineContext; readonly time: ManualTime; readonly looked: string[]; makeKey(): void } {
  const time = new ManualTime();
  const looked: string[] = [];
  const ring: { all: readonly NamedDayKey[] } = { all: [] };
  const store = {
    ring,
    nextExpiry: async (): Promise<undefined> => undefined,
    readExpired: async (): Promise<readonly string[]> => [],
    checkDayKeys: async (): Promise<number | undefined> => {
      const isUsed = looked.at(-1) !== "used";
      looked.push(isUsed ? "used" : "gone");
      if (!isUsed) ring.all = [];
      return isUsed ? HOUR_MS : undefined;
    },
  };
  const context = {
    store,
    clock: time,
    timers: time,
    slower: { now: (): OwnAndChain => ({ ownMs: time.nowMs(), chainMs: time.nowMs() }), toNote: undefined },
    newestBlock: { refresh: async (): Promise<void> => undefined },
    writer: { run: <T>(work: () => Promise<T>): Promise<T> => work() },
    report: (problem: unknown): void => {
      throw new Error(JSON.stringify(problem));
    },
  };
  const makeKey = (): void => {
    ring.all = [KEY];
  };
  return { context: context as unknown as EngineContext, time, looked, makeKey };
}

it("keys are watched from the first write under one, also where all had gone before", async () => {
  const { context, time, looked, makeKey } = world();
  const scheduler = new ExpiryScheduler(context, () => undefined);
  const expected: string[] = [];
  for (const _ of ["first", "second"]) {
    makeKey();
    expected.push("used");
    // A look that is under way may still find that there was none.
    await pollUntil(() => {
      scheduler.watchKeys();
      return looked.length === expected.length;
    });
    expected.push("gone");
    await pollUntil(() => {
      time.advance(HOUR_MS / 4);
      return looked.length === expected.length;
    });
    // Nothing looks while there is no key.
    for (let at = 0; at < 8; at += 1) {
      await new Promise(setImmediate);
      scheduler.watchKeys();
      time.advance(HOUR_MS);
    }
  }
  expect(looked).toEqual(expected);
  scheduler.stop();
});
