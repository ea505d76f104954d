// JSON: a writer that grows one buffer of UTF-8, and a reader that is asked for what should come next. Neither knows fractions.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { revert } from "../parley";
import { u128 } from "./u128";
import { u256 } from "./u256";

@lazy
const HEX: string = "0123456789abcdef";
const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
const COMMA: u8 = 0x2c;
const COLON: u8 = 0x3a;
const LIST: u8 = 0x5b;
const LIST_END: u8 = 0x5d;
const OBJECT: u8 = 0x7b;
const OBJECT_END: u8 = 0x7d;
/** Lists and objects inside each other that are skipped at most. */
const MAX_DEPTH: i32 = 32;

/** Writes one JSON text. Commas come by themselves. */
export class JsonWriter {
  private buffer: ArrayBuffer = new ArrayBuffer(128);
  private length: i32 = 0;

  startObject(): JsonWriter {
    this.separate();
    return this.byte(OBJECT);
  }

  endObject(): JsonWriter {
    return this.byte(OBJECT_END);
  }

  startList(): JsonWriter {
    this.separate();
    return this.byte(LIST);
  }

  endList(): JsonWriter {
    return this.byte(LIST_END);
  }

  /** Name of the member whose value comes next. */
  name(name: string): JsonWriter {
    this.string(name);
    return this.byte(COLON);
  }

  string(text: string): JsonWriter {
    this.separate();
    this.byte(QUOTE);
    let start = 0;
    const length = text.length;
    for (let at = 0; at < length; at += 1) {
      const code = <i32>load<u16>(changetype<usize>(text) + (<usize>at << 1));
      if (code >= 0x20 && code != 0x22 && code != 0x5c) continue;
      if (at > start) this.raw(text.substring(start, at));
      if (code >= 0x20) {
        this.byte(BACKSLASH);
        this.byte(<u8>code);
      } else {
        this.raw("\\u00" + HEX.charAt(code >> 4) + HEX.charAt(code & 15));
      }
      start = at + 1;
    }
    if (start < length) this.raw(start == 0 ? text : text.substring(start));
    return this.byte(QUOTE);
  }

  /** An integer of any type. */
  integer<T extends number>(integer: T): JsonWriter {
    this.separate();
    return this.raw(integer.toString());
  }

  bool(flag: bool): JsonWriter {
    this.separate();
    return this.raw(flag ? "true" : "false");
  }

  null(): JsonWriter {
    this.separate();
    return this.raw("null");
  }

  /** A u128, as text of its digits. */
  u128(integer: u128): JsonWriter {
    return this.string(integer.toString());
  }

  /** A u256, as text of its digits. */
  u256(integer: u256): JsonWriter {
    return this.string(integer.toString());
  }

  /** Bytes, as hex. */
  bytes(bytes: ArrayBuffer): JsonWriter {
    this.separate();
    this.byte(QUOTE);
    this.reserve(2 * bytes.byteLength);
    for (let at = 0; at < bytes.byteLength; at += 1) {
      const byte = <i32>load<u8>(changetype<usize>(bytes) + at);
      this.byte(<u8>HEX.charCodeAt(byte >> 4));
      this.byte(<u8>HEX.charCodeAt(byte & 15));
    }
    return this.byte(QUOTE);
  }

  /** A value that is JSON already. */
  json(json: string): JsonWriter {
    this.separate();
    return this.raw(json);
  }

  /** UTF-8 of the text. */
  toBytes(): ArrayBuffer {
    return this.buffer.slice(0, this.length);
  }

  toString(): string {
    return String.UTF8.decodeUnsafe(changetype<usize>(this.buffer), this.length);
  }

  private separate(): void {
    if (this.length == 0) return;
    const last = load<u8>(changetype<usize>(this.buffer) + this.length - 1);
    // A text that ends with one of these is quoted, so its last byte is the quote.
    if (last != OBJECT && last != LIST && last != COLON) this.byte(COMMA);
  }

