import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupDigits, splitAmount } from "#renderer/lib/format/amount.ts";
import { formatDay, formatMonth } from "#renderer/lib/format/days.ts";
import { groupByFour, shorten } from "#renderer/lib/format/key.ts";
import { formatCountdown, formatDuration, formatRelativeTime, toMilliseconds } from "#renderer/lib/format/time.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { MAX_SUPPLY_UT } from "#shared/protocol/primitives/limits.ts";

const NOW = Date.UTC(2026, 4, 20, 12);

describe("amounts", () => {
  it("keeps every digit of the exact amount", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_SUPPLY_UT }), (amountUt) => {
        const { whole, fraction, unit } = splitAmount("en", amountUt);
        expect(`${groupDigits(whole).join("")}${fraction} ${unit}`).toBe(formatAmount(amountUt));
      }),
    );
  });

  it("groups from five digits on, from the right", () => {
    expect(groupDigits("1234")).toEqual(["1234"]);
    expect(groupDigits("12345")).toEqual(["12", "345"]);
    expect(groupDigits("123456")).toEqual(["123", "456"]);
  });
});

describe("keys", () => {
  it("keeps both ends of a long text and a short one whole", () => {
    expect(shorten("abcdefghijklmnopqrstuvwxyz", 4, 3)).toBe("abcd…xyz");
    expect(shorten("abcdefgh", 4, 3)).toBe("abcdefgh");
  });

  it("loses nothing in groups of four", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{0,200}$/), (text) => {
        expect(groupByFour(text).join("")).toBe(text);
      }),
    );
  });
});

describe("times", () => {
  it.each([
    [-3_000, undefined],
    [-40_000, "40 sec. ago"],
    [-59_400, "59 sec. ago"],
    [-59_600, "1 min. ago"],
    [-3_599_000, "1 hr. ago"],
    [-86_000_000, "yesterday"],
    [59_600, "in 1 min."],
    [-5 * 60_000, "5 min. ago"],
    [-3 * 3_600_000, "3 hr. ago"],
    [-86_400_000, "yesterday"],
    [-40 * 86_400_000, "Apr 10"],
    [-400 * 86_400_000, "Apr 15, 2025"],
    [2 * 3_600_000, "in 2 hr."],
  ])("says what lies %i ms away", (distance, words) => {
    expect(formatRelativeTime("en", NOW + distance, NOW)).toBe(words);
  });

  it.each([
    [20, 0, 10, "today"],
    [19, 23, 0, "yesterday"],
    [19, 0, 30, "yesterday"],
    [18, 23, 30, "2 days ago"],
    [13, 23, 57, "7 days ago"],
    [21, 23, 45, "tomorrow"],
  ])("counts days by the calendar: May %i, %i:%i, late on May 20", (day, hour, minute, words) => {
    const now = new Date(2026, 4, 20, 23, 55).getTime();
    expect(formatRelativeTime("en", new Date(2026, 4, day, hour, minute).getTime(), now)).toBe(words);
  });

  it("reads both forms of the node and nothing else", () => {
    expect(toMilliseconds("2026-05-20T12:00:00Z")).toBe(NOW);
    expect(toMilliseconds(NOW)).toBe(NOW);
    expect(toMilliseconds("soon")).toBeUndefined();
  });

  it.each([
    [0, "0:00"],
    [7, "0:07"],
    [249, "4:09"],
    [3_600, "1:00:00"],
    [3_849, "1:04:09"],
  ])("counts %i s down like a clock", (seconds, words) => {
    expect(formatCountdown(seconds)).toBe(words);
  });

  it.each([
    [116, "116 ms"],
    [0, "0 sec"],
    [45_000, "45 sec"],
    [3_725_000, "1 hr 2 min"],
    [90_000_000, "1 day 1 hr"],
    [86_400_000 + 5_000, "1 day"],
  ])("writes %i ms by its two largest units", (duration, words) => {
    expect(formatDuration("en", duration)).toBe(words);
  });

  it.each([
    [[2026, 10, 28, 0, 1], "Today"],
    [[2026, 10, 29, 12, 0], "Today"],
    [[2026, 10, 27, 23, 59], "Yesterday"],
    [[2026, 10, 26, 12, 0], "Thursday, November 26"],
    [[2025, 10, 26, 12, 0], "Wednesday, November 26, 2025"],
  ] as const)("names the day of %s", ([year, month, day, hour, minute], words) => {
    const now = new Date(2026, 10, 28, 12).getTime();
    const at = new Date(year, month, day, hour, minute).getTime();
    expect(formatDay("en", at, now)).toBe(words);
    expect(formatMonth("en", at)).toBe(`November ${year}`);
  });
});
