import { describe, expect, it } from "vitest";
import { isOnlyEmoji } from "#renderer/features/inbox/text/only-emoji.ts";

describe("a message of emoji alone", () => {
  it.each(["👍", "❤️", "👍🏽", "👨‍👩‍👧‍👦", "🇩🇪", "🎉🎉🎉", " 😀 😀 ", "1️⃣", "ℹ️ Ⓜ️"])("is %j", (text) => {
    expect(isOnlyEmoji(text)).toBe(true);
  });

  it.each(["", " ", "a", "1", "#", "👍 yes", "🎉🎉🎉🎉", "©", "❤", ":)", "😀\u200d😀\u200d😀".repeat(10)])("is not %j", (text) => {
    expect(isOnlyEmoji(text)).toBe(false);
  });
});