  private byte(byte: u8): JsonWriter {
    this.reserve(1);
    store<u8>(changetype<usize>(this.buffer) + this.length, byte);
    this.length += 1;
    return this;
  }

  private raw(text: string): JsonWriter {
    this.reserve(3 * text.length);
    const end = changetype<usize>(this.buffer) + this.length;
    this.length += <i32>String.UTF8.encodeUnsafe(changetype<usize>(text), text.length, end);
    return this;
  }

  private reserve(more: i32): void {
    const needed = this.length + more;
    if (needed <= this.buffer.byteLength) return;
    const grown = new ArrayBuffer(max(needed, 2 * this.buffer.byteLength));
    memory.copy(changetype<usize>(grown), changetype<usize>(this.buffer), this.length);
    this.buffer = grown;
  }
}

/** Reads one JSON text from its beginning on. What is not as it was asked for ends the call; `what` says whose fault it is. */
export class JsonReader {
  private at: i32 = 0;
  private readonly start: usize;

  constructor(
    private readonly input: ArrayBuffer,
    private readonly what: string = "a JSON text",
  ) {
    this.start = changetype<usize>(input);
  }

  static of(text: string, what: string = "a JSON text"): JsonReader {
    return new JsonReader(String.UTF8.encode(text), what);
  }

  /** Reads over a null when one comes next. */
  isNull(): bool {
    if (this.peek() != 0x6e) return false;
    this.word("null");
    return true;
  }

  bool(): bool {
    const isTrue = this.peek() == 0x74;
    this.word(isTrue ? "true" : "false");
    return isTrue;
  }

  /** An integer of any type, exact; of 64 bits also as a text of its digits. */
  integer<T extends number>(): T {
    const isText = this.peek() == QUOTE;
    if (isText) this.at += 1;
    const isNegative = this.current() == 0x2d;
    if (isNegative) this.at += 1;
    const first = this.at;
    let magnitude: u64 = 0;
    while (isDigit(this.current())) {
      const digit = <u64>(this.current() - 0x30);
      if (magnitude > 1844674407370955161 || (magnitude == 1844674407370955161 && digit > 5)) this.fail("an integer that fits");
      magnitude = magnitude * 10 + digit;
      this.at += 1;
    }
    const count = this.at - first;
    if (count == 0 || (count > 1 && load<u8>(this.start + first) == 0x30) || (isNegative && magnitude == 0)) this.fail("an integer");
    if (isText) this.expect(QUOTE);
    const code = this.current();
    if (code == 0x2e || code == 0x65 || code == 0x45) this.fail("an integer");
    if (isSigned<T>()) {
      const largest = ((<u64>1) << (sizeof<T>() * 8 - 1)) - (isNegative ? 0 : 1);
      if (magnitude > largest) this.fail("an integer that fits");
      return <T>(isNegative ? 0 - <i64>magnitude : <i64>magnitude);
    }
    if (isNegative || (sizeof<T>() < 8 && magnitude >> (sizeof<T>() * 8) != 0)) this.fail("an integer that fits");
    return <T>magnitude;
  }

  /** A text, its escapes read. */
  string(): string {
    this.expect(QUOTE);
    let text = "";
    let from = this.at;
    while (true) {
      const code = this.current();
      if (code < 0x20) this.fail("the end of a text");
      if (code == QUOTE || code == BACKSLASH) {
        if (this.at > from) text += String.UTF8.decodeUnsafe(this.start + from, this.at - from);
        this.at += 1;
        if (code == QUOTE) return text;
        text += this.escape();
        from = this.at;
      } else {
        this.at += 1;
      }
    }
  }

  u128(): u128 {
    return u128.parse(this.string());
  }

  u256(): u256 {
    return u256.parse(this.string());
  }

  /** Bytes, of hex in either case. */
  bytes(): ArrayBuffer {
    const text = this.string();
    if ((text.length & 1) != 0) this.fail("hex");
    const bytes = new ArrayBuffer(text.length >> 1);
    for (let at = 0; at < bytes.byteLength; at += 1) {
      const byte = (hexDigit(text.charCodeAt(2 * at)) << 4) | hexDigit(text.charCodeAt(2 * at + 1));
      if (byte < 0) this.fail("hex");
      store<u8>(changetype<usize>(bytes) + at, <u8>byte);
    }
    return bytes;
  }

