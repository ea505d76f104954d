// Standard base64 (RFC 4648 §4) with padding, in its one canonical form. By tables, because every transaction passes it often.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PADDING = "=";
const INVALID = 255;
/** Value of each character code below 128. */
const VALUES = valueTable();

/** Base64 of the bytes. */
export function encodeBase64(bytes: Uint8Array): string {
  const whole = bytes.length - (bytes.length % 3);
  let text = "";
  for (let i = 0; i < whole; i += 3) {
    const bits = (byteAt(bytes, i) << 16) | (byteAt(bytes, i + 1) << 8) | byteAt(bytes, i + 2);
    text += digit(bits >> 18) + digit(bits >> 12) + digit(bits >> 6) + digit(bits);
  }
  const bits = (byteAt(bytes, whole) << 16) | (byteAt(bytes, whole + 1) << 8);
  if (bytes.length - whole === 1) text += digit(bits >> 18) + digit(bits >> 12) + PADDING + PADDING;
  if (bytes.length - whole === 2) text += digit(bits >> 18) + digit(bits >> 12) + digit(bits >> 6) + PADDING;
  return text;
}

/** Bytes of canonical base64, or undefined for any other text: spaces, missing padding, set bits behind the last byte. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = text.endsWith(PADDING + PADDING) ? 2 : text.endsWith(PADDING) ? 1 : 0;
  const digits = text.length - padding;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < digits; i += 1) {
    const value = VALUES[text.charCodeAt(i)] ?? INVALID;
    if (value === INVALID) return undefined;
    bits = ((bits << 6) | value) & 0xfff_fff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[at] = bits >> held;
      at += 1;
    }
  }
  return (bits & ((1 << held) - 1)) === 0 ? bytes : undefined;
}

function digit(bits: number): string {
  return ALPHABET[bits & 63] ?? "";
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

function valueTable(): Uint8Array {
  const table = new Uint8Array(128).fill(INVALID);
  for (let value = 0; value < ALPHABET.length; value += 1) table[ALPHABET.charCodeAt(value)] = value;
  return table;
}
