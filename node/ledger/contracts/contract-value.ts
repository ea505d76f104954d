// Values that calls carry: JSON without fractions, its integers exact. The same bytes mean the same value in every runtime.
import { MAX_ARGUMENTS_BYTES } from "#shared/protocol/primitives/limits.ts";
import { utf8 } from "#shared/util/bytes.ts";

/** A value of a JSON text; integers are bigints, objects keep the order of their keys. */
export type ContractValue = null | boolean | bigint | string | readonly ContractValue[] | ReadonlyMap<string, ContractValue>;

/** Largest unsigned 64-bit integer. */
export const MAX_U64 = (1n << 64n) - 1n;

const MIN_I64 = -(1n << 63n);
const MAX_DEPTH = 8;
const TOKEN = /[ \t\n\r]*(?:([[\]{},:])|("(?:[^"\\]|\\.)*")|(-?(?:0|[1-9]\d*)(?![\d.eE]))|(true|false|null))/y;

/** Arguments of a JSON list ("" for none), or undefined when the text is none, too long, or holds a fraction or an integer over 64 bits. */
export function parseArguments(text: string): readonly ContractValue[] | undefined {
  if (text === "") return [];
  if (utf8(text).length > MAX_ARGUMENTS_BYTES) return undefined;
  try {
    const reader = new ValueReader(text);
    const value = reader.read(0);
    return reader.isAtEnd() && Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class ValueReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @throws SyntaxError when no value follows. */
  read(depth: number): ContractValue {
    return this.#valueOf(this.#token(), depth);
  }

  isAtEnd(): boolean {
    return /^[ \t\n\r]*$/.test(this.#text.slice(this.#at));
  }

  #valueOf(token: string, depth: number): ContractValue {
    if (depth > MAX_DEPTH) throw new SyntaxError("too deep");
    if (token === "[") return this.#list(depth);
    if (token === "{") return this.#object(depth);
    if (token.startsWith('"')) return textOf(token);
    if (token === "null") return null;
    if (token === "true" || token === "false") return token === "true";
    return integerOf(token);
  }

  #list(depth: number): readonly ContractValue[] {
    const items: ContractValue[] = [];
    let token = this.#token();
    if (token === "]") return items;
    for (;;) {
      items.push(this.#valueOf(token, depth + 1));
      if (this.#isLast("]")) return items;
      token = this.#token();
    }
  }

  #object(depth: number): ReadonlyMap<string, ContractValue> {
    const members = new Map<string, ContractValue>();
    let token = this.#token();
    if (token === "}") return members;
    for (;;) {
      if (!token.startsWith('"')) throw new SyntaxError("a key is a text");
      const key = textOf(token);
      if (members.has(key) || this.#token() !== ":") throw new SyntaxError("a key stands once, before a colon");
      members.set(key, this.read(depth + 1));
      if (this.#isLast("}")) return members;
      token = this.#token();
    }
  }

  #isLast(end: string): boolean {
    const token = this.#token();
    if (token !== "," && token !== end) throw new SyntaxError("a comma is missing");
    return token === end;
  }

  #token(): string {
    TOKEN.lastIndex = this.#at;
    const match = TOKEN.exec(this.#text);
    if (match === null) throw new SyntaxError("no token");
    this.#at = TOKEN.lastIndex;
    return match[1] ?? match[2] ?? match[3] ?? match[4] ?? "";
  }
}

/** @throws SyntaxError for a wrong escape, a control character or an unpaired surrogate. */
function textOf(token: string): string {
  const text = JSON.parse(token) as string;
  if (!text.isWellFormed()) throw new SyntaxError("an unpaired surrogate");
  return text;
}

function integerOf(token: string): bigint {
  if (!/^-?\d{1,20}$/.test(token) || token === "-0") throw new SyntaxError("no value");
  const value = BigInt(token);
  if (value < MIN_I64 || value > MAX_U64) throw new SyntaxError("more than 64 bits");
  return value;
}
