// Byte strings: hex, base64, UTF-8, comparison. Runs anywhere. Hex and base64 are read by tables: every transaction comes as text.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const HEX_DIGITS = "0123456789abcdef";
const BASE64_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PADDING = 61;
const HEX_VALUES = valuesOf(`${HEX_DIGITS}ABCDEF`, (digit) => Number.parseInt(digit, 16));
const BASE64_VALUES = valuesOf(BASE64_DIGITS, (digit) => BASE64_DIGITS.indexOf(digit));
const BASE64_CODES = Uint8Array.from(BASE64_DIGITS, (digit) => digit.charCodeAt(0));
const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
/** Character codes of the two digits of each byte. */
const HIGH_DIGITS = Uint8Array.from(HEX_OF_BYTE, (hex) => hex.charCodeAt(0));
const LOW_DIGITS = Uint8Array.from(HEX_OF_BYTE, (hex) => hex.charCodeAt(1));
/** Bytes that become hex in one call: texts put together from many short ones cost more than all else. */
const HEX_CHUNK = 8;
/** Bytes that become base64 at once: a multiple of three, few enough to be arguments of one call. */
const BASE64_CHUNK = 3_072;
/** Bytes from which base64 is written and read as bytes at once. */
const LONG_BASE64_BYTES = 3_072;
/** 1 for the code of each digit of base64. */
const IS_BASE64_DIGIT = Uint8Array.from({ length: 256 }, (_, code) => (BASE64_CODES.includes(code) ? 1 : 0));
/** Characters of a long text that are looked at together. */
const CHECKED_CHARACTERS = 8_192;

/** Bytes that become characters in one call. */
const LATIN1_CHUNK = 16;

/** ASCII texts up to this length are written without the encoder: an array of so many bytes lies on the language's heap. */
const SHORT_ASCII_CHARACTERS = 64;

/** ASCII texts up to this length are read without the decoder, which costs more than they do. */
const SHORT_TEXT_BYTES = 128;

/** Lower-case hex of the bytes. */
export function toHex(bytes: Uint8Array): string {
  return hexOfRange(bytes, 0, bytes.length);
}

/** Lower-case hex of the bytes from `start` to before `end`. */
export function hexOfRange(bytes: Uint8Array, start: number, end: number): string {
  let hex = "";
  let i = start;
  for (; i + HEX_CHUNK <= end; i += HEX_CHUNK) hex += hexOfEight(bytes, i);
  for (; i < end; i += 1) hex += HEX_OF_BYTE[bytes[i] as number];
  return hex;
}

/** Bytes of a hex text of either case. @throws Error on odd length or another character. */
export function fromHex(hex: string): Uint8Array {
  if (hex.length % 2 !== 0) throw new RangeError(`Hex of ${hex.length} characters: expected an even number`);
  const bytes = new Uint8Array(hex.length / 2);
  writeHex(hex, bytes, 0);
  return bytes;
}

/** Puts the bytes of a hex text of even length into others, from `at` on. @throws RangeError on another character than a digit. */
export function writeHex(hex: string, into: Uint8Array, at: number): void {
  let all = 0;
  for (let i = 0; i < hex.length; i += 2) {
    const high = HEX_VALUES[hex.charCodeAt(i)] ?? -1;
    const low = HEX_VALUES[hex.charCodeAt(i + 1)] ?? -1;
    all |= high | low;
    into[at + (i >> 1)] = (high << 4) | low;
  }
  if (all < 0) throw new RangeError("Hex holds another character than a digit of either case");
}

/** True when the text is hex of exactly `length` bytes, either case. */
export function isHex(text: unknown, length: number): text is string {
  return typeof text === "string" && text.length === length * 2 && /^[0-9a-fA-F]*$/.test(text);
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  const long = bytes.length - (bytes.length % 3);
  const native = long > LONG_BASE64_BYTES ? nodeBytes() : undefined;
  if (native !== undefined) return native.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
  if (long > LONG_BASE64_BYTES) return fromUtf8(base64Codes(bytes.subarray(0, long))) + base64Of(bytes.subarray(long));
  let text = "";
  for (let start = 0; start < bytes.length; start += BASE64_CHUNK) text += base64Of(bytes.subarray(start, start + BASE64_CHUNK));
  return text;
}

/** Bytes of standard, padded, canonical base64. @throws Error on anything else. */
export function fromBase64(text: string): Uint8Array {
  const bytes = tryFromBase64(text);
  if (bytes === undefined) throw new RangeError("The text is not canonical, padded base64");
  return bytes;
}

