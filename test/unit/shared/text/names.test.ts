import { describe, expect, it } from "vitest";
import { mixesScripts, nameSkeleton } from "#shared/text/confusable-names.ts";
import { visibleText } from "#shared/text/visible-text.ts";

describe("a text of others in one line", () => {
  it.each([
    ["a right-to-left override in a file name", "invoice\u202Efdp.exe", "invoice\ufffdfdp.exe"],
    ["isolates and marks", "\u2066a\u2069\u200Eb\u061c", "\ufffda\ufffd\ufffdb\ufffd"],
    ["invisible letters", "Al\u200Bice\u00AD\u2060\u3164\u115F", "Al\ufffdice\ufffd\ufffd\ufffd\ufffd"],
    ["variation selectors and tags", "A\u{E0100}l\u{E0041}", "A\ufffdl\ufffd"],
    ["line breaks", "a\nb\u2028c\rd", "a\ufffdb\ufffdc\ufffdd"],
    ["blanks that are not the usual one", "a\u00a0\u3000\u2800b", "a   b"],
    ["a lone joiner", "A\u200Dlice", "A\ufffdlice"],
  ])("shows %s", (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each(["Zoë Müller", "Алиса", "علي", "田中さくら", "👩‍👩‍👧 family", "👍🏽", "report (final).pdf", "ภาษาไทย", "हिन्दी"])(
    "leaves %s as it is",
    (text) => {
      expect(visibleText(text)).toBe(text.normalize("NFC"));
    },
  );

  it("lets no pile of marks climb over other lines", () => {
    expect([...visibleText(`Z${"\u0335".repeat(50)}`)].length).toBeLessThan(8);
  });
});

describe("names that look alike", () => {
  it.each([
    ["Cyrillic letters", "Аlісе"],
    ["Greek letters", "Αlιcε"],
    ["full-width letters", "Ａｌｉｃｅ"],
    ["mathematical letters", "𝐀𝓵𝗂𝖈𝑒"],
    ["capitals and small ones", "ALICE"],
    ["a capital I for an l", "AIice"],
    ["digits", "A1ic3"],
    ["accents", "Álícè"],
    ["invisible letters and blanks", "A\u200Bl ice\u3164"],
    ["punctuation", "A.l-i_c'e"],
  ])("are found with %s", (_, name) => {
    expect(nameSkeleton(name)).toBe(nameSkeleton("Alice"));
  });

  it("are found where two letters read as one", () => {
    expect(nameSkeleton("Barney")).toBe(nameSkeleton("Bamey"));
    expect(nameSkeleton("vvendy")).toBe(nameSkeleton("Wendy"));
  });

  it("are no other names", () => {
    const names = ["Alice", "Bob", "Carol", "Dave", "Robin", "Алиса", "田中", "Robert", "Alicia", "Bo"];
    expect(new Set(names.map(nameSkeleton)).size).toBe(names.length);
    expect(nameSkeleton("\u3164 …")).toBe("");
  });
});

describe("a word of several scripts", () => {
  it.each(["Аlice", "Bοb", "pаypal", "Ꭺlice", "Alicе Smith", "Straße-Моsсow"])("is noticed in %s", (name) => {
    expect(mixesScripts(name)).toBe(true);
  });

  it.each([
    "Alice",
    "Алиса",
    "Ελένη",
    "Zoë",
    "Алиса Smith",
    "田中さくら",
    "東京タワー",
    "T恤",
    "김Kim",
    "علي",
    "Bob 2",
    "👍 ok",
    "हिन्दी",
    "o'Neil",
  ])("is not seen in %s", (name) => {
    expect(mixesScripts(name)).toBe(false);
  });
});
