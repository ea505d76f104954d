// Base64 with the standard alphabet and padding.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { revert } from "../parley";

@lazy
const ALPHABET: string = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Base64 of bytes. */
export function toBase64(bytes: ArrayBuffer): string {
  const length = bytes.byteLength;
  const from = changetype<usize>(bytes);
  const text = new ArrayBuffer(((length + 2) / 3) * 8);
  const to = changetype<usize>(text);
  for (let at = 0, out = 0; at < length; at += 3, out += 8) {
    const left = length - at;
    const group =
      (<u32>load<u8>(from + at) << 16) | (left > 1 ? <u32>load<u8>(from + at + 1) << 8 : 0) | (left > 2 ? <u32>load<u8>(from + at + 2) : 0);
    for (let sextet = 0; sextet < 4; sextet += 1) {
      const code = sextet <= left ? ALPHABET.charCodeAt((group >> (18 - 6 * sextet)) & 63) : 0x3d;
      store<u16>(to + out + 2 * sextet, <u16>code);
    }
  }
  return String.UTF16.decode(text);
}

/** Bytes of base64; anything else, bits that stand for nothing included, ends the call. */
export function fromBase64(text: string): ArrayBuffer {
  const length = text.length;
  if ((length & 3) != 0) revert("a text is no base64");
  let padding = 0;
  while (padding < 2 && padding < length && text.charCodeAt(length - 1 - padding) == 0x3d) padding += 1;
  const bytes = new ArrayBuffer((length >> 2) * 3 - padding);
  let bits: u32 = 0;
  let count = 0;
  let out = changetype<usize>(bytes);
  for (let at = 0; at < length - padding; at += 1) {
    const value = sextetOf(text.charCodeAt(at));
    if (value < 0) revert("a text is no base64");
    bits = (bits << 6) | <u32>value;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    store<u8>(out, <u8>(bits >> count));
    out += 1;
    bits &= (1 << count) - 1;
  }
  if (bits != 0) revert("a text is no base64");
  return bytes;
}

function sextetOf(code: i32): i32 {
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x61 && code <= 0x7a) return code - 0x47;
  if (code >= 0x30 && code <= 0x39) return code + 4;
  return code == 0x2b ? 62 : code == 0x2f ? 63 : -1;
}
