// What `expect` says, at the price of a comparison where nothing is wrong: for loops over thousands of values.
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

/** `expect(value).toEqual(expected)`; the runtime compares first, more strictly. */
export function expectEqual(value: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(value, expected)) expect(value).toEqual(expected);
}

/** `expect(whole).toMatchObject(part)`, likewise. */
export function expectToHold<T extends object>(whole: T | undefined, part: Partial<T>): void {
  const isHeld = whole !== undefined && Object.entries(part).every(([name, value]) => isDeepStrictEqual(whole[name as keyof T], value));
  if (!isHeld) expect(whole).toMatchObject(part);
}
