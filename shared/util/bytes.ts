// Byte strings: hex, base64, UTF-8, comparison. Runs anywhere.

import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { base64 } from "@scure/base";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** ASCII texts up to this length are read without the decoder, which costs more than they do. */
const SHORT_TEXT_BYTES = 128;

/** Lower-case hex of the bytes. */
export function toHex(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

/** Bytes of a hex text of either case. @throws Error on odd length or another character. */
export function fromHex(hex: string): Uint8Array {
  return hexToBytes(hex);
}

/** True when the text is hex of exactly `length` bytes, either case. */
export function isHex(text: unknown, length: number): text is string {
  return typeof text === "string" && text.length === length * 2 && /^[0-9a-fA-F]*$/.test(text);
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return base64.encode(bytes);
}

/** Bytes of standard, padded, canonical base64. @throws Error on anything else. */
export function fromBase64(text: string): Uint8Array {
  return base64.decode(text);
}

/** Bytes of base64, or undefined when the text is not canonical standard base64. */
export function tryFromBase64(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text);
  } catch {
    return undefined;
  }
}

/** True for canonical standard base64 with padding: what {@link tryFromBase64} takes, without decoding it. */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const digits = text.endsWith("==") ? text.length - 2 : text.endsWith("=") ? text.length - 1 : text.length;
  // The bits of the last digit that stand for no byte are zero.
  if (digits < text.length && !(text.length - digits === 2 ? /[AQgw]==$/ : /[AEIMQUYcgkosw048]=$/).test(text)) return false;
  return !/[^A-Za-z0-9+/]/.test(digits === text.length ? text : text.slice(0, digits));
}

/** How many bytes a padded base64 text stands for. */
export function base64Length(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
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
  return bytes.length <= SHORT_TEXT_BYTES && bytes.every((byte) => byte < 0x80) ? String.fromCharCode(...bytes) : decoder.decode(bytes);
}

/** One array holding the parts in order. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
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

function isPair(first: number, second: number): boolean {
  return (first & 0xfc00) === 0xd800 && (second & 0xfc00) === 0xdc00;
}
