import { expect, it } from "vitest";
import { quickChoices } from "#renderer/features/inbox/messages/parts/quick/quick-choices.ts";

it("offers six emoji, those used last before common ones, each once", () => {
  expect(quickChoices([])).toEqual(["👍", "❤️", "😂", "😮", "😢", "🙏"]);
  expect(quickChoices(["🚀", "😂"])).toEqual(["🚀", "😂", "👍", "❤️", "😮", "😢"]);
  expect(quickChoices(["1", "2", "3", "4", "5", "6", "7"])).toEqual(["1", "2", "3", "4", "5", "6"]);
});
