import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ScrollRest } from "#renderer/features/inbox/messages/scroll/scroll-rest.ts";

describe("rows of a chat", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("rest once no other ones have come for a while", () => {
    const rest = new ScrollRest();
    const rested = vi.fn();
    rest.onRest(rested);
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
    rest.onRest(left)();
    vi.advanceTimersByTime(150);
    rest.onRest(late);
    expect([left.mock.calls.length, late.mock.calls.length]).toEqual([0, 1]);
    rest.move();
    expect(rest.isMoving).toBe(true);
  });
});
