import { describe, expect, it } from "vitest";
import { fileError } from "#node/config/files/file-errors.ts";

describe("fileError", () => {
  it.each([
    ["ENOSPC", "STORAGE_FULL", "The disk is full, /d cannot be written: free some space and start again"],
    ["EACCES", "STORAGE_UNWRITABLE", "/d cannot be read or written by this user: correct its permissions or choose another place"],
    ["EROFS", "STORAGE_UNWRITABLE", "/d cannot be read or written by this user"],
    ["ENOTDIR", "STORAGE_UNWRITABLE", "/d is in the way"],
    ["EIO", "STORAGE_UNWRITABLE", "/d cannot be used (EIO)"],
  ])("puts %s into words", (systemCode, code, message) => {
    const error = fileError("/d", Object.assign(new Error("system"), { code: systemCode }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
  });
});
