import { expect, it } from "vitest";
import { dueText } from "#renderer/features/inbox/composer/later/due-text.ts";
import { fromFieldTime, offeredTimes, toFieldTime } from "#renderer/features/inbox/composer/later/due-times.ts";

/** On this machine's clock; 2027-03-10 is a Wednesday. */
const at = (day: number, hour: number, minute = 0): number => new Date(2027, 2, day, hour, minute).getTime();
const offered = (nowMs: number): Readonly<Record<string, string>> =>
  Object.fromEntries(offeredTimes(nowMs).map(({ id, dueAt }) => [id, toFieldTime(dueAt)]));

it("offers hours and days of the calendar that are to come", () => {
  expect(offered(at(10, 10, 30) + 1)).toEqual({
    hour: "2027-03-10T11:31",
    tonight: "2027-03-10T20:00",
    tomorrow: "2027-03-11T09:00",
    monday: "2027-03-15T09:00",
  });
  // No evening that has begun, and no Monday that is tomorrow.
  expect(offered(at(14, 20))).toEqual({ hour: "2027-03-14T21:00", tomorrow: "2027-03-15T09:00" });
  // On a Monday the next one, in the next month.
  expect(offered(at(29, 21))).toMatchObject({ tomorrow: "2027-03-30T09:00", monday: "2027-04-05T09:00" });
});

it("reads the field of date and time as it writes it", () => {
  expect(fromFieldTime(toFieldTime(at(1, 0, 5)))).toBe(at(1, 0, 5));
  for (const value of ["", "2027-13-01T00:00", "soon"]) expect(fromFieldTime(value)).toBeUndefined();
});

it("says the day where it is another one", () => {
  expect(dueText("en-GB", at(10, 14, 5), at(10, 9))).toBe("14:05");
  expect(dueText("en-GB", at(11, 14, 5), at(10, 9))).toBe("11 Mar, 14:05");
  expect(dueText("en-GB", new Date(2028, 2, 10, 14, 5).getTime(), at(10, 9))).toBe("10 Mar 2028, 14:05");
});