  startList(): void {
    this.expect(LIST);
  }

  /** True when another item comes; `isFirst` before the first one. */
  hasItem(isFirst: bool): bool {
    return this.hasNext(LIST_END, isFirst);
  }

  startObject(): void {
    this.expect(OBJECT);
  }

  /** Name of the next member, or null at the end of the object. */
  member(isFirst: bool): string | null {
    if (!this.hasNext(OBJECT_END, isFirst)) return null;
    const name = this.string();
    this.expect(COLON);
    return name;
  }

  /** JSON of the next value, as it is written. */
  raw(): string {
    this.peek();
    const from = this.at;
    this.skip();
    return String.UTF8.decodeUnsafe(this.start + from, this.at - from);
  }

  /** Passes over the next value. */
  skip(depth: i32 = 0): void {
    if (depth > MAX_DEPTH) this.fail("fewer lists inside each other");
    const code = this.peek();
    if (code == LIST) {
      this.startList();
      let isFirst = true;
      while (this.hasItem(isFirst)) {
        isFirst = false;
        this.skip(depth + 1);
      }
    } else if (code == OBJECT) {
      this.startObject();
      let isFirst = true;
      while (this.member(isFirst) !== null) {
        isFirst = false;
        this.skip(depth + 1);
      }
    } else if (code == QUOTE) {
      this.string();
    } else if (code == 0x6e) {
      this.word("null");
    } else if (code == 0x74 || code == 0x66) {
      this.bool();
    } else if (code == 0x2d) {
      this.integer<i64>();
    } else {
      this.integer<u64>();
    }
  }

  /** Ends the call unless the text is at its end. */
  end(): void {
    this.peek();
    if (this.at < this.input.byteLength) this.fail("the end");
  }

  /** Ends the call: something else should be here. */
  fail(expected: string): void {
    revert(this.what + ": " + expected + " should stand at byte " + this.at.toString());
  }

  private hasNext(end: u8, isFirst: bool): bool {
    if (this.peek() == end) {
      this.at += 1;
      return false;
    }
    if (!isFirst) this.expect(COMMA);
    return true;
  }

  private escape(): string {
    const code = this.current();
    this.at += 1;
    if (code == 0x75) return String.fromCharCode(this.hex4());
    if (code == 0x6e) return "\n";
    if (code == 0x74) return "\t";
    if (code == 0x72) return "\r";
    if (code == 0x62) return "\b";
    if (code == 0x66) return "\f";
    if (code != QUOTE && code != BACKSLASH && code != 0x2f) this.fail("an escape");
    return String.fromCharCode(code);
  }

  private hex4(): i32 {
    let value = 0;
    for (let count = 0; count < 4; count += 1) {
      const digit = hexDigit(this.current());
      if (digit < 0) this.fail("an escape");
      value = (value << 4) | digit;
      this.at += 1;
    }
    return value;
  }

  /** The next byte, −1 at the end. */
  private current(): i32 {
    return this.at < this.input.byteLength ? <i32>load<u8>(this.start + this.at) : -1;
  }

  /** The same behind space. */
  private peek(): i32 {
    while (true) {
      const code = this.current();
      if (code != 0x20 && code != 0x0a && code != 0x0d && code != 0x09) return code;
      this.at += 1;
    }
  }

  private expect(byte: u8): void {
    if (this.peek() != <i32>byte) this.fail(String.fromCharCode(byte));
    this.at += 1;
  }

  private word(word: string): void {
    for (let at = 0; at < word.length; at += 1) {
      if (this.current() != word.charCodeAt(at)) this.fail(word);
      this.at += 1;
    }
  }
}

function isDigit(code: i32): bool {
  return code >= 0x30 && code <= 0x39;
}

function hexDigit(code: i32): i32 {
  if (isDigit(code)) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
