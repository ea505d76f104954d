// Writes that fail for want of room.
import { expect, it } from "vitest";
import { CodedError } from "#shared/errors/coded-error.ts";
import { isStoreFull, storeCall } from "#shared/messenger/store/store-call.ts";

it.each([
  ["a browser", new DOMException("the quota", "QuotaExceededError"), true],
  ["SQLite", new Error("database or disk is full"), true],
  ["the file system", Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" }), true],
  ["a store that was closed", new DOMException("closed", "InvalidStateError"), false],
])("are known from others, as %s names them", async (_, cause, isFull) => {
  const error = await storeCall(() => Promise.reject(cause)).catch((failure: unknown) => failure);
  expect(isStoreFull(error)).toBe(isFull);
});

it("are also those that say so by their code", () => {
  expect(isStoreFull(new CodedError("STORAGE_FULL", "full"))).toBe(true);
  expect(isStoreFull(new Error("disk is full"))).toBe(false);
});
