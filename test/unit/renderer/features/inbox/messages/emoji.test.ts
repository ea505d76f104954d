// Emoji by name, with skin tones, and by arrow keys.
import { beforeAll, describe, expect, it } from "vitest";
import { target } from "#renderer/features/inbox/messages/parts/emoji/emoji-grid.tsx";
import { EMOJI_GROUPS, type EmojiEntry, loadEmoji, withTone } from "#renderer/features/inbox/messages/parts/emoji/emoji-table.ts";
import { findEmoji, MOST_FOUND } from "#renderer/features/inbox/messages/parts/emoji/find-emoji.ts";
import { MAX_EMOJI_CHARS, MAX_RECENT_EMOJI, NO_EMOJI_CHOICES, withEmoji } from "#shared/content/chat/emoji-choices.ts";

describe("the table of emoji", () => {
  let english: readonly EmojiEntry[];
  let german: readonly EmojiEntry[];

  beforeAll(async () => {
    [english, german] = await Promise.all([loadEmoji("en-GB"), loadEmoji("de-AT")]);
  });

  it("has every group, begins with a smile, and is the same in each language", () => {
    expect(new Set(english.map(({ group }) => group))).toEqual(new Set(EMOJI_GROUPS));
    expect(english[0]?.emoji).toBe("😀");
    expect(german.map(({ emoji }) => emoji)).toEqual(english.map(({ emoji }) => emoji));
    expect(english.every(({ emoji }) => emoji.length <= MAX_EMOJI_CHARS)).toBe(true);
  });

  it("is English for a language without a table", async () => {
    expect((await loadEmoji("ar-XB"))[0]?.label).toBe("grinning face");
  });

  it("finds by the beginning of a name before a word inside, in the person's language", () => {
    expect(findEmoji(english, " Rocket ", "en")[0]?.emoji).toBe("🚀");
    expect(findEmoji(german, "rakete", "de")[0]?.emoji).toBe("🚀");
    expect(findEmoji(english, "cat", "en")[0]?.label).toMatch(/^cat/);
    expect(findEmoji(english, "🚀", "en").map(({ emoji }) => emoji)).toEqual(["🚀"]);
    expect(findEmoji(english, "thumbs", "en").map(({ emoji }) => emoji)).toContain("👍️");
  });

  it("finds nothing for nothing, and no more than fit", () => {
    expect(findEmoji(english, "  ", "en")).toEqual([]);
    expect(findEmoji(english, "no such thing at all", "en")).toEqual([]);
    expect(findEmoji(english, "a", "en").length).toBe(MOST_FOUND);
  });

  it("gives a tone to what has a skin, one for both of two people, and none to the rest", () => {
    const entry = (emoji: string): EmojiEntry => english.find((candidate) => candidate.emoji === emoji) as EmojiEntry;
    expect(withTone(entry("👋"), 5)).toBe("👋🏿");
    expect(withTone(entry("👋"), 0)).toBe("👋");
    expect(withTone(entry("🚀"), 3)).toBe("🚀");
    expect(english.every(({ tones }) => tones.length === 0 || tones.length === 5)).toBe(true);
  });
});

describe("emoji that were used", () => {
  it("are the newest first, once each, as many as are remembered", () => {
    const used = ["a", "b", "a"].reduce(withEmoji, NO_EMOJI_CHOICES);
    expect(used.recent).toEqual(["a", "b"]);
    const many = Array.from({ length: MAX_RECENT_EMOJI + 9 }, (_, index) => `e${index}`).reduce(withEmoji, {
      ...NO_EMOJI_CHOICES,
      tone: 2,
    });
    expect(many.recent).toHaveLength(MAX_RECENT_EMOJI);
    expect(many).toMatchObject({ tone: 2 });
    expect(many.recent[0]).toBe(`e${MAX_RECENT_EMOJI + 8}`);
    expect(withEmoji(many, "x".repeat(MAX_EMOJI_CHARS + 1))).toEqual(many);
  });
});

describe("arrow keys among emoji", () => {
  it.each([
    ["ArrowRight", 3, false, 4],
    ["ArrowLeft", 3, false, 2],
    ["ArrowRight", 3, true, 2],
    ["ArrowLeft", 3, true, 4],
    ["ArrowDown", 3, false, 11],
    ["ArrowUp", 3, false, 0],
    ["ArrowDown", 18, false, 19],
    ["Home", 9, false, 0],
    ["End", 9, false, 19],
    ["a", 9, false, undefined],
  ])("%s from %i, mirrored %s, leads to %s", (key, at, isMirrored, next) => expect(target(key, { at, count: 20, isMirrored })).toBe(next));

  it("go by rows of another width where there are fewer beside each other", () => {
    expect(target("ArrowDown", { at: 3, count: 20, isMirrored: false, columns: 4 })).toBe(7);
    expect(target("ArrowUp", { at: 7, count: 20, isMirrored: false, columns: 4 })).toBe(3);
  });
});
