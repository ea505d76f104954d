import { describe, expect, it } from "vitest";
import { safeLink } from "#renderer/lib/browser/safe-link.ts";

describe("an address outside of the app", () => {
  it("is opened over TLS only, with its host in a form that shows look-alikes", () => {
    expect(safeLink(" https://example.org/a?b=c ")).toEqual({ href: "https://example.org/a?b=c", host: "example.org" });
    expect(safeLink("https://ex\u0430mple.org/")?.host).toBe("xn--exmple-4nf.org");
  });

  it.each([
    "",
    "example.org",
    "http://example.org",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://name:word@example.org",
    "parley:pay?to=x",
  ])("%j is never opened", (text) => expect(safeLink(text)).toBeUndefined());
});
