import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimatePassword, requirePassword } from "#shared/keyring/passwords/estimate-password.ts";
import { MIN_GUESSES_LOG10, MIN_PASSWORD_CHARS } from "#shared/keyring/passwords/password-estimate.ts";
import { extent } from "#test/support/host/test-extent.ts";

describe("a password of a vault", () => {
  it.each([
    "",
    "password",
    "P@ssw0rd123",
    "password1234",
    "qwertyuiop12",
    "aaaaaaaaaaaaaaaa",
    "abcabcabcabcabc",
    "1234567890123",
    "1212199012121990",
    "letmeinletmein",
    "Tr0ub4dor",
    "parleywallet1",
    "abcdefghijklmnop",
    "Sommer2024!",
    "Passwort123!",
    "Fussball1990",
    "x7#Kq!2",
    "a".repeat(1_024),
    "Aq9!".repeat(64),
  ])("is refused when it is %s", async (password) => {
    const estimate = await estimatePassword({ password });
    expect(estimate.isAcceptable).toBe(false);
    if (password !== "") expect([estimate.warning, ...estimate.suggestions].filter((advice) => advice !== null)).not.toEqual([]);
    await expect(requirePassword(password)).rejects.toMatchObject({ code: "PASSWORD_WEAK", details: { field: "password" } });
  });

  it.each([
    "violet kettle harbour march",
    "correct horse battery",
    "Lieblingsessen Pizza",
    "x7#Kq!2vPz9@Lm",
    "gV8w-3RtY-9pLq",
    "Сегодня идёт снег",
  ])("is taken when it is %s, without advice", async (password) => {
    expect(await estimatePassword({ password })).toMatchObject({ isAcceptable: true, warning: null, suggestions: [] });
    await requirePassword(password);
  });

  it("is worth less with the person's own name, and with parts of it", async () => {
    const password = "Xanthippe Brzoska 12";
    const alone = await estimatePassword({ password });
    const known = await estimatePassword({ password, words: ["Xanthippe Brzoska"] });
    const apart = await estimatePassword({ password: "Brzoska-Xanthippe", words: ["Xanthippe Brzoska"] });
    expect(known.guessesLog10).toBeLessThan(alone.guessesLog10);
    expect(known).toMatchObject({ isAcceptable: false, warning: "userInputs" });
    expect(apart.isAcceptable).toBe(false);
  });

  it("is judged in the form that its key is derived from", async () => {
    const composed = await estimatePassword({ password: "Übermütig" });
    expect(await estimatePassword({ password: "Übermütig".normalize("NFD") })).toEqual(composed);
    expect((await estimatePassword({ password: "ｐａｓｓｗｏｒｄ１" })).guessesLog10).toBeLessThan(5);
  });

  it("is never taken below the floor, whatever is typed and whatever is said of it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 80 }), fc.array(fc.string(), { maxLength: 4 }), async (password, words) => {
        const { guessesLog10, isAcceptable } = await estimatePassword({ password, words });
        expect(Number.isFinite(guessesLog10) && guessesLog10 >= 0).toBe(true);
        expect(isAcceptable).toBe([...password].length >= MIN_PASSWORD_CHARS && guessesLog10 >= MIN_GUESSES_LOG10);
      }),
      { numRuns: extent(35, 100) },
    );
  });
});
