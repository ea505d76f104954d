// Codecs made of others: records, lists and wrappers. Unions and maps have files of their own.
import { type AnyCodec, type Codec, codec, decode, encode, type TypeOf } from "./codec.ts";

/** Codecs by the names of their fields, in the order of the bytes. */
export type FieldCodecs = Readonly<Record<string, AnyCodec>>;

/** The object of which each field is as its codec says. */
export type FieldsOf<D extends FieldCodecs> = { readonly [K in keyof D]: TypeOf<D[K]> };

/** Fields one after the other, without a head: what a record, or an alternative of a union, is made of. */
export function fields<D extends FieldCodecs>(definition: D): Codec<FieldsOf<D>> {
  const names = Object.keys(definition);
  const codecs: readonly AnyCodec[] = Object.values(definition);
  const width = codecs.reduce((sum, field) => sum + field.width, 0);
  return codec(
    (reader) => {
      const value: Record<string, unknown> = {};
      for (let i = 0; i < names.length; i += 1) value[names[i] as string] = (codecs[i] as AnyCodec).read(reader);
      return value as FieldsOf<D>;
    },
    (writer, value) => {
      for (let i = 0; i < names.length; i += 1) (codecs[i] as AnyCodec).write(writer, value[names[i] as string] as never);
    },
    width,
  );
}

/** An object as an array of its fields, after the version of the format when one is given. */
export function record<D extends FieldCodecs>(definition: D, version?: number): Codec<FieldsOf<D>> {
  return array(fields(definition), version);
}

/** The items of a codec as an array, after the version of the format when one is given. */
export function array<T>({ width, read, write }: Codec<T>, version?: number): Codec<T> {
  const count = version === undefined ? width : width + 1;
  return codec(
    (reader) => {
      if (reader.array() !== count) throw new TypeError(`Expected ${width} fields`);
      if (version !== undefined && reader.integer() !== version) throw new TypeError("Another version");
      return read(reader);
    },
    (writer, value) => {
      writer.array(count);
      if (version !== undefined) writer.integer(version);
      write(writer, value);
    },
  );
}

/** As {@link array}, for what may grow: items of later versions behind the known ones are passed over. */
export function openArray<T>({ width, read, write }: Codec<T>): Codec<T> {
  return codec(
    (reader) => {
      const count = reader.array();
      if (count < width) throw new TypeError(`Expected ${width} fields or more`);
      const value = read(reader);
      for (let i = width; i < count; i += 1) reader.skip();
      return value;
    },
    (writer, value) => {
      writer.array(width);
      write(writer, value);
    },
  );
}

/** A list of `min` to `max` values. */
export function list<T>(of: Codec<T>, max: number = Number.POSITIVE_INFINITY, min = 0): Codec<readonly T[]> {
  const check = (count: number): number => {
    if (count < min || count > max) throw new RangeError(`A list has ${min} to ${max} entries, not ${count}`);
    return count;
  };
  return codec<readonly T[]>(
    (reader) => {
      const items: T[] = [];
      for (let left = check(reader.array()); left > 0; left -= 1) items.push(of.read(reader));
      return items;
    },
    (writer, items) => {
      writer.array(check(items.length));
      for (const item of items) of.write(writer, item);
    },
  );
}

/** A value, or null for null. */
export function nullable<T>(of: Codec<T>): Codec<T | null> {
  return codec(
    (reader) => (reader.null() ? null : of.read(reader)),
    (writer, value) => (value === null ? writer.null() : of.write(writer, value)),
  );
}

/** A value, or null for undefined. */
export function optional<T>(of: Codec<T>): Codec<T | undefined> {
  return codec(
    (reader) => (reader.null() ? undefined : of.read(reader)),
    (writer, value) => (value === undefined ? writer.null() : of.write(writer, value)),
  );
}

/** A value as the encoding of it in a byte string. */
export function embedded<T>(of: Codec<T>): Codec<T> {
  return codec(
    (reader) => decode(of, reader.view(0, Number.POSITIVE_INFINITY)),
    (writer, value) => writer.bytes(encode(of, value)),
  );
}

/** A value in another form: `read` makes it of what is in the bytes and may refuse by throwing, `write` goes back. */
export function mapped<A, B>(of: Codec<A>, read: (value: A) => B, write: (value: B) => A): Codec<B> {
  return codec(
    (reader) => read(of.read(reader)),
    (writer, value) => of.write(writer, write(value)),
    of.width,
  );
}

/** A value that must be more than its codec says. */
export function refined<T>(of: Codec<T>, isAllowed: (value: T) => boolean, what: string): Codec<T> {
  const check = (value: T): T => {
    if (!isAllowed(value)) throw new TypeError(`Expected ${what}`);
    return value;
  };
  return mapped(of, check, check);
}

/** A value alone in an object, under a name: an alternative of a union that has one field. */
export function named<N extends string, T>(name: N, of: Codec<T>): Codec<{ readonly [K in N]: T }> {
  type Named = { readonly [K in N]: T };
  return mapped<T, Named>(
    of,
    (value) => ({ [name]: value }) as Named,
    (value) => value[name],
  );
}
