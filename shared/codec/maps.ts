// Codecs of maps with text keys: for what programs of other versions read. Fields that the definition does not know are checked in
// their form and passed over. A field is under its own name unless `keyed` gives it another:
//
//   const note = map({ text: textUpTo(280, 1), revision: keyed("rev", integer(1)), expiresInS: omissible(integer(1)) });
import { compareBytes } from "#shared/util/bytes.ts";
import type { CborReader } from "./cbor-reader.ts";
import { type AnyCodec, type Codec, codec, encode, type TypeOf } from "./codec.ts";
import { textUpTo, word } from "./scalars.ts";
import type { UnionOf } from "./unions.ts";

export interface MapField extends AnyCodec {
  /** Its key; the name of the field when not given. */
  readonly key?: string;
  /** What it is when its key is not there; without it the key must be there. */
  readonly absent?: Absence;
}

/** A field that may be missing in the bytes and in the object. */
export type Omissible<T> = Codec<T> & { readonly absent: Absence; readonly isOmissible: true };

/** The object of a map. */
export type MapOf<D extends MapFields> = {
  readonly [K in keyof D as D[K] extends { readonly isOmissible: true } ? never : K]: TypeOf<D[K]>;
} & { readonly [K in keyof D as D[K] extends { readonly isOmissible: true } ? K : never]?: TypeOf<D[K]> };

/** Fields of a map by their names in the object. */
export type MapFields = Readonly<Record<string, MapField>>;

/** What a field is when its key is missing. */
export interface Absence {
  /** Undefined leaves the field out of the object. */
  readonly value: unknown;
  /** Whether the key is written all the same when the field has that value. */
  readonly isWritten: boolean;
}

interface Entry {
  readonly name: string;
  readonly key: string;
  readonly encodedKey: Uint8Array;
  readonly field: MapField;
}

/** An object as a map. */
export function map<D extends MapFields>(definition: D): Codec<MapOf<D>> {
  const entries: readonly Entry[] = Object.entries(definition).map(([name, field]) => {
    const key = field.key ?? name;
    return { name, key, encodedKey: encode(textUpTo(), key), field };
  });
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const inOrder = entries.toSorted((a, b) => compareBytes(a.encodedKey, b.encodedKey));
  return codec(
    (reader) => {
      const found = new Map<string, unknown>();
      readEntries(reader, (key) => {
        const entry = byKey.get(key);
        if (entry === undefined) reader.skip();
        else found.set(entry.name, entry.field.read(reader));
        return true;
      });
      return objectOf(entries, found) as MapOf<D>;
    },
    (writer, value) => {
      const fieldOf = ({ name }: Entry): unknown => (value as Readonly<Record<string, unknown>>)[name];
      const present = inOrder.filter((entry) => isWritten(entry.field, fieldOf(entry)));
      writer.map(present.length);
      for (const entry of present) {
        writer.encoded(entry.encodedKey);
        entry.field.write(writer, fieldOf(entry) as never);
      }
    },
  );
}

/** One of several maps, distinguished by a text under a key of theirs, which is among the others. */
export function unionMap<K extends string, A extends Readonly<Record<string, MapFields>>>(
  key: K,
  alternatives: A,
): Codec<UnionOf<K, { readonly [W in keyof A]: Codec<MapOf<A[W]>> }>> {
  type Value = UnionOf<K, { readonly [W in keyof A]: Codec<MapOf<A[W]>> }>;
  const words = Object.keys(alternatives);
  const tag = word(words, key);
  const maps = new Map(words.map((name) => [name, map({ ...alternatives[name], [key]: tag }) as AnyCodec]));
  return codec(
    (reader) => {
      const start = reader.at;
      let name: string | undefined;
      readEntries(reader, (found) => {
        if (found === key) name = tag.read(reader);
        else reader.skip();
        return name === undefined;
      });
      const form = maps.get(name ?? "");
      if (form === undefined) throw new TypeError(`Expected a ${key}`);
      reader.goTo(start);
      return form.read(reader) as Value;
    },
    (writer, value) => maps.get(value[key])?.write(writer, value as never),
  );
}

/** A field under another key than its name. */
export function keyed<F extends AnyCodec>(key: string, field: F): F & { readonly key: string } {
  return { ...field, key };
}

/** A field that may be missing, in the bytes and in the object. */
export function omissible<T>(of: Codec<T>): Omissible<T> {
  return { ...of, absent: { value: undefined, isWritten: false }, isOmissible: true };
}

/** A field that is missing in the bytes when it has this value. */
export function absentAs<T, const V>(of: Codec<T>, value: V): Codec<T | V> & { readonly absent: Absence } {
  return { ...(of as Codec<T | V>), absent: { value, isWritten: false } };
}

/** A field that is always written, and read as this value where it is missing. */
export function defaultsTo<T>(of: Codec<T>, value: T): Codec<T> & { readonly absent: Absence } {
  return { ...of, absent: { value, isWritten: true } };
}

/** Reads the entries of a map, each value by `read`, which says whether to read on. */
function readEntries(reader: CborReader, read: (key: string) => boolean): void {
  let previous: number | undefined;
  for (let left = reader.map(); left > 0; left -= 1) {
    const start = reader.at;
    const key = reader.key(previous);
    previous = start;
    if (!read(key)) return;
  }
}

function objectOf(entries: readonly Entry[], found: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> {
  const value: Record<string, unknown> = {};
  for (const { name, field } of entries) {
    if (found.has(name)) value[name] = found.get(name);
    else if (field.absent === undefined) throw new TypeError(`The field ${name} is missing`);
    else if (field.absent.value !== undefined) value[name] = field.absent.value;
  }
  return value;
}

function isWritten({ absent }: MapField, value: unknown): boolean {
  return absent === undefined || absent.isWritten || value !== absent.value;
}
