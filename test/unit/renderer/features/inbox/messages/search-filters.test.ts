import { describe, expect, it } from "vitest";
import { hasFilters, NO_FILTERS } from "#renderer/features/inbox/messages/search/filter-choice.ts";
import { chatsFound, chosenFilters, filterOf } from "#renderer/features/inbox/messages/search/search-filters.ts";

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

  it("find no chats by their names, but show the one that is chosen until something is asked of it", () => {
    const chats = [{ id: "ada" }, { id: "bob" }];
    const ofAda = { ...NO_FILTERS, conversation: "ada" };
    expect(chatsFound("a", NO_FILTERS, chats)).toEqual(chats);
    expect(chatsFound(" ", ofAda, chats)).toEqual([{ id: "ada" }]);
    expect(chatsFound("a", ofAda, chats)).toEqual([]);
    expect(chatsFound("", { ...ofAda, kinds: ["link"] }, chats)).toEqual([]);
    expect(chatsFound("", { ...NO_FILTERS, fromDay: "2026-02-28" }, chats)).toEqual([]);
  });

  it("are taken away one by one, each known by what it is and not by its name", () => {
    const filters = { conversation: "ada", kinds: ["picture", "link"], fromDay: "2026-02-28", toDay: "today" } as const;
    const chosen = chosenFilters(filters);
    expect(chosen.map(({ part }) => part)).toEqual(["conversation", "picture", "link", "fromDay"]);
    expect(chosen.map(({ rest }) => chosenFilters(rest).map(({ part }) => part))).toEqual(
      ["conversation", "picture", "link", "fromDay"].map((gone) => chosen.map(({ part }) => part).filter((part) => part !== gone)),
    );
  });

  it("leave out days that are none, and name chat and kinds", () => {
    const filters = { conversation: "ada", kinds: ["link"], fromDay: "2026-xx-01", toDay: "today" } as const;
    expect(hasFilters(filters)).toBe(true);
    expect(filterOf(filters)).toEqual({ conversation: "ada", kinds: ["link"] });
  });
});
