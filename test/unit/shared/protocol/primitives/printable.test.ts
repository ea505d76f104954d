import { describe, expect, it } from "vitest";
import { countCodePoints, isPrintable } from "#shared/protocol/primitives/printable.ts";

describe("names", () => {
  it.each(["Desk", "Büro 💻", "日本語", "العربية", "🏳️", "🏳️‍🌈", "Laptop 👩🏽‍💻", "a b", ""])("%j is printable", (text) =>
    expect(isPrintable(text)).toBe(true),
  );

  it.each([
    "\n",
    "\u0000",
    "\u007f",
    "\u0085",
    "\u00ad",
    "\u200b",
    "\u200d",
    "\u202e",
    "\u2066",
    "\u2028",
    "\ufeff",
    "\ud800",
    "\udc00",
    "\uffff",
    "\u3164",
    "\u{e0041}",
  ])("a name with %j is not", (character) => expect(isPrintable(`a${character}b`)).toBe(false));

  it.each(["👩\u200d", "\u200d💻", "👩\u200d\u200d💻", "👩\u200db", "a\u200d💻", "💻\u200d\ufe0f"])(
    "a joiner is only between two emoji: not %j",
    (text) => expect(isPrintable(text)).toBe(false),
  );

  it("single code points can be allowed", () => {
    expect(isPrintable("a\nb", [0x0a])).toBe(true);
    expect(isPrintable("a\rb", [0x0a])).toBe(false);
  });

  it("length is counted in code points", () => {
    expect(countCodePoints("é😀a")).toBe(3);
  });
});
