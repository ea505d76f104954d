import { describe, expect, it } from "vitest";
import { usernameForm, usernameIn } from "#renderer/lib/people/names/username.ts";

describe("usernames", () => {
  it.each([
    ["", "empty"],
    ["abc", "short"],
    ["anna", "ok"],
    ["anna.b-c_1", "ok"],
    ["a".repeat(33), "long"],
    ["Anna", "characters"],
    ["anna..b", "characters"],
    [".anna", "characters"],
    ["änna", "characters"],
  ])("%j is %s", (name, form) => expect(usernameForm(name)).toBe(form));

  it("are meant by a leading @ only", () => {
    expect(usernameIn(" @Anna ")).toBe("anna");
    expect(usernameIn("anna")).toBeUndefined();
    expect(usernameIn("@ab")).toBeUndefined();
    expect(usernameIn("@anna 5")).toBeUndefined();
  });
});
