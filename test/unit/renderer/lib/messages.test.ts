import { describe, expect, it } from "vitest";
import { type Catalogue, createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { formatMessage, type Message } from "#renderer/lib/messages/format-message.ts";

const POLISH_PEERS = { one: "{count} węzeł", few: "{count} węzły", many: "{count} węzłów", other: "{count} węzła" };

describe("formatMessage", () => {
  it("fills placeholders and leaves those without a value visible", () => {
    expect(formatMessage("en", "{name} pays {amount}", { name: "Ada" })).toBe("Ada pays {amount}");
  });

  it("writes numbers the way of the language", () => {
    expect(formatMessage("en", "Block {height}", { height: 12345 })).toBe("Block 12,345");
    expect(formatMessage("de", "Block {height}", { height: 12345 })).toBe("Block 12.345");
  });

  it.each([
    [1, "1 węzeł"],
    [3, "3 węzły"],
    [5, "5 węzłów"],
    [22, "22 węzły"],
  ])("chooses the plural form of %i by the rules of the language", (count, text) => {
    expect(formatMessage("pl", POLISH_PEERS, { count })).toBe(text);
  });

  it("prefers a form for nothing where the message has one", () => {
    expect(formatMessage("en", { zero: "none", one: "one", other: "{count}" }, { count: 0 })).toBe("none");
  });

  it("does not fill values into values", () => {
    expect(formatMessage("en", "{a} {b}", { a: "{b}", b: "x" })).toBe("{b} x");
  });
});

describe("createTranslate", () => {
  it("takes the words of its own language", () => {
    const other: Catalogue = { ...en, "common.cancel": "Abbrechen" };
    expect(createTranslate("de", other)("common.cancel")).toBe("Abbrechen");
  });

  it("writes a count of the English catalogue in both forms", () => {
    const t = createTranslate("en", en);
    expect([t("shell.peers", { count: 1 }), t("shell.peers", { count: 2 })]).toEqual(["1 peer", "2 peers"]);
  });
});

describe("the English catalogue", () => {
  const messages = Object.entries<Message>(en).flatMap(([key, message]): [string, string][] =>
    typeof message === "string" ? [[key, message]] : Object.entries(message).map(([form, text]) => [`${key} (${form})`, text]),
  );

  it.each(messages)("%s is a trimmed text with balanced placeholders", (_, text) => {
    expect(text).toBe(text.trim());
    expect(text).not.toBe("");
    expect(text.replace(/\{[a-zA-Z]+\}/g, "")).not.toMatch(/[{}]/);
  });
});
