import { expect, it } from "vitest";
import { laterReason } from "#renderer/features/inbox/composer/later/later-reason.ts";

const plain = { hasFiles: false, isCommand: false, isEdit: false };

it("says why what is in the field cannot be sent later, and nothing about a text", () => {
  expect(laterReason(plain)).toBeUndefined();
  expect(laterReason({ ...plain, hasFiles: true, isCommand: true })).toBe("chat.laterFiles");
  expect(laterReason({ ...plain, isCommand: true })).toBe("chat.laterCommand");
  expect(laterReason({ ...plain, isEdit: true })).toBe("chat.laterEdit");
});
