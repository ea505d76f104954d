import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MASTER_KEY_PATH, masterSeed } from "#shared/keyring/vault/derivation.ts";
import { entropyOfPhrase, phraseOfEntropy, seedOfPhrase } from "#shared/keyring/vault/phrase.ts";
import { drawQuiz, isQuizPassed } from "#shared/keyring/vault/phrase-quiz.ts";
import { slip10Derive } from "#shared/keyring/vault/slip10.ts";
import { toHex } from "#shared/util/bytes.ts";
import { systemRandom } from "#test/support/worlds/keyring-world.ts";

const words = phraseOfEntropy(new Uint8Array(32).fill(7));

describe("recovery phrase", () => {
  it("survives any entropy both ways", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (entropy) => {
        expect(toHex(entropyOfPhrase(phraseOfEntropy(entropy).join(" ")))).toBe(toHex(entropy));
      }),
      { seed: 24, numRuns: 50 },
    );
  });

  it("is read in any case and spacing", () => {
    expect(toHex(entropyOfPhrase(`  ${words.join("\n\t ").toUpperCase()} `))).toBe("07".repeat(32));
  });

  it.each([
    ["too few words", words.slice(1).join(" "), { words: 23 }],
    ["an unknown word", [...words.slice(0, 4), "parley", ...words.slice(5)].join(" "), { position: 5 }],
    ["a wrong checksum", [words[1], words[0], ...words.slice(2)].join(" "), {}],
    ["nothing", "", { words: 0 }],
  ])("with %s is refused without repeating it", (_, phrase, details) => {
    expect(() => entropyOfPhrase(phrase)).toThrowError(expect.objectContaining({ code: "PHRASE_INVALID", details }));
    expect(() => entropyOfPhrase(phrase)).toThrowError(expect.objectContaining({ message: expect.not.stringContaining("parley") }));
  });

  it("gives the master key of the documented path, always the same", () => {
    expect(MASTER_KEY_PATH).toEqual([44, 28_780, 0, 0]);
    const seed = seedOfPhrase(words);
    expect(toHex(masterSeed(seed))).toBe(toHex(slip10Derive(seed, [44, 28_780, 0, 0]).key));
    expect(toHex(masterSeed(seed))).toBe("cfa8a3059ce2666ae90a43b6551945d94804637f92edc7c99a4c1da928ac7c02");
  });
});

describe("phrase quiz", () => {
  it("asks for three distinct positions in order", () => {
    const seen = new Set<number>();
    for (let i = 0; i < 300; i += 1) {
      const quiz = drawQuiz(systemRandom);
      expect(new Set(quiz).size).toBe(3);
      expect([...quiz].sort((a, b) => a - b)).toEqual(quiz);
      for (const position of quiz) seen.add(position);
    }
    expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
  });

  it("is passed only by the right words at exactly these positions", () => {
    const answer = (position: number, word = words[position - 1] ?? ""): { position: number; word: string } => ({ position, word });
    expect(isQuizPassed([1, 5, 9], [answer(9), answer(1, ` ${words[0]?.toUpperCase()} `), answer(5)], words)).toBe(true);
    expect(isQuizPassed([1, 5, 9], [answer(1), answer(5), answer(9, "zoo")], words)).toBe(false);
    expect(isQuizPassed([1, 5, 9], [answer(1), answer(5)], words)).toBe(false);
    expect(isQuizPassed([1, 5, 9], [answer(1), answer(5), answer(9), answer(10)], words)).toBe(false);
    expect(isQuizPassed([1, 5, 9], [answer(1), answer(5), answer(10)], words)).toBe(false);
  });
});
