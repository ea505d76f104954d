// Recovery phrases: 24 English words of BIP39.
import { entropyToMnemonic, mnemonicToEntropy, mnemonicToSeedSync } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { CodedError } from "#shared/errors/coded-error.ts";

/** Words of a phrase. */
export const PHRASE_WORDS = 24;
/** Entropy of a phrase, bytes. */
export const ENTROPY_BYTES = 32;

const words = new Set(wordlist);

/** The words of 32 bytes of entropy. */
export function phraseOfEntropy(entropy: Uint8Array): readonly string[] {
  return entropyToMnemonic(entropy, wordlist).split(" ");
}

/**
 * Entropy of a phrase as typed: any case, any white space between the words.
 * @throws CodedError PHRASE_INVALID; details name the position of an unknown word, never the word.
 */
export function entropyOfPhrase(text: string): Uint8Array {
  const typed = text.normalize("NFKD").toLowerCase().split(/\s+/).filter(Boolean);
  if (typed.length !== PHRASE_WORDS)
    throw new CodedError("PHRASE_INVALID", `A recovery phrase has ${PHRASE_WORDS} words, not ${typed.length}`, {
      details: { words: typed.length },
    });
  const unknown = typed.findIndex((word) => !words.has(word));
  if (unknown >= 0)
    throw new CodedError("PHRASE_INVALID", `Word ${unknown + 1} is not in the word list`, { details: { position: unknown + 1 } });
  try {
    return mnemonicToEntropy(typed.join(" "), wordlist);
  } catch {
    throw new CodedError("PHRASE_INVALID", "The words do not form a valid phrase: check each word and the order");
  }
}

/** BIP39 seed (64 bytes) of the words. Parley itself uses no passphrase. */
export function seedOfPhrase(phrase: readonly string[], passphrase = ""): Uint8Array {
  return mnemonicToSeedSync(phrase.join(" "), passphrase);
}
