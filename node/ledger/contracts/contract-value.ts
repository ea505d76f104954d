// Values that calls carry: JSON without fractions, its integers exact. The same bytes mean the same value in every runtime.
import { MAX_ARGUMENTS_BYTES } from "#shared/protocol/primitives/limits.ts";
import { utf8, utf8Length } from "#shared/util/bytes.ts";

/** A value of a JSON text; integers are bigints, objects keep the order of their keys. */
export type ContractValue = null | boolean | bigint | string | readonly ContractValue[] | ReadonlyMap<string, ContractValue>;

/** Largest unsigned 64-bit integer. */
export const MAX_U64 = (1n << 64n) - 1n;

const MIN_I64 = -(1n << 63n);
const MAX_DEPTH = 8;
/** Characters that are counted one by one. */
const SHORT_TEXT = 512;
/** Digits of an integer that a number holds exactly. */
const EXACT_DIGITS = 15;
const MOST_DIGITS = 20;

const CHAR = { quote: 0x22, comma: 0x2c, minus: 0x2d, zero: 0x30, nine: 0x39, colon: 0x3a } as const;
const BRACKET = { list: 0x5b, backslash: 0x5c, listEnd: 0x5d, object: 0x7b, objectEnd: 0x7d } as const;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Arguments of a JSON list ("" for none), or undefined when the text is none, too long, or holds a fraction or an integer over 64 bits. */
export function parseArguments(text: string): readonly ContractValue[] | undefined {
  if (text === "") return [];
  if (lengthOf(text) > MAX_ARGUMENTS_BYTES) return undefined;
  try {
    const value = new ValueReader(text).readWhole();
    return Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof NoValue) return undefined;
    throw error;
  }
}

/** Bytes of a text in UTF-8; of a long one the encoder counts them faster. */
export function lengthOf(text: string): number {
  return text.length <= SHORT_TEXT ? utf8Length(text) : utf8(text).length;
}

/** Says that a text is no value. An error of its own: the engine's SyntaxErrors also come of patterns that it has no stack to compile. */
class NoValue extends Error {}

/** One pass over the characters: contracts pay for their arguments by the byte, so no byte may cost much more than another. */
class ValueReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @throws NoValue when the text is not one value. */
  readWhole(): ContractValue {
    const value = this.#value(0);
    this.#skipSpace();
    if (this.#at !== this.#text.length) throw new NoValue("something follows");
    return value;
  }

  #value(depth: number): ContractValue {
    if (depth > MAX_DEPTH) throw new NoValue("too deep");
    this.#skipSpace();
    const char = this.#text.charCodeAt(this.#at);
    if (char === BRACKET.list) return this.#list(depth);
    if (char === BRACKET.object) return this.#object(depth);
    if (char === CHAR.quote) return this.#string();
    if (char === CHAR.minus || isDigit(char)) return this.#integer();
    return this.#constant();
  }

  #list(depth: number): readonly ContractValue[] {
    this.#at += 1;
    const items: ContractValue[] = [];
    if (this.#skips(BRACKET.listEnd)) return items;
    for (;;) {
      items.push(this.#value(depth + 1));
      if (this.#skips(BRACKET.listEnd)) return items;
      this.#expect(CHAR.comma);
    }
  }

  #object(depth: number): ReadonlyMap<string, ContractValue> {
    this.#at += 1;
    const members = new Map<string, ContractValue>();
    if (this.#skips(BRACKET.objectEnd)) return members;
    for (;;) {
      this.#skipSpace();
      if (this.#text.charCodeAt(this.#at) !== CHAR.quote) throw new NoValue("a key is a text");
      const key = this.#string();
      if (members.has(key)) throw new NoValue("a key stands once");
      this.#expect(CHAR.colon);
      members.set(key, this.#value(depth + 1));
      if (this.#skips(BRACKET.objectEnd)) return members;
      this.#expect(CHAR.comma);
    }
  }

  #string(): string {
    const start = this.#at + 1;
    let at = start;
    let mayBeUnpaired = false;
    for (;;) {
      const char = this.#text.charCodeAt(at);
      if (char === CHAR.quote) break;
      if (char === BRACKET.backslash) return this.#escaped(start, at);
      if (!(char >= 0x20)) throw new NoValue("a text does not end, or holds a control character");
      if (char >= 0xd800 && char < 0xe000) mayBeUnpaired = true;
      at += 1;
    }
    this.#at = at + 1;
    return wellFormed(this.#text.slice(start, at), mayBeUnpaired);
  }

  /** Rest of a text from its first escape on. */
  #escaped(start: number, first: number): string {
    const text = this.#text;
    let value = text.slice(start, first);
    let at = first;
    for (;;) {
      const char = text.charCodeAt(at);
      if (char === CHAR.quote) break;
      if (!(char >= 0x20)) throw new NoValue("a text does not end, or holds a control character");
      if (char !== BRACKET.backslash) {
        value += text[at];
        at += 1;
        continue;
      }
      const letter = text[at + 1] ?? "";
      const plain = ESCAPES[letter];
      if (plain === undefined) value += unicodeEscape(text, at);
      else value += plain;
      at += plain === undefined ? 6 : 2;
    }
    this.#at = at + 1;
    return wellFormed(value, true);
  }

  #integer(): bigint {
    const text = this.#text;
    const start = this.#at;
    const digits = text.charCodeAt(start) === CHAR.minus ? start + 1 : start;
    let at = digits;
    while (isDigit(text.charCodeAt(at))) at += 1;
    this.#at = at;
    const count = at - digits;
    const hasLeadingZero = count > 1 && text.charCodeAt(digits) === CHAR.zero;
    if (count === 0 || count > MOST_DIGITS || hasLeadingZero) throw new NoValue("no integer");
    const digitsText = text.slice(start, at);
    if (digitsText === "-0") throw new NoValue("no integer");
    const value = BigInt(count <= EXACT_DIGITS ? Number(digitsText) : digitsText);
    if (value < MIN_I64 || value > MAX_U64) throw new NoValue("more than 64 bits");
    return value;
  }

  #constant(): null | boolean {
    for (const [word, value] of CONSTANTS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    throw new NoValue("no value");
  }

  #skipSpace(): void {
    for (;;) {
      const char = this.#text.charCodeAt(this.#at);
      if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return;
      this.#at += 1;
    }
  }

  #skips(char: number): boolean {
    this.#skipSpace();
    if (this.#text.charCodeAt(this.#at) !== char) return false;
    this.#at += 1;
    return true;
  }

  #expect(char: number): void {
    if (!this.#skips(char)) throw new NoValue("a comma or colon is missing");
  }
}

const CONSTANTS: readonly (readonly [string, null | boolean])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
];

function isDigit(char: number): boolean {
  return char >= CHAR.zero && char <= CHAR.nine;
}

/** Character of a `\uXXXX`. */
function unicodeEscape(text: string, at: number): string {
  const hex = text.slice(at + 2, at + 6);
  if (text[at + 1] !== "u" || !/^[0-9a-fA-F]{4}$/.test(hex)) throw new NoValue("a wrong escape");
  return String.fromCharCode(Number.parseInt(hex, 16));
}

function wellFormed(text: string, mayBeUnpaired: boolean): string {
  if (mayBeUnpaired && !text.isWellFormed()) throw new NoValue("an unpaired surrogate");
  return text;
}
