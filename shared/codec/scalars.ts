// Codecs of single items. Lengths and ranges hold both ways: a decoder refuses the item, an encoder the value.
import { base64Length } from "#shared/util/bytes.ts";
import { type Codec, codec } from "./codec.ts";

/** UTF-8 bytes of a UTF-16 unit. */
const MAX_UNIT_BYTES = 3;

/** A truth value. */
export const boolean: Codec<boolean> = codec(
  (reader) => reader.boolean(),
  (writer, value) => writer.boolean(value),
);

/** Bytes of any length, in place: for what is decoded at once, and never stored beside bytes that may be changed. */
export const view: Codec<Uint8Array> = codec(
  (reader) => reader.view(0, Number.POSITIVE_INFINITY),
  (writer, value) => writer.bytes(value),
);

/** One item of any kind, encoded: read later, when it is known what it must be. Its form is checked. */
export const encoded: Codec<Uint8Array> = codec(
  (reader) => {
    const start = reader.at;
    reader.skip();
    return reader.since(start);
  },
  (writer, value) => writer.encoded(value),
);

/** An integer from `min` to `max`. */
export function integer(min = 0, max: number = Number.MAX_SAFE_INTEGER): Codec<number> {
  const check = (value: number): number => {
    if (!(value >= min && value <= max)) throw new RangeError(`${value} is not an integer from ${min} to ${max}`);
    return value;
  };
  return codec(
    (reader) => check(reader.integer()),
    (writer, value) => writer.integer(check(value)),
  );
}

/** A byte string of exactly this length. */
export function bytes(length: number): Codec<Uint8Array> {
  return bytesUpTo(length, length);
}

/** A byte string of `min` to `max` bytes. */
export function bytesUpTo(max: number = Number.POSITIVE_INFINITY, min = 0): Codec<Uint8Array> {
  return codec(
    (reader) => reader.bytes(min, max),
    (writer, value) => {
      checkLength("A byte string", value.length, min, max);
      writer.bytes(value);
    },
  );
}

/** A byte string of exactly this length, as lower-case hex. */
export function hex(length: number): Codec<string> {
  return hexUpTo(length, length);
}

/** A byte string of `min` to `max` bytes, as lower-case hex. */
export function hexUpTo(max: number, min = 0): Codec<string> {
  return codec(
    (reader) => reader.hex(min, max),
    (writer, value) => {
      checkLength("Hex", value.length / 2, min, max);
      writer.hex(value);
    },
  );
}

/** A byte string of `min` to `max` bytes, as canonical base64. */
export function base64UpTo(max: number = Number.POSITIVE_INFINITY, min = 0): Codec<string> {
  return codec(
    (reader) => reader.base64(min, max),
    (writer, value) => {
      checkLength("Base64", base64Length(value), min, max);
      writer.base64(value);
    },
  );
}

/** A text of `min` to `max` UTF-8 bytes. */
export function textUpTo(max: number = Number.POSITIVE_INFINITY, min = 0): Codec<string> {
  return codec(
    (reader) => reader.text(min, max),
    (writer, value) => writer.text(value, min, max),
  );
}

/** A text of at most `max` UTF-16 units, as a text's own `length` counts. */
export function unitsUpTo(max: number): Codec<string> {
  const check = (text: string): string => {
    if (text.length > max) throw new RangeError(`A text has at most ${max} characters, not ${text.length}`);
    return text;
  };
  return codec(
    (reader) => check(reader.text(0, MAX_UNIT_BYTES * max)),
    (writer, value) => writer.text(check(value)),
  );
}

/** A text of at most `max` ASCII characters. */
export function ascii(max: number): Codec<string> {
  return codec(
    (reader) => reader.ascii(max),
    (writer, value) => writer.text(value, 0, max),
  );
}

/** One of these words, as a text. */
export function word<const W extends readonly string[]>(words: W, what: string): Codec<W[number]> {
  const longest = Math.max(...words.map(({ length }) => length));
  return codec(
    (reader) => knownIn(words, reader.ascii(longest), what),
    (writer, value) => writer.text(knownIn(words, value, what)),
  );
}

/** One of these words, as its number in the list, which begins with `first`. */
export function numbered<const W extends readonly string[]>(words: W, what: string, first = 0): Codec<W[number]> {
  return codec(
    (reader) => {
      const found: W[number] | undefined = words[reader.integer() - first];
      if (found === undefined) throw new TypeError(`An unknown ${what}`);
      return found;
    },
    (writer, value) => writer.integer(words.indexOf(knownIn(words, value, what)) + first),
  );
}

function knownIn<const W extends readonly string[]>(words: W, value: string, what: string): W[number] {
  if (!words.includes(value)) throw new TypeError(`An unknown ${what}`);
  return value;
}

function checkLength(what: string, length: number, min: number, max: number): void {
  if (length < min || length > max) throw new RangeError(`${what} has ${min} to ${max} bytes, not ${length}`);
}
