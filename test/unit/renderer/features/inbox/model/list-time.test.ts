import { describe, expect, it } from "vitest";
import { formatListTime, isSameDay } from "#renderer/features/inbox/model/list-time.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";

const LANGUAGE = { locale: "en-GB", t: createTranslate("en-GB", en) };
const NOW = new Date(2026, 2, 4, 14, 5).getTime();

describe("times of chats", () => {
  it.each([
    ["the clock today", new Date(2026, 2, 4, 13, 59), "13:59"],
    ["the clock for a clock that runs ahead", new Date(2026, 2, 4, 15, 0), "15:00"],
    ["yesterday by the calendar, not by 24 hours", new Date(2026, 2, 3, 23, 55), "Yesterday"],
    ["a weekday within the week", new Date(2026, 1, 26, 8, 0), "Thu"],
    ["a date from a week on", new Date(2026, 1, 25, 8, 0), "25 Feb"],
    ["a date with its year in another one", new Date(2025, 11, 31, 8, 0), "31 Dec 2025"],
  ])("in the list: %s", (_, at, expected) => {
    expect(formatListTime(LANGUAGE, at.getTime(), NOW)).toBe(expected);
  });

  it("know the same day by midnight", () => {
    const midnight = new Date(2026, 2, 4).getTime();
    expect(isSameDay(midnight, midnight + 86_399_000)).toBe(true);
    expect(isSameDay(midnight, midnight - 1)).toBe(false);
  });
});
