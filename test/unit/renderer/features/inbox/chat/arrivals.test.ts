import { describe, expect, it } from "vitest";
import { Arrivals, type NewestPlace } from "#renderer/features/inbox/chat/aloud/arrivals.ts";

const place = (key: string, at: number, direction: NewestPlace["direction"] = "in"): NewestPlace => ({ key, at, direction });
const [A, B, C] = [place("a", 1), place("b", 2), place("c", 2)];

/** What is read as just come while the newest message is each of these, one after the other. */
function read(...newest: readonly (NewestPlace | undefined)[]): readonly boolean[] {
  const arrivals = new Arrivals();
  return newest.map((one) => arrivals.hasArrived(one));
}

describe("messages that are read aloud as they come", () => {
  it("are those after the newest one, also of the same moment, and the first of an empty chat", () => {
    expect(read(A, B, C)).toEqual([false, true, true]);
    expect(read(undefined, A)).toEqual([false, true]);
  });

  it("are none that were there before, where later ones are removed or disappear, and none that come back", () => {
    expect(read(B, A)).toEqual([false, false]);
    expect(read(place("own", 3, "out"), A)).toEqual([false, false]);
    expect(read(B, A, B, C)).toEqual([false, false, false, true]);
    expect(read(A, undefined, A)).toEqual([false, false, false]);
    expect(read(A, A)).toEqual([false, false]);
  });

  it("are none that one wrote oneself", () => {
    expect(read(A, place("own", 3, "out"))).toEqual([false, false]);
  });
});
