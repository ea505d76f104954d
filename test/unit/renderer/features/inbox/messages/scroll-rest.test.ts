import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ScrollRest, type WaitingRow } from "#renderer/features/inbox/messages/scroll/scroll-rest.ts";

const row = (rest: WaitingRow["rest"], ...targets: readonly object[]): WaitingRow => ({ rest, has: (target) => targets.includes(target) });

describe("rows of a chat", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("rest once no other ones have come for a while", () => {
    const rest = new ScrollRest();
    const rested = vi.fn();
    rest.onRest(row(rested));
    vi.advanceTimersByTime(149);
    rest.move();
    vi.advanceTimersByTime(149);
    expect([rest.isMoving, rested.mock.calls.length]).toEqual([true, 0]);
    vi.advanceTimersByTime(1);
    expect([rest.isMoving, rested.mock.calls.length]).toEqual([false, 1]);
  });

  it("say so at once where they rest, and not to who has left", () => {
    const rest = new ScrollRest();
    const [left, late] = [vi.fn(), vi.fn()];
    rest.onRest(row(left))();
    vi.advanceTimersByTime(150);
    rest.onRest(row(late));
    expect([left.mock.calls.length, late.mock.calls.length]).toEqual([0, 1]);
    rest.move();
    expect(rest.isMoving).toBe(true);
  });

  it("rest at once where one is pressed, and the others go on", () => {
    const rest = new ScrollRest();
    const [pressed, other] = [vi.fn(), vi.fn()];
    const target = {} as Node;
    const end = rest.onRest(row(pressed, target));
    rest.onRest(row(other));
    rest.restAt(target);
    expect([pressed.mock.calls, other.mock.calls]).toEqual([[[true]], []]);
    end();
    vi.advanceTimersByTime(150);
    expect([pressed.mock.calls, other.mock.calls]).toEqual([[[true]], [[false]]]);
  });
});
