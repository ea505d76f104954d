// Listeners hear of changes in a later turn of the event loop, once for all of one turn.
import { expect, it, vi } from "vitest";
import { inTurns } from "#renderer/lib/messenger/in-turns.ts";
import { ValueStore } from "#shared/util/value-store.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";

it("tells of all changes of a turn once, after what was begun in it", async () => {
  let count = 0;
  const store = new ValueStore(() => count);
  const subscribe = inTurns(store);
  expect(inTurns(store)).toBe(subscribe);
  const heard: number[] = [];
  const other = vi.fn();
  const stop = subscribe(() => heard.push(store.getSnapshot()));
  const stopOther = subscribe(other);
  const change = (): void => {
    count += 1;
    store.invalidate();
  };
  change();
  change();
  for (let step = 0; step < 50; step += 1) await Promise.resolve();
  expect(heard).toEqual([]);
  await pollUntil(() => heard.length > 0);
  expect(heard).toEqual([2]);
  expect(other).toHaveBeenCalledTimes(1);
  stopOther();
  change();
  await pollUntil(() => heard.length > 1);
  expect(heard).toEqual([2, 3]);
  expect(other).toHaveBeenCalledTimes(1);
  stop();
  change();
  // It can be begun again.
  const again = vi.fn();
  const stopAgain = subscribe(again);
  change();
  await pollUntil(() => again.mock.calls.length > 0);
  expect(heard).toEqual([2, 3]);
  stopAgain();
});