/** Bytes of base64, or undefined when the text is not canonical standard base64. */
export function tryFromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  if (text.length > CHECKED_CHARACTERS) return longFromBase64(text);
  const bytes = new Uint8Array(base64Length(text));
  if (bytes.length > LONG_BASE64_BYTES) return readsLong(text, bytes) ? bytes : undefined;
  const digits = Math.ceil((bytes.length * 4) / 3);
  const digitAt = (i: number): number => (i < digits ? (BASE64_VALUES[text.charCodeAt(i)] ?? -1) : 0);
  let at = 0;
  for (let i = 0; i < text.length; i += 4) {
    const word = (digitAt(i) << 18) | (digitAt(i + 1) << 12) | (digitAt(i + 2) << 6) | digitAt(i + 3);
    // A character that is no digit has all bits set. Bits beyond the last byte stand for nothing and are zero.
    if (word < 0 || (at + 3 > bytes.length && (word & (at + 2 > bytes.length ? 0xffff : 0xff)) !== 0)) return undefined;
    bytes[at] = word >> 16;
    bytes[at + 1] = word >> 8;
    bytes[at + 2] = word;
    at += 3;
  }
  return bytes;
}

/** What is used of Node's byte strings, whose base64 is many times faster than script. */
interface NodeBytes {
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(encoding: "base64"): string };
  from(text: string, encoding: "base64"): Uint8Array;
}

/** Undefined in browsers. */
function nodeBytes(): NodeBytes | undefined {
  return (globalThis as { readonly Buffer?: NodeBytes }).Buffer;
}

function longFromBase64(text: string): Uint8Array | undefined {
  const native = nodeBytes();
  if (native !== undefined) return isBase64(text) ? viewOf(native.from(text, "base64")) : undefined;
  const bytes = new Uint8Array(base64Length(text));
  return readsLong(text, bytes) ? bytes : undefined;
}

/** The same bytes without the ways of Node's own class, where a slice is no copy. */
function viewOf({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}

/** True for canonical standard base64 with padding: what {@link tryFromBase64} takes, without decoding it. */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const digits = text.endsWith("==") ? text.length - 2 : text.endsWith("=") ? text.length - 1 : text.length;
  // The bits of the last digit that stand for no byte are zero.
  if (digits < text.length && !(text.length - digits === 2 ? /[AQgw]==$/ : /[AEIMQUYcgkosw048]=$/).test(text)) return false;
  if (digits > CHECKED_CHARACTERS) return hasDigitsAlone(text, digits);
  return !/[^A-Za-z0-9+/]/.test(digits === text.length ? text : text.slice(0, digits));
}

/** True when the first characters of a long text are digits of base64: as bytes they are read several times faster than by an expression. */
function hasDigitsAlone(text: string, length: number): boolean {
  const codes = new Uint8Array(CHECKED_CHARACTERS);
  for (let at = 0; at < length; at += CHECKED_CHARACTERS) {
    const part = text.slice(at, Math.min(length, at + CHECKED_CHARACTERS));
    // A character beyond ASCII is more than one byte, and none of these is a digit.
    const { read, written } = encoder.encodeInto(part, codes);
    let all = read === part.length && written === part.length ? 1 : 0;
    for (let i = 0; i < written; i += 1) all &= IS_BASE64_DIGIT[codes[i] as number] as number;
    if (all === 0) return false;
  }
  return true;
}

