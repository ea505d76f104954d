import { afterEach, describe, expect, it } from "vitest";
import { endTurn, type Shown, takeTurn } from "#renderer/features/inbox/messages/parts/quick/one-at-a-time.ts";

const rows: Shown[] = [];

/** A row that counts how often it was ended; `stays` where it cannot be. */
function row(stays = false): Shown & { readonly ends: () => number } {
  let count = 0;
  const shown = {
    end: (): boolean => {
      if (!stays) count += 1;
      return !stays;
    },
    ends: (): number => count,
  };
  rows.push(shown);
  return shown;
}

afterEach(() => {
  for (const shown of rows.splice(0)) endTurn(shown);
});

describe("the emoji above a message", () => {
  it("are those of one message: the next ends the one before, and itself not", () => {
    const [first, second] = [row(), row()];
    expect([takeTurn(first), takeTurn(first)]).toEqual([true, true]);
    expect(first.ends()).toBe(0);
    expect(takeTurn(second)).toBe(true);
    expect([first.ends(), second.ends()]).toEqual([1, 0]);
  });

  it("stay where the focus is in them, and come to others once they are gone", () => {
    const [first, second] = [row(true), row()];
    takeTurn(first);
    expect(takeTurn(second)).toBe(false);
    endTurn(second);
    expect(takeTurn(second), "only its own end counts").toBe(false);
    endTurn(first);
    expect(takeTurn(second)).toBe(true);
  });
});
