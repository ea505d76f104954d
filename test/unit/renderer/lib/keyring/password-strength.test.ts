import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isAcceptablePassword, MIN_PASSWORD_CHARS, passwordBits, passwordStrength } from "#renderer/lib/keyring/password-strength.ts";

describe("passwordStrength", () => {
  it.each([
    "password",
    "P@ssw0rd123",
    "password1234",
    "qwertyuiop12",
    "aaaaaaaaaaaaaaaa",
    "abcabcabcabcabc",
    "1234567890123",
    "12.12.1990 12.12.1990".replaceAll(".", ""),
    "letmeinletmein",
    "Tr0ub4dor",
    "parleywallet1",
    "abcdefghijklmnop",
  ])("calls %s weak", (password) => {
    expect(passwordStrength(password)).toBe("weak");
    expect(isAcceptablePassword(password)).toBe(false);
  });

  it.each(["violet kettle harbour march", "correct horse battery staple", "x7#Kq!2vPz9@Lm", "gV8w-3RtY-9pLq"])("accepts %s", (password) => {
    expect(isAcceptablePassword(password)).toBe(true);
  });

  it("says nothing about an empty field", () => {
    expect(passwordStrength("")).toBe("empty");
    expect(isAcceptablePassword("")).toBe(false);
  });

  it("never accepts fewer than the least characters", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: MIN_PASSWORD_CHARS - 1 }), (password) => {
        expect(isAcceptablePassword(password)).toBe(false);
      }),
    );
  });

  it("reads every character exactly once, whatever is typed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (password) => {
        const bits = passwordBits(password);
        expect(Number.isFinite(bits) && bits >= 0).toBe(true);
      }),
    );
  });

  it("counts another unrelated word as more work", () => {
    expect(passwordBits("violet kettle harbour march")).toBeGreaterThan(passwordBits("violet kettle harbour"));
  });
});