/** How many bytes a padded base64 text stands for. */
export function base64Length(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** One character for each byte: a key for a map. Without a view on the bytes, which would take a short array off the language's heap. */
export function toLatin1(bytes: Uint8Array): string {
  return latin1OfRange(bytes, 0, bytes.length);
}

/** One character for each byte from `start` to before `end`. */
export function latin1OfRange(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  let i = start;
  for (; i + LATIN1_CHUNK <= end; i += LATIN1_CHUNK) text += sixteenCharacters(bytes, i);
  for (; i < end; i += 1) text += String.fromCharCode(bytes[i] as number);
  return text;
}

/** UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return text.length <= SHORT_ASCII_CHARACTERS ? shortUtf8(text) : encoder.encode(text);
}

/** The whole characters from the start of a text that fit into so many bytes of UTF-8, without lone surrogates. One pass. */
export function cutToUtf8(text: string, most: number): string {
  const whole = text.toWellFormed();
  let length = 0;
  for (let at = 0; at < whole.length; at += 1) {
    const code = whole.codePointAt(at) ?? 0;
    if (code < 0x80) length += 1;
    else if (code < 0x800) length += 2;
    else length += code < 0x10000 ? 3 : 4;
    if (length > most) return whole.slice(0, at);
    if (code >= 0x10000) at += 1;
  }
  return whole;
}

/** Number of UTF-8 bytes of a text; a lone surrogate counts as the replacement character that {@link utf8} makes of it. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    // A pair of surrogates is two units and four bytes, so the first of it adds two and the second nothing.
    if (code < 0x800) length += 1;
    else length += 2;
    if (isPair(code, text.charCodeAt(i + 1))) i += 1;
  }
  return length;
}

/** Text of UTF-8 bytes. @throws TypeError when they are not valid UTF-8. */
export function fromUtf8(bytes: Uint8Array): string {
  return bytes.length <= SHORT_TEXT_BYTES && isAscii(bytes) ? toLatin1(bytes) : decoder.decode(bytes);
}

/** One array holding the parts in order. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const out = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}

/** Lexicographic byte order: negative, zero or positive. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Equality of contents; not constant in time. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, b) === 0;
}

function shortUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  let all = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    bytes[i] = code;
    all |= code;
  }
  return all < 0x80 ? bytes : encoder.encode(text);
}

function isAscii(bytes: Uint8Array): boolean {
  let all = 0;
  for (let i = 0; i < bytes.length; i += 1) all |= bytes[i] as number;
  return all < 0x80;
}

function isPair(first: number, second: number): boolean {
  return (first & 0xfc00) === 0xd800 && (second & 0xfc00) === 0xdc00;
}

/** Value of each character code below 128, −1 for one that is no digit. */
function valuesOf(digits: string, meaning: (digit: string) => number): Int8Array {
  const values = new Int8Array(128).fill(-1);
  for (const digit of digits) values[digit.charCodeAt(0)] = meaning(digit);
  return values;
}

/** The same for a long text, read as bytes: the characters of one that is put together of parts cost many times more, one by one. */
function readsLong(text: string, bytes: Uint8Array): boolean {
  const codes = encoder.encode(text);
  const last = text.length - 4;
  const digitAt = (i: number): number => BASE64_VALUES[codes[i] as number] ?? -1;
  // A character beyond ASCII is more than one byte.
  let all = codes.length === text.length ? 0 : -1;
  let at = 0;
  for (let i = 0; i < last; i += 4, at += 3) {
    const word = (digitAt(i) << 18) | (digitAt(i + 1) << 12) | (digitAt(i + 2) << 6) | digitAt(i + 3);
    all |= word;
    bytes[at] = word >> 16;
    bytes[at + 1] = word >> 8;
    bytes[at + 2] = word;
  }
  const end = tryFromBase64(text.slice(last));
  if (all < 0 || end === undefined) return false;
  bytes.set(end, at);
  return true;
}

/** Characters of many bytes, a multiple of three. */
function base64Codes(bytes: Uint8Array): Uint8Array {
  const codes = new Uint8Array((bytes.length / 3) * 4);
  for (let i = 0, at = 0; i < bytes.length; i += 3, at += 4) {
    const word = ((bytes[i] as number) << 16) | ((bytes[i + 1] as number) << 8) | (bytes[i + 2] as number);
    codes[at] = BASE64_CODES[word >> 18] as number;
    codes[at + 1] = BASE64_CODES[(word >> 12) & 63] as number;
    codes[at + 2] = BASE64_CODES[(word >> 6) & 63] as number;
    codes[at + 3] = BASE64_CODES[word & 63] as number;
  }
  return codes;
}

function base64Of(bytes: Uint8Array): string {
  const codes: number[] = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const word = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    codes.push(base64Code(word >> 18), base64Code((word >> 12) & 63));
    codes.push(left > 1 ? base64Code((word >> 6) & 63) : PADDING, left > 2 ? base64Code(word & 63) : PADDING);
  }
  return String.fromCharCode(...codes);
}

function base64Code(digit: number): number {
  return BASE64_DIGITS.charCodeAt(digit);
}

function sixteenCharacters(bytes: Uint8Array, i: number): string {
  return String.fromCharCode(
    bytes[i] as number,
    bytes[i + 1] as number,
    bytes[i + 2] as number,
    bytes[i + 3] as number,
    bytes[i + 4] as number,
    bytes[i + 5] as number,
    bytes[i + 6] as number,
    bytes[i + 7] as number,
    bytes[i + 8] as number,
    bytes[i + 9] as number,
    bytes[i + 10] as number,
    bytes[i + 11] as number,
    bytes[i + 12] as number,
    bytes[i + 13] as number,
    bytes[i + 14] as number,
    bytes[i + 15] as number,
  );
}

function hexOfEight(bytes: Uint8Array, i: number): string {
  const a = bytes[i] as number;
  const b = bytes[i + 1] as number;
  const c = bytes[i + 2] as number;
  const d = bytes[i + 3] as number;
  const e = bytes[i + 4] as number;
  const f = bytes[i + 5] as number;
  const g = bytes[i + 6] as number;
  const h = bytes[i + 7] as number;
  return String.fromCharCode(
    HIGH_DIGITS[a] as number,
    LOW_DIGITS[a] as number,
    HIGH_DIGITS[b] as number,
    LOW_DIGITS[b] as number,
    HIGH_DIGITS[c] as number,
    LOW_DIGITS[c] as number,
    HIGH_DIGITS[d] as number,
    LOW_DIGITS[d] as number,
    HIGH_DIGITS[e] as number,
    LOW_DIGITS[e] as number,
    HIGH_DIGITS[f] as number,
    LOW_DIGITS[f] as number,
    HIGH_DIGITS[g] as number,
    LOW_DIGITS[g] as number,
    HIGH_DIGITS[h] as number,
    LOW_DIGITS[h] as number,
  );
}
