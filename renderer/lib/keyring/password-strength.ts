// An honest, small estimate of how many guesses a password survives. It counts what a guesser would try first (common passwords,
// words with digits, runs, repeats, dates) and treats the rest as random; it errs towards "weak".

/** How strong a password is, in the four steps that the interface shows. */
export type PasswordStrength = "empty" | "weak" | "fair" | "good" | "strong";

/** Shortest password that is accepted, characters. */
export const MIN_PASSWORD_CHARS = 10;

/** Below this many bits a password is refused. */
const FAIR_BITS = 36;
const GOOD_BITS = 50;
const STRONG_BITS = 66;

/** Bits of a word out of a common list; ten thousand words. */
const WORD_BITS = 13.3;
const COMMON_BITS = 6;
const REPEAT_BITS = 1.5;

const COMMON = [
  "password",
  "passwort",
  "parley",
  "wallet",
  "bitcoin",
  "crypto",
  "letmein",
  "welcome",
  "admin",
  "login",
  "master",
  "secret",
  "dragon",
  "monkey",
  "football",
  "baseball",
  "iloveyou",
  "sunshine",
  "princess",
  "superman",
  "trustno1",
  "changeme",
  "qwerty",
  "qwertz",
  "azerty",
  "asdf",
  "zxcv",
  "1q2w3e4r",
  "abc123",
  "test",
];
const RUNS = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "qwertzuiop", "asdfghjkl", "zxcvbnm"];
const SUBSTITUTIONS: Readonly<Record<string, string>> = { "@": "a", "4": "a", "0": "o", "3": "e", "1": "i", $: "s", "5": "s", "7": "t" };

/** Estimated bits of guessing work: log2 of the guesses a well-prepared guesser needs. */
export function passwordBits(password: string): number {
  let bits = 0;
  let rest = password;
  while (rest !== "") {
    const token = nextToken(rest);
    bits += token.bits;
    rest = rest.slice(token.length);
  }
  return bits;
}

/** Step of a password. Shorter than the minimum is always weak. */
export function passwordStrength(password: string): PasswordStrength {
  if (password === "") return "empty";
  const bits = passwordBits(password);
  if (password.length < MIN_PASSWORD_CHARS || bits < FAIR_BITS) return "weak";
  if (bits < GOOD_BITS) return "fair";
  return bits < STRONG_BITS ? "good" : "strong";
}

/** True when a password may protect keys. */
export function isAcceptablePassword(password: string): boolean {
  const strength = passwordStrength(password);
  return strength !== "empty" && strength !== "weak";
}

interface Token {
  readonly length: number;
  readonly bits: number;
}

function nextToken(text: string): Token {
  return commonToken(text) ?? repeatToken(text) ?? runToken(text) ?? numberToken(text) ?? wordToken(text) ?? characterToken(text);
}

function commonToken(text: string): Token | undefined {
  const plain = [...text.toLowerCase()].map((character) => SUBSTITUTIONS[character] ?? character).join("");
  const lower = text.toLowerCase();
  const found = COMMON.find((word) => plain.startsWith(word) || lower.startsWith(word));
  return found === undefined ? undefined : { length: found.length, bits: COMMON_BITS };
}

function repeatToken(text: string): Token | undefined {
  const length = /^(.{1,4}?)\1{2,}/u.exec(text)?.[0].length;
  return length === undefined ? undefined : { length, bits: 5 + REPEAT_BITS * Math.log2(length) };
}

function runToken(text: string): Token | undefined {
  const lower = text.toLowerCase();
  let longest = 0;
  for (const run of RUNS.flatMap((forward) => [forward, [...forward].reverse().join("")])) {
    let length = 0;
    while (length < lower.length && run.includes(lower.slice(0, length + 1))) length += 1;
    longest = Math.max(longest, length);
  }
  return longest < 3 ? undefined : { length: longest, bits: 5 + Math.log2(longest) };
}

function numberToken(text: string): Token | undefined {
  const digits = /^\d+/.exec(text)?.[0];
  if (digits === undefined) return undefined;
  if (/^(19|20)\d\d$/.test(digits)) return { length: 4, bits: 7 };
  const isDate = /^(0?[1-9]|[12]\d|3[01])(0?[1-9]|1[0-2])((19|20)?\d\d)$/.test(digits);
  return { length: digits.length, bits: isDate ? 15 : Math.min(digits.length, 24) * Math.log2(10) };
}

function wordToken(text: string): Token | undefined {
  const word = /^\p{L}{3,}/u.exec(text)?.[0];
  if (word === undefined) return undefined;
  const isPlainCase = /^\p{Lu}?\p{Ll}+$/u.test(word) || /^\p{Lu}+$/u.test(word);
  const hasVowels = /[aeiouyäöüаеиоуыэюя]/iu.test(word) && !/[^aeiouyäöü]{5,}/iu.test(word.normalize("NFC"));
  const random = word.length * Math.log2(isPlainCase ? 26 : 52);
  const bits = isPlainCase && hasVowels ? Math.min(WORD_BITS * Math.max(1, word.length / 9), random) : random;
  return { length: word.length, bits };
}

function characterToken(text: string): Token {
  const character = [...text][0] ?? "";
  return { length: character.length, bits: character === " " || character === "-" ? 1 : 4.5 };
}
