// The words on the screen are the field's, as those of the documents are.
import { expect, it } from "vitest";
import { en } from "#renderer/lib/messages/en.ts";

const AVOIDED = /\b(told|nobody|somebody|anew|whoever|laggards?|handovers?|go(?:es)? on|going on|hand(?:s|ed|ing)? out)\b/i;

it("uses the field's words on the screen", () => {
  const sentences = Object.entries(en);
  expect(sentences.length).toBeGreaterThan(500);
  expect(sentences.filter(([, text]) => AVOIDED.test(JSON.stringify(text)))).toEqual([]);
});
