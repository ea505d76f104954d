// Single fields of contents, read from what strangers sent (TypeError) and checked before they are written (RangeError).
import type { CborValue } from "#shared/protocol/primitives/cbor.ts";
import { fromHex, toHex, utf8Length } from "#shared/util/bytes.ts";
import type { MessageId, MessageReference } from "./content.ts";

/** A decoded map. */
export type Fields = Readonly<Record<string, CborValue>>;

/** A map. */
export function fieldsOf(value: CborValue | undefined): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Uint8Array) throw new TypeError("not a map");
  return value as Fields;
}

/** A text of 1 to `maxBytes` UTF-8 bytes. */
export function textOf(value: CborValue | undefined, maxBytes: number): string {
  if (value === undefined || value === "") throw new TypeError("no text");
  return optionalTextOf(value, maxBytes);
}

/** A text of at most `maxBytes` UTF-8 bytes; absent is "". */
export function optionalTextOf(value: CborValue | undefined, maxBytes: number): string {
  if (value === undefined) return "";
  if (typeof value !== "string" || utf8Length(value) > maxBytes) throw new TypeError("not a text of that length");
  return value;
}

/** Hex of exactly so many bytes. */
export function hexOf(value: CborValue | undefined, length: number): string {
  if (!(value instanceof Uint8Array) || value.length !== length) throw new TypeError(`not ${length} bytes`);
  return toHex(value);
}

/** Bytes of a length in a range. */
export function bytesOf(value: CborValue | undefined, min: number, max: number): Uint8Array {
  if (!(value instanceof Uint8Array) || value.length < min || value.length > max) throw new TypeError("not bytes of that length");
  return value;
}

/** A key. */
export function keyOf(value: CborValue | undefined): string {
  return hexOf(value, 32);
}

/** An id of a message. */
export function idOf(value: CborValue | undefined): MessageId {
  return hexOf(value, 16);
}

/** A list of 1 to `max` entries. */
export function listOf<T>(value: CborValue | undefined, max: number, entry: (value: CborValue | undefined) => T): readonly T[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > max) throw new TypeError("not a list of that length");
  return value.map(entry);
}

/** An integer from `min` to `max`. */
export function integerOf(value: CborValue | undefined, min: number, max: number = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== "number" || value < min || value > max) throw new TypeError("not an integer in range");
  return value;
}

/** A truth value. */
export function booleanOf(value: CborValue | undefined): boolean {
  if (typeof value !== "boolean") throw new TypeError("not a truth value");
  return value;
}

/** Author and id of a message. */
export function referenceOf(value: CborValue | undefined): MessageReference {
  const fields = fieldsOf(value);
  return { author: keyOf(fields.author), id: idOf(fields.id) };
}

/** A text to write. @throws RangeError unless it has `minBytes` to `maxBytes` UTF-8 bytes. */
export function checkedText(text: string, minBytes: number, maxBytes: number): string {
  const bytes = utf8Length(text);
  if (bytes < minBytes || bytes > maxBytes) throw new RangeError(`A text has ${minBytes} to ${maxBytes} bytes, not ${bytes}`);
  return text.toWellFormed();
}

/** An integer to write. @throws RangeError outside its range. */
export function checkedInteger(value: number, min: number, max: number = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isSafeInteger(value) || value < min || value > max) throw new RangeError(`${value} is not an integer from ${min} to ${max}`);
  return value;
}

/** A list to write. @throws RangeError unless it has 1 to `max` entries. */
export function checkedList<T>(list: readonly T[], max: number, encode: (entry: T) => CborValue): CborValue {
  if (list.length === 0 || list.length > max) throw new RangeError(`A list names 1 to ${max} entries, not ${list.length}`);
  return list.map(encode);
}

/** A reference to write. */
export function encodeReference({ author, id }: MessageReference): CborValue {
  return { author: fromHex(author), id: fromHex(id) };
}
