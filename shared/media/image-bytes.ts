// Reading the parts of a picture: names, numbers, and the refusal of what does not fit together.
import { CodedError } from "#shared/errors/coded-error.ts";

/** Error that says what is wrong with a picture. */
export function malformedImage(format: string, reason: string): CodedError {
  return new CodedError("BAD_REQUEST", `The ${format} is malformed: ${reason}`);
}

/** Called with each chunk, segment or block of a picture; may throw. */
export type CountPart = () => void;

/** Throws BAD_REQUEST at the first part beyond the limit. */
export function partCounter(maxParts: number): CountPart {
  let parts = 0;
  return () => {
    parts += 1;
    if (parts > maxParts) throw new CodedError("BAD_REQUEST", `The picture has more than ${maxParts} parts`);
  };
}

/** Four characters at a position, as chunk names are written. */
export function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

/** True when the ASCII text is at a position. */
export function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  if (at + text.length > bytes.length) return false;
  for (let i = 0; i < text.length; i += 1) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** One array holding the parts in order, however many they are. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** View for numbers of several bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
