import { describe, expect, it } from "vitest";
import { levelOf } from "#renderer/lib/keyring/password-strength.ts";
import { strengthInWords } from "#renderer/lib/keyring/strength-in-words.ts";
import { createTranslate } from "#renderer/lib/messages/catalogue.ts";
import { de } from "#renderer/lib/messages/de.ts";
import { en } from "#renderer/lib/messages/en.ts";
import { PASSWORD_SUGGESTIONS, PASSWORD_WARNINGS, type PasswordEstimate } from "#shared/keyring/passwords/password-estimate.ts";

const english = createTranslate("en", en);
const german = createTranslate("de", de);

function estimate(guessesLog10: number, fields: Partial<PasswordEstimate> = {}): PasswordEstimate {
  return { guessesLog10, isAcceptable: guessesLog10 >= 10, warning: null, suggestions: [], ...fields };
}

describe("the strength of a password", () => {
  it.each([
    [3, "weak", "Too weak: could be guessed instantly.", "Zu schwach: sofort zu erraten."],
    [
      4,
      "weak",
      "Too weak: ten graphics cards need about 1 second to guess it.",
      "Zu schwach: Zehn Grafikkarten brauchen etwa 1 Sekunde, um es zu erraten.",
    ],
    [
      8,
      "weak",
      "Too weak: ten graphics cards need about 3 hours to guess it.",
      "Zu schwach: Zehn Grafikkarten brauchen etwa 3 Stunden, um es zu erraten.",
    ],
    [
      10,
      "fair",
      "Fair: ten graphics cards need about 12 days to guess it.",
      "Ausreichend: Zehn Grafikkarten brauchen etwa 12 Tage, um es zu erraten.",
    ],
    [
      11,
      "fair",
      "Fair: ten graphics cards need about 4 months to guess it.",
      "Ausreichend: Zehn Grafikkarten brauchen etwa 4 Monate, um es zu erraten.",
    ],
    [
      12,
      "good",
      "Good: ten graphics cards need about 3 years to guess it.",
      "Gut: Zehn Grafikkarten brauchen etwa 3 Jahre, um es zu erraten.",
    ],
    [
      14,
      "strong",
      "Strong: ten graphics cards need centuries to guess it.",
      "Stark: Zehn Grafikkarten brauchen Jahrhunderte, um es zu erraten.",
    ],
  ] as const)("of 10^%s guesses is %s", (guessesLog10, level, inEnglish, inGerman) => {
    expect(levelOf(estimate(guessesLog10))).toBe(level);
    expect(strengthInWords(english, estimate(guessesLog10), 12).summary).toBe(inEnglish);
    expect(strengthInWords(german, estimate(guessesLog10), 12).summary).toBe(inGerman);
  });

  it("says what is wrong first, then at most two things that help", () => {
    const weak = estimate(4, { warning: "topTen", suggestions: ["anotherWord", "capitalization", "l33t"] });
    expect(strengthInWords(english, weak, 7).advice).toEqual([
      "At least 8 characters.",
      "This is one of the ten most common passwords.",
      "Add one or two uncommon words.",
      "Starting with a capital hardly helps.",
    ]);
    expect(strengthInWords(english, estimate(12), 14).advice).toEqual([]);
  });

  it.each([english, german])("has words for all advice", (t) => {
    const words = [
      ...PASSWORD_WARNINGS.map((warning) => t(`passwords.warning.${warning}`)),
      ...PASSWORD_SUGGESTIONS.map((suggestion) => t(`passwords.suggestion.${suggestion}`)),
    ];
    expect(words.filter((word) => word === "" || word.startsWith("passwords."))).toEqual([]);
  });
});
