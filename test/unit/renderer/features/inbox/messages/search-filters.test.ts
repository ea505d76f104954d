import { describe, expect, it } from "vitest";
import { filterOf, hasFilters, NO_FILTERS } from "#renderer/features/inbox/messages/search/search-filters.ts";

describe("filters of a search", () => {
  it("are nothing at first", () => {
    expect(hasFilters(NO_FILTERS)).toBe(false);
    expect(filterOf(NO_FILTERS)).toEqual({});
  });

  it("reach from the first midnight of a day to the last of another one, by the clock of this device", () => {
    const { from, before } = filterOf({ ...NO_FILTERS, fromDay: "2026-02-28", toDay: "2026-02-28" });
    expect(from).toBe(new Date(2026, 1, 28).getTime());
    expect(before).toBe(new Date(2026, 2, 1).getTime());
  });

  it("leave out days that are none, and name chat and kinds", () => {
    const filters = { conversation: "ada", kinds: ["link"], fromDay: "2026-xx-01", toDay: "today" } as const;
    expect(hasFilters(filters)).toBe(true);
    expect(filterOf(filters)).toEqual({ conversation: "ada", kinds: ["link"] });
  });
});
