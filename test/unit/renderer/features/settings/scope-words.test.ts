// What a program may do, as the settings say it.
import { expect, it } from "vitest";
import { scopeLines } from "#renderer/features/settings/apps/scope-words.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { en } from "#renderer/lib/messages/en.ts";

const words = (scope: string): string | undefined => scopeLines(createTranslate("en", en), [scope], new Map())[0]?.words;

it("names what it knows in words, and says of what a later version may know that it does not", () => {
  expect(words("read")).toBe("See the public chain");
  expect(words("dream:of=sheep")).toBe("Something this version of Parley doesn't know: dream:of=sheep");
});
